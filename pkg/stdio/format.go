package stdio

// Format is how a verb answers on standard output.
type Format uint8

// The two formats.
const (
	Text Format = iota // for people and models
	JSON               // rows, one JSON object a line
)

// String returns the word that --format takes.
func (f Format) String() string {
	if f == JSON {
		return "json"
	}
	return "text"
}

// ParseFormat reads the value of --format or CSIFT_FORMAT: text, json, or jsonl,
// which is the same as json.
func ParseFormat(s string) (Format, bool) {
	switch s {
	case "text":
		return Text, true
	case "json", "jsonl":
		return JSON, true
	}
	return Text, false
}

// Ask is all that decides the format.
type Ask struct {
	Flag    string // --format as typed, "" when it was not
	Payload bool   // the answer is a bare payload: a count, ids, raw lines, a file's body
	Env     string // CSIFT_FORMAT
	Front   bool   // called as csift, not as one of the small binaries
	Out     Kind   // what standard output is
	Shared  bool   // standard error is the same FIFO as standard output
}

// A formatRule is one row of the table that Choose reads from the top.
type formatRule struct {
	why     string
	applies func(Ask) bool
	format  func(Ask) Format
}

var formatRules = []formatRule{
	{"--format says so",
		func(a Ask) bool { return a.Flag != "" }, func(a Ask) Format { f, _ := ParseFormat(a.Flag); return f }},
	{"a payload is printed bare, whatever the environment says",
		func(a Ask) bool { return a.Payload }, always(Text)},
	{"CSIFT_FORMAT says so",
		func(a Ask) bool { return a.Env != "" }, func(a Ask) Format { f, _ := ParseFormat(a.Env); return f }},
	{"a small binary that writes into a pipe of its own speaks rows to the next one",
		func(a Ask) bool { return !a.Front && a.Out == FIFO && !a.Shared }, always(JSON)},
	{"people and models read text",
		func(Ask) bool { return true }, always(Text)},
}

func always(f Format) func(Ask) Format { return func(Ask) Format { return f } }

// Choose returns the format of an answer, and why in a few words.
func Choose(a Ask) (Format, string) {
	for _, r := range formatRules {
		if r.applies(a) {
			return r.format(a), r.why
		}
	}
	return Text, ""
}

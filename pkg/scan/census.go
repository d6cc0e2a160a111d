package scan

import (
	"cmp"
	"slices"
	"strconv"

	"csift/pkg/jsonl"
	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/section"
	"csift/pkg/transcript"
)

// Axis is what matching records are counted by.
type Axis string

// The axes.
const (
	NoAxis    Axis = ""
	ByLabel   Axis = "label"
	ByTool    Axis = "tool"
	ByTurn    Axis = "turn"
	BySession Axis = "session"
	ByPairing Axis = "pairing"
	ByModel   Axis = "model"
	ByVersion Axis = "version"
	ByResult  Axis = "result"
)

// Unlabelled is the key of records whose text no leaf names, on the label axis.
const Unlabelled = "(none)"

// Axes lists the axes in the order of the help.
func Axes() []Axis {
	return []Axis{ByLabel, ByTool, ByTurn, BySession, ByPairing, ByModel, ByVersion, ByResult}
}

// Census is how many matching records have a key. A record counts once a key.
type Census struct {
	Key     string
	Records int

	file, turn int
}

// census counts the hits of one file.
func (st *settling) census(hits []found, dialogs []Dialog, w *worker) error {
	st.res.counts = map[string]int{}
	turns := map[int]bool{}
	for k := range hits {
		l := hits[k].loc
		turn := st.s.Turn(l.Line, l.Part)
		turns[turn] = true
		if st.q.Count == ByTurn {
			st.res.counts[strconv.Itoa(turn)]++
			continue
		}
		if st.q.Count == BySession {
			st.res.counts[st.file.SessionID]++
			continue
		}
		line, err := st.read(l, &w.line)
		if err != nil {
			return err
		}
		if !transcript.DecodePart(jsonl.Trim(line, l.Off == 0), int(l.Part), &w.rec) {
			return transcript.ErrMoved
		}
		keys := st.keys(w, l)
		if len(keys) == 0 {
			st.res.excluded++
		}
		for _, key := range keys {
			st.res.counts[key]++
		}
	}
	st.countPending(dialogs, w, turns)
	st.res.Exchanges = len(turns)
	return nil
}

// keys gives the keys of the record just decoded on the axis, each once.
func (st *settling) keys(w *worker, l transcript.Loc) []string {
	r := &w.rec
	switch st.q.Count {
	case ByModel:
		return word(r.Model.String())
	case ByVersion:
		return word(r.Version.String())
	}
	c := ContextFor(st.s, l)
	secs := w.sec.Sections(r, &c)
	delivered := section.Delivered(r)
	var out []string
	for i := range secs {
		s := &secs[i]
		if !st.q.keeps(s, delivered) || !w.match(s) {
			continue
		}
		for _, key := range st.sectionKeys(r, s, l, delivered) {
			if !slices.Contains(out, key) {
				out = append(out, key)
			}
		}
	}
	return out
}

func word(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

func (st *settling) sectionKeys(r *record.Record, s *section.Section, l transcript.Loc, delivered bool) []string {
	if st.q.Count == ByLabel {
		return st.labelKeys(s, delivered)
	}
	if s.Block < 0 || s.Block >= len(r.Blocks) {
		return nil
	}
	k := &r.Blocks[s.Block]
	result := k.Type.Is("tool_result")
	if !result && !k.Type.Is("tool_use") {
		return nil
	}
	if st.q.Count == ByResult {
		switch {
		case !result:
			return nil
		case k.IsError:
			return []string{"error"}
		}
		return []string{"ok"}
	}
	id := k.ID
	if result {
		id = k.ToolUseID
	}
	p := st.s.Call(id.String(), l.Line, result)
	if st.q.Count == ByTool {
		if !result {
			return word(k.Name.String())
		}
		return word(p.Name)
	}
	return []string{PairingWord(p.Found, result)}
}

// PairingWord names how a side of a tool call stands.
func PairingWord(found, result bool) string {
	switch {
	case found:
		return "paired"
	case result:
		return "orphan"
	}
	return "pending"
}

func (st *settling) labelKeys(s *section.Section, delivered bool) []string {
	if len(s.Labels) == 0 {
		return []string{Unlabelled}
	}
	var out []string
	for _, l := range s.Labels {
		if st.q.Filter.Any() {
			if _, ok := st.q.Filter.Pick([]label.Leaf{l}, delivered, false); !ok {
				continue
			}
		}
		out = append(out, l.String())
	}
	return out
}

// census adds up the files' counts and puts them in the axis's order.
func census(axis Axis, files []File, res []FileResult) []Census {
	if axis == ByTurn {
		return turnCensus(files, res)
	}
	sum := map[string]int{}
	for i := range res {
		for k, n := range res[i].counts {
			sum[k] += n
		}
	}
	out := make([]Census, 0, len(sum))
	for k, n := range sum {
		out = append(out, Census{Key: k, Records: n})
	}
	slices.SortFunc(out, func(a, b Census) int {
		if axis == ByLabel {
			return cmp.Or(cmp.Compare(labelRank(a.Key), labelRank(b.Key)), cmp.Compare(a.Key, b.Key))
		}
		return cmp.Or(cmp.Compare(b.Records, a.Records), cmp.Compare(a.Key, b.Key))
	})
	return out
}

func labelRank(key string) int {
	if l, ok := label.ByName(key); ok {
		return int(l)
	}
	return 1 << 20
}

func turnCensus(files []File, res []FileResult) []Census {
	var out []Census
	for i := range res {
		for k, n := range res[i].counts {
			turn, _ := strconv.Atoi(k)
			key := "t" + k
			if len(files) > 1 {
				key = files[i].SessionID + "·" + key
			}
			out = append(out, Census{Key: key, Records: n, file: i, turn: turn})
		}
	}
	slices.SortFunc(out, func(a, b Census) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.turn, b.turn)) })
	return out
}

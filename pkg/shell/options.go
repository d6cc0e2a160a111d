package shell

import "strings"

// set makes a look-up table of the words of a list.
func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// listed says whether word stands in a list.
func listed(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// An option is one flag of a command.
type option struct {
	name  string // "-o" or "--output"
	value word
	has   bool // a value was given
}

// isFlag says whether w looks like a flag.
func isFlag(w word) bool {
	return len(w.text) > 1 && w.text[0] == '-' && w.mask[0] != expand
}

// options tells the flags of a command from its operands. Flags may stand
// behind operands; -- ends them.
func options(args []word, f flagSet) (opts []option, operands []word) {
	for i := 0; i < len(args); i++ {
		switch w := args[i]; {
		case w.is("--"):
			return opts, append(operands, args[i+1:]...)
		case isFlag(w):
			some, used := readFlag(args[i:], f)
			opts = append(opts, some...)
			i += used - 1
		default:
			operands = append(operands, w)
		}
	}
	return opts, operands
}

// readFlag reads the flag (or the cluster of them) at args[0]; used is 2 when
// the next word is its value.
func readFlag(args []word, f flagSet) (opts []option, used int) {
	w := args[0]
	waits := false
	if w.text[1] == '-' {
		o := longOption(w)
		opts = []option{o}
		waits = !o.has && listed(f.long, o.name[2:])
	} else if listed(f.long, w.text[1:]) { // one dash and a name, as Go's tools have it
		opts, waits = []option{{name: w.text}}, true
	} else {
		opts, waits = shortOptions(w, f.short)
	}
	if !waits || len(args) < 2 {
		return opts, 1
	}
	o := &opts[len(opts)-1]
	o.value, o.has = args[1], true
	return opts, 2
}

// longOption reads --name or --name=value.
func longOption(w word) option {
	if eq := strings.IndexByte(w.text, '='); eq >= 0 {
		return option{name: w.text[:eq], value: w.from(eq + 1), has: true}
	}
	return option{name: w.text}
}

// shortOptions reads -abc; open says that the last one waits for its value in
// the next word.
func shortOptions(w word, values string) (opts []option, open bool) {
	for j := 1; j < len(w.text); j++ {
		o := option{name: "-" + w.text[j:j+1]}
		if strings.IndexByte(values, w.text[j]) >= 0 {
			if j+1 < len(w.text) {
				o.value, o.has = w.from(j+1), true
				return append(opts, o), false
			}
			return append(opts, o), true
		}
		opts = append(opts, o)
	}
	return opts, false
}

// given says whether one of the flags of list is among opts.
func given(opts []option, list string) bool {
	for _, o := range opts {
		if listed(list, o.name) {
			return true
		}
	}
	return false
}

// typedFlag says whether one of the flags of list stands among args, as typed,
// with a value behind = or, where it is one letter, in a cluster.
func typedFlag(args []word, list string) bool {
	if list == "" {
		return false
	}
	for _, w := range args {
		if !isFlag(w) {
			continue
		}
		name, _, _ := strings.Cut(w.text, "=")
		for f := range strings.FieldsSeq(list) {
			switch {
			case f == w.text, f == name && len(f) > 2:
				return true
			case len(f) == 2 && w.text[1] != '-' && cluster(w.text) && strings.IndexByte(w.text[1:], f[1]) >= 0:
				return true
			}
		}
	}
	return false
}

// cluster says whether s is a dash and a few letters, not the name of a flag
// with one dash.
func cluster(s string) bool {
	for i := 1; i < len(s); i++ {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return len(s) <= 7
}

package cli

import (
	"strings"

	"csift/pkg/addr"
)

// A setting is one flag of an argument list with its value.
type setting struct {
	flag  *Flag
	typed string // the flag as it was written, for errors
	value string // "" for a flag that takes none
}

// A line is an argument list taken apart: flags may stand before, between and after
// the other words.
type line struct {
	settings []setting
	words    []string
	dashAt   int // index in words of the first after "--", -1 when there was none
}

// splitArgs takes args apart. Three things make it more than a loop over dashes: a
// value may start with a dash (--turn -3.., --max-count -1), a project directory
// always does (-Users-x-proj), and a word with two dashes that is no flag is a
// mistyped flag, never a target.
func splitArgs(flags []*Flag, args []string) (line, error) {
	l := line{dashAt: -1}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			l.dashAt = len(l.words)
			l.words = append(l.words, args[i+1:]...)
			return l, nil
		case strings.HasPrefix(arg, "--"):
			used, err := l.long(flags, arg, args[i+1:])
			if err != nil {
				return l, err
			}
			i += used
		case len(arg) > 1 && arg[0] == '-':
			used, err := l.short(flags, arg, args[i+1:])
			if err != nil {
				return l, err
			}
			i += used
		default:
			l.words = append(l.words, arg)
		}
	}
	return l, nil
}

// long reads --name, --name=value or --name with its value in rest. It returns how
// many words of rest it used.
func (l *line) long(flags []*Flag, arg string, rest []string) (int, error) {
	name, value, joined := strings.Cut(arg[2:], "=")
	f := longFlag(flags, name)
	if f == nil {
		return 0, unknownFlag(flags, "--"+name)
	}
	typed := "--" + name
	switch {
	case !f.Takes && joined:
		return 0, Usagef("%s takes no value", typed)
	case !f.Takes:
		l.settings = append(l.settings, setting{f, typed, ""})
		return 0, nil
	case joined:
		l.settings = append(l.settings, setting{f, typed, value})
		return 0, nil
	}
	return l.valueFrom(flags, f, typed, rest)
}

// valueFrom takes the first word of rest as the value of f, unless it is a flag.
func (l *line) valueFrom(flags []*Flag, f *Flag, typed string, rest []string) (int, error) {
	if len(rest) == 0 {
		return 0, Usagef("%s needs a value: %s %s", typed, typed, f.Value)
	}
	next := rest[0]
	if next == "--" || isFlag(flags, next) {
		return 0, WithHint(Usagef("%s needs a value, and %s follows it", typed, next),
			"a value that looks like a flag is joined with =: "+typed+"="+next)
	}
	l.settings = append(l.settings, setting{f, typed, next})
	return 1, nil
}

func isFlag(flags []*Flag, word string) bool {
	if name, ok := strings.CutPrefix(word, "--"); ok {
		name, _, _ = strings.Cut(name, "=")
		return longFlag(flags, name) != nil
	}
	return len(word) == 2 && word[0] == '-' && shortFlag(flags, word[1:]) != nil
}

// short reads a word of one dash: a flag, a cluster of flags, or a project directory.
func (l *line) short(flags []*Flag, arg string, rest []string) (int, error) {
	set, wants := cluster(flags, arg)
	switch {
	case set == nil && longFlag(flags, arg[1:]) != nil:
		return 0, WithHint(Usagef("unknown flag %s", arg),
			"write -"+arg+", or @"+arg+" for the project directory of that name")
	case set == nil && len(arg) > 2 && addr.IsEncodedDir(arg):
		l.words = append(l.words, arg)
		return 0, nil
	case set == nil && addr.IsEncodedDir(arg): // a letter: /w is the directory of a container, and -w its project
		return 0, WithHint(Usagef("unknown flag %s", arg), "@"+arg+" is the project directory of that name")
	case set == nil:
		return 0, unknownFlag(flags, arg)
	}
	l.settings = append(l.settings, set...)
	if wants == nil {
		return 0, nil
	}
	return l.valueFrom(flags, wants, "-"+wants.Short, rest)
}

// cluster reads -x, -xyz, -xVALUE and -x=VALUE. It returns nil when the word is none
// of them, and the flag whose value is the next word.
func cluster(flags []*Flag, arg string) (set []setting, wants *Flag) {
	set = []setting{}
	for i, r := range arg[1:] {
		name := string(r)
		f := shortFlag(flags, name)
		if f == nil {
			return nil, nil
		}
		if !f.Takes {
			set = append(set, setting{f, "-" + name, ""})
			continue
		}
		value := arg[1+i+len(name):]
		switch {
		case value == "":
			return set, f
		case value[0] == '=':
			value = value[1:]
		case addr.IsEncodedDir("-"+value) && !f.glues(value):
			return nil, nil
		}
		return append(set, setting{f, "-" + name, value}), nil
	}
	return set, nil
}

// glues reports whether a value of letters, digits and dashes may stick to the short
// flag: it is one of the flag's words, or a number.
func (f *Flag) glues(value string) bool {
	for _, w := range f.words {
		if w == value {
			return true
		}
	}
	return strings.Trim(value, "0123456789") == ""
}

func longFlag(flags []*Flag, name string) *Flag {
	for _, f := range flags {
		if f.Long == name && name != "" {
			return f
		}
	}
	return nil
}

func shortFlag(flags []*Flag, name string) *Flag {
	for _, f := range flags {
		if f.Short == name && name != "" {
			return f
		}
	}
	return nil
}

func unknownFlag(flags []*Flag, typed string) error {
	err := Usagef("unknown flag %s", typed)
	var names []string
	for _, f := range flags {
		if !f.Hidden && f.Long != "" {
			names = append(names, f.Long)
		}
	}
	if near, ok := Nearest(strings.TrimLeft(typed, "-"), names); ok && len(typed) > 2 {
		return WithHint(err, "did you mean --"+near+"?")
	}
	return err
}

package cli

import (
	"fmt"
	"strings"
)

// Lint returns what is wrong with the help of a family: a flag without a meaning, an
// example that does not parse, a verb without a summary. Each family calls it in a test.
func Lint(f Family) []string {
	var bad []string
	complain := func(format string, a ...any) { bad = append(bad, fmt.Sprintf(format, a...)) }
	for _, t := range f.Tools {
		if t.Summary == "" || strings.HasSuffix(t.Summary, ".") || strings.Contains(t.Summary, "\n") {
			complain("%s: the summary is one line without a period: %q", t.Name, t.Summary)
		}
		if home, ok := homes[t.Name]; !ok || home != f.Name {
			complain("%s: names.go says it belongs to %q, not %s", t.Name, home, f.Name)
		}
		var opts any
		if t.New != nil {
			opts = t.New()
		}
		flags, err := bind(opts, new(rootOptions))
		if err != nil {
			complain("%s: %v", t.Name, err)
			continue
		}
		for _, fl := range flags {
			if !fl.Hidden && (fl.Text == "" || strings.HasSuffix(fl.Text, ".") && !strings.HasSuffix(fl.Text, "..")) {
				complain("%s: --%s: the meaning is a phrase without a period: %q", t.Name, fl.Long, fl.Text)
			}
			if strings.Contains(fl.Text, "may be repeated") {
				complain("%s: --%s: that it may be repeated is said by its type: %q", t.Name, fl.Long, fl.Text)
			}
		}
		if len(t.Examples) == 0 {
			complain("%s: no examples", t.Name)
		}
		for _, x := range t.Examples {
			if err := lintExample(f, x); err != nil {
				complain("%s: example %q: %v", t.Name, x.Command, err)
			}
		}
	}
	return bad
}

// lintExample parses each stage of an example that calls a verb of the family.
func lintExample(f Family, x Example) error {
	if x.Text == "" {
		return fmt.Errorf("it is not said what it does")
	}
	for _, stage := range strings.Split(x.Command, " | ") {
		words := shellWords(stage)
		if len(words) == 0 {
			return fmt.Errorf("a stage is empty")
		}
		if words[0] == "csift" && len(words) > 1 {
			words = words[1:]
		}
		t := f.Tool(words[0])
		if t == nil {
			continue
		}
		var opts any
		if t.New != nil {
			opts = t.New()
		}
		flags, err := bind(opts, new(rootOptions))
		if err != nil {
			return err
		}
		l, err := splitArgs(flags, words[1:])
		if err != nil {
			return err
		}
		for _, s := range l.settings {
			if err := s.apply(); err != nil {
				return err
			}
		}
	}
	return nil
}

// shellWords splits a command into words, with single and double quotes.
func shellWords(s string) []string {
	var words []string
	var cur strings.Builder
	quote, in := rune(0), false
	for _, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, in = r, true
		case quote == 0 && r == ' ':
			if in {
				words = append(words, cur.String())
				cur.Reset()
				in = false
			}
		default:
			cur.WriteRune(r)
			in = true
		}
	}
	if in {
		words = append(words, cur.String())
	}
	return words
}

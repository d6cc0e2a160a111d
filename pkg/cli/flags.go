package cli

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/jessevdk/go-flags"
)

// A Flag is what is known of one flag, for parsing, help, manuals and completions.
type Flag struct {
	Long    string // without dashes
	Short   string // one character, or ""
	Takes   bool   // takes a value
	Value   string // the name of the value in help
	Default string // "" when there is none
	Text    string // what it does
	Choices []string
	Repeats bool // may be given several times
	Hidden  bool
	Root    bool // one that every tool has

	words  []string // values that may stick to the short flag
	kind   reflect.Kind
	option *flags.Option
}

// rootOptions are the flags of every tool.
type rootOptions struct {
	ClaudeHome string `long:"claude-home" value-name:"DIR" description:"the Claude Code home to read; without it $CLAUDE_CONFIG_DIR, else .claude in the home directory"`
	Crossings  string `long:"cross-compactions" value-name:"N|all" description:"how many compaction boundaries the walk up the conversation may cross; 0 is how Claude Code itself reads; for the verbs that walk it" default:"all"`
	Format     string `long:"format" value-name:"text|json" description:"how to answer; without it $CSIFT_FORMAT, else rows when a small binary writes into a pipe, else text"`
	Help       bool   `long:"help" short:"h" description:"print this help"`
	Version    bool   `long:"version" description:"print the version"`
}

// bind reads the flags of an options struct and of rootOptions from their tags. The
// values go straight into the structs when a flag is set.
func bind(opts any, root *rootOptions) ([]*Flag, error) {
	// go-flags would answer a completion request of its own and exit.
	os.Unsetenv("GO_FLAGS_COMPLETION")
	p := flags.NewNamedParser(FrontName, flags.None)
	if opts != nil {
		if _, err := p.AddGroup("tool", "", opts); err != nil {
			return nil, err
		}
	}
	if _, err := p.AddGroup("root", "", root); err != nil {
		return nil, err
	}
	if _, err := p.ParseArgs(nil); err != nil { // puts the defaults in place
		return nil, err
	}
	var all []*Flag
	for i, g := range p.Groups() {
		all = addGroup(all, g, i == len(p.Groups())-1)
	}
	seen := map[string]bool{}
	for _, f := range all {
		for _, name := range []string{"--" + f.Long, "-" + f.Short} {
			if seen[name] && strings.Trim(name, "-") != "" {
				return nil, fmt.Errorf("flag %s is declared twice", name)
			}
			seen[name] = true
		}
	}
	return all, nil
}

func addGroup(all []*Flag, g *flags.Group, root bool) []*Flag {
	for _, o := range g.Options() {
		t := o.Field().Type
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		f := &Flag{
			Long: o.LongName, Value: o.ValueName, Default: strings.Join(o.Default, ","),
			Text: o.Description, Choices: o.Choices, Hidden: o.Hidden, Root: root,
			Repeats: t.Kind() == reflect.Slice, option: o, kind: t.Kind(),
		}
		if o.ShortName != 0 {
			f.Short = string(o.ShortName)
		}
		if f.Repeats {
			t = t.Elem()
			f.kind = t.Kind()
		}
		f.Takes = t.Kind() != reflect.Bool
		if f.Takes && f.Value == "" {
			f.Value = strings.ToUpper(f.Long)
			if len(f.Choices) > 0 {
				f.Value = strings.Join(f.Choices, "|")
			}
		}
		if w := o.Field().Tag.Get("words"); w != "" {
			f.words = strings.Split(w, ",")
		}
		all = append(all, f)
	}
	for _, sub := range g.Groups() {
		all = addGroup(all, sub, root)
	}
	return all
}

// apply puts one setting into its struct.
func (s setting) apply() error {
	if !s.flag.Takes {
		return s.flag.option.Set(nil)
	}
	// An empty value is most often a variable that was not set: to ignore it would answer another question.
	if s.value == "" && s.flag.kind == reflect.String && s.flag.Long != "claude-home" {
		return Usagef("%s needs a value: %s %s", s.typed, s.typed, s.flag.Value)
	}
	value, err := s.number()
	if err != nil {
		return err
	}
	err = s.flag.option.Set(&value)
	if err == nil {
		return nil
	}
	var fe *flags.Error
	if errors.As(err, &fe) && fe.Type == flags.ErrInvalidChoice {
		return Usagef("%s takes %s, not %q", s.typed, orList(s.flag.Choices), s.value)
	}
	return &failure{err: fmt.Errorf("%s %s: %w", s.typed, s.value, err), code: ExitUsage, hints: hintsOf(err)}
}

// number checks the value of a flag that takes a whole number and returns it in plain
// decimal: Go's own syntax would let 0x10 and 1_000 through and read 010 as eight. The
// value of any other flag comes back as it is.
func (s setting) number() (string, error) {
	var least string
	switch s.flag.kind {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		least = " from 0 up"
	default:
		return s.value, nil
	}
	if t := s.flag.option.Field().Type; t.Implements(unmarshaler) || reflect.PointerTo(t).Implements(unmarshaler) {
		return s.value, nil
	}
	digits := strings.TrimPrefix(s.value, "+")
	if least == "" {
		digits = strings.TrimPrefix(digits, "-")
	}
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return "", Usagef("%s needs a whole number%s, not %q", s.typed, least, s.value)
	}
	n, err := strconv.ParseInt(s.value, 10, 64)
	if err != nil {
		return "", Usagef("%s %s: the number is too large", s.typed, s.value)
	}
	return strconv.FormatInt(n, 10), nil
}

var unmarshaler = reflect.TypeFor[flags.Unmarshaler]()

// orList says "a, b or c".
func orList(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}

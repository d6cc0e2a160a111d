package match

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxPattern bounds the pattern text. The parser's own limits (repeat counts,
// nesting, total size) bound what a short pattern may expand to.
const maxPattern = 16 << 10

// parse reads a pattern of our dialect and gives it as one of package
// regexp/syntax with the same meaning, flags included, and its tree.
func parse(pattern string, o Options) (string, *syntax.Regexp, error) {
	if len(pattern) > maxPattern {
		return "", nil, fmt.Errorf("the pattern is %d bytes long; the limit is %d", len(pattern), maxPattern)
	}
	var body string
	var upper bool
	if o.Fixed {
		// The text searched has U+FFFD wherever bytes were not UTF-8.
		body = validUTF8(pattern)
		upper = strings.ContainsFunc(body, unicode.IsUpper)
		body = regexp.QuoteMeta(body)
	} else {
		t := translator{src: pattern}
		if err := t.run(); err != nil {
			return "", nil, fmt.Errorf("pattern `%s`: %w", pattern, err)
		}
		body, upper = t.out.String(), t.upper
	}
	flags := ""
	if o.IgnoreCase || !upper {
		flags += "i"
	}
	if o.Multiline {
		flags += "sm"
	}
	if flags != "" {
		body = "(?" + flags + ")" + body
	}
	re, err := syntax.Parse(body, syntax.Perl)
	if err != nil {
		return "", nil, fmt.Errorf("pattern `%s`: %w", pattern, explain(pattern, err))
	}
	return body, re, nil
}

// explain words the parser's error about a translated pattern, and prefers what
// the parser says of the pattern as typed.
func explain(typed string, err error) error {
	var e *syntax.Error
	if _, err2 := syntax.Parse(typed, syntax.Perl); errors.As(err2, &e) {
		if e.Code != syntax.ErrInvalidEscape || !strings.HasPrefix(e.Expr, `\u`) && !strings.HasPrefix(e.Expr, `\U`) {
			err = err2
		}
	}
	if !errors.As(err, &e) {
		return err
	}
	switch {
	case e.Code == syntax.ErrInvalidRepeatOp && strings.HasSuffix(e.Expr, "+"):
		return fmt.Errorf("possessive repetition `%s` is not supported: %s", e.Expr, linear)
	case e.Expr == "":
		return errors.New(string(e.Code))
	}
	return fmt.Errorf("%s: `%s`", e.Code, e.Expr)
}

func validUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s)) // one U+FFFD a byte
}

func sortedUnique(r []rune) []rune {
	slices.Sort(r)
	return slices.Compact(r)
}

// A translator reads the pattern token by token. It rewrites what means
// something else to regexp/syntax, refuses what that package lacks with words
// of our own, and passes everything else through for the parser to judge.
type translator struct {
	src   string
	pos   int
	out   strings.Builder
	upper bool // the pattern spells an upper-case letter
}

const linear = "the dialect is RE2, which matches in linear time"

func (t *translator) run() error {
	for t.pos < len(t.src) {
		var err error
		switch t.src[t.pos] {
		case '\\':
			err = t.escape(false)
		case '[':
			err = t.class()
		case '(':
			err = t.group()
		default:
			t.literal()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// take copies n bytes through.
func (t *translator) take(n int) {
	n = min(n, len(t.src)-t.pos)
	t.out.WriteString(t.src[t.pos : t.pos+n])
	t.pos += n
}

// literal copies one character through and returns it.
func (t *translator) literal() rune {
	r, n := utf8.DecodeRuneInString(t.src[t.pos:])
	t.spell(r)
	t.take(n)
	return r
}

// spell notes that the pattern spells the character r.
func (t *translator) spell(r rune) {
	if unicode.IsUpper(r) {
		t.upper = true
	}
}

func (t *translator) rest() string { return t.src[t.pos:] }

// replace writes s in place of n bytes of the source.
func (t *translator) replace(n int, s string) {
	t.out.WriteString(s)
	t.pos += n
}

// escape handles a backslash, inside a bracket class or outside.
func (t *translator) escape(inClass bool) error {
	s := t.rest()
	if len(s) < 2 {
		t.take(1)
		return nil
	}
	wrap := func(set string) string {
		if inClass {
			return set
		}
		return "[" + set + "]"
	}
	switch c := s[1]; c {
	case 'd':
		t.replace(2, wrap(digitSet))
	case 'D':
		t.replace(2, wrap(notDigitSet))
	case 's':
		t.replace(2, wrap(spaceSet))
	case 'S':
		t.replace(2, wrap(notSpaceSet()))
	case 'w':
		t.replace(2, wrap(wordSet))
	case 'W':
		if inClass {
			t.replace(2, notWordSet())
		} else {
			t.replace(2, "[^"+wordSet+"]")
		}
	case 'p', 'P':
		n := 3
		if len(s) > 2 && s[2] == '{' {
			if k := strings.IndexByte(s, '}'); k >= 0 {
				n = k + 1
			}
		} else if len(s) > 2 {
			_, w := utf8.DecodeRuneInString(s[2:])
			n = 2 + w
		}
		t.take(n)
	case 'Q':
		if inClass {
			t.take(2)
			return nil
		}
		text, _, closed := strings.Cut(s[2:], `\E`)
		for _, r := range text {
			t.spell(r)
		}
		n := 2 + len(text)
		if closed {
			n += 2
		}
		t.take(n)
	case 'x', 'u', 'U':
		t.hexEscape()
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return t.octalEscape()
	case 'k', 'g':
		return fmt.Errorf("backreference `\\%c` is not supported: %s", c, linear)
	case 'b', 'B', 'A', 'z', 'Z', 'E', 'C', 'a', 'f', 't', 'n', 'r', 'v':
		t.take(2) // names of things, not letters spelt
	default:
		t.take(1)
		t.literal()
	}
	return nil
}

// hexEscape handles \x41 and \x{41}, and \u0041 \u{41} \U00000041, which
// regexp/syntax lacks. A malformed one passes through for the parser to refuse.
func (t *translator) hexEscape() {
	s := t.rest()
	digits, n := "", 0
	if len(s) > 2 && s[2] == '{' {
		k := strings.IndexByte(s, '}')
		if k < 0 {
			t.take(2)
			return
		}
		digits, n = s[3:k], k+1
	} else {
		w := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[1]]
		if len(s) < 2+w {
			t.take(2)
			return
		}
		digits, n = s[2:2+w], 2+w
	}
	v, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || v > unicode.MaxRune {
		t.take(2)
		return
	}
	t.spell(rune(v))
	t.replace(n, fmt.Sprintf(`\x{%x}`, v))
}

// octalEscape handles \0 to \777; what would be a backreference is refused.
func (t *translator) octalEscape() error {
	s := t.rest()
	n := 1
	for n < 4 && n < len(s) && s[n] >= '0' && s[n] <= '7' {
		n++
	}
	if s[1] != '0' && n < 3 {
		return fmt.Errorf("backreference `%s` is not supported: %s", s[:2], linear)
	}
	v, _ := strconv.ParseUint(s[1:n], 8, 32)
	t.spell(rune(v))
	t.take(n)
	return nil
}

// class handles a bracket class.
func (t *translator) class() error {
	t.take(1)
	if strings.HasPrefix(t.rest(), "^") {
		t.take(1)
	}
	for first := true; t.pos < len(t.src); first = false {
		s := t.rest()
		switch {
		case s[0] == ']' && !first:
			t.take(1)
			return nil
		case strings.HasPrefix(s, "[:"):
			if k := strings.Index(s[2:], ":]"); k >= 0 {
				t.take(k + 4)
			} else {
				t.literal()
			}
		case strings.HasPrefix(s, "&&"), strings.HasPrefix(s, "~~"), strings.HasPrefix(s, "--") && !first:
			return fmt.Errorf("the class set operation `%s` is not supported: spell the class out, or escape the characters", s[:2])
		case s[0] == '\\':
			if err := t.escape(true); err != nil {
				return err
			}
		default:
			t.literal()
		}
	}
	return nil // unclosed; the parser says so
}

// group handles an opening parenthesis and what may follow it.
func (t *translator) group() error {
	s := t.rest()
	if !strings.HasPrefix(s, "(?") {
		t.take(1)
		return nil
	}
	for _, g := range []struct{ open, what string }{
		{"(?=", "look-ahead"},
		{"(?!", "negative look-ahead"},
		{"(?<=", "look-behind"},
		{"(?<!", "negative look-behind"},
		{"(?>", "the atomic group"},
		{"(?P=", "the backreference"},
		{"(?P>", "the recursive call"},
		{"(?R", "recursion"},
		{"(?&", "the recursive call"},
		{"(?(", "the conditional"},
		{"(?|", "the branch reset group"},
		{"(?#", "the comment group"},
	} {
		if strings.HasPrefix(s, g.open) {
			return fmt.Errorf("%s `%s` is not supported: %s", g.what, g.open, linear)
		}
	}
	for _, open := range []string{"(?P<", "(?<"} {
		if strings.HasPrefix(s, open) {
			if k := strings.IndexByte(s, '>'); k >= 0 {
				t.take(k + 1)
				return nil
			}
		}
	}
	n := 2
	for n < len(s) && (s[n] == '-' || s[n] >= 'A' && s[n] <= 'Z' || s[n] >= 'a' && s[n] <= 'z') {
		n++
	}
	if on, _, _ := strings.Cut(s[2:n], "-"); strings.Contains(on, "x") {
		return errors.New("the flag `x` (verbose mode) is not supported: write the pattern without the blanks and comments")
	}
	t.take(n)
	return nil
}

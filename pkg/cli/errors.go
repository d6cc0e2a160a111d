package cli

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Exit codes. 124 belongs to wait, 126 and 127 to the multiplexer.
const (
	ExitOK      = 0
	ExitFailure = 1
	ExitUsage   = 2
)

// failure is an error that knows its exit code and its hints.
type failure struct {
	err   error // nil: nothing more to print
	code  int
	hints []string
}

func (f *failure) Error() string {
	if f.err == nil {
		return fmt.Sprintf("exit status %d", f.code)
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

// Usagef returns an error of how the tool was called: exit status 2. Its words are
// lower case without a period, as for Errorf.
func Usagef(format string, a ...any) error {
	return &failure{err: fmt.Errorf(format, a...), code: ExitUsage}
}

// Errorf returns an error of what was found on the way: exit status 1.
func Errorf(format string, a ...any) error {
	return &failure{err: fmt.Errorf(format, a...), code: ExitFailure}
}

// CannotRead is the error of a file that cannot be read, with the innermost cause of err: what stands around it names
// the path again.
func CannotRead(path string, err error) error {
	for {
		var outer interface{ Unwrap() error }
		if !errors.As(err, &outer) || outer.Unwrap() == nil {
			return Errorf("cannot read %s: %w", path, err)
		}
		err = outer.Unwrap()
	}
}

// Usage marks err as one of how the tool was called. It keeps nil.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return &failure{err: err, code: ExitUsage, hints: hintsOf(err)}
}

// WithHint adds lines that say what to do about err. It keeps nil.
func WithHint(err error, hints ...string) error {
	if err == nil {
		return nil
	}
	return &failure{err: err, code: codeOf(err), hints: append(hintsOf(err), hints...)}
}

// Exit returns an error that prints nothing and ends the program with code.
func Exit(code int) error { return &failure{code: code} }

// ErrPartial ends the program with 1 after everything has been said: part of what was
// asked could not be answered, and Env.Fail told which.
var ErrPartial = Exit(ExitFailure)

// codeOf returns the exit code of err: that of the outermost error that has one, also
// by a method ExitCode() int of packages below, else 1.
func codeOf(err error) int {
	var f *failure
	if errors.As(err, &f) {
		return f.code
	}
	var c interface{ ExitCode() int }
	if errors.As(err, &c) {
		return c.ExitCode()
	}
	return ExitFailure
}

// hintsOf returns the hints of err, also those of a method Hints() []string.
func hintsOf(err error) []string {
	var f *failure
	if errors.As(err, &f) {
		return append([]string(nil), f.hints...)
	}
	var h interface{ Hints() []string }
	if errors.As(err, &h) {
		return append([]string(nil), h.Hints()...)
	}
	return nil
}

// silent reports whether err has been told already.
func silent(err error) bool {
	var f *failure
	return errors.As(err, &f) && f.err == nil
}

// describe returns the lines that tell err: "prog: words", then "prog: hint: words".
func describe(prog string, err error) string {
	var b strings.Builder
	writeTold(&b, prog, err.Error())
	for _, h := range hintsOf(err) {
		writeTold(&b, prog, "hint: "+h)
	}
	return b.String()
}

// writeTold prints one message. Its further lines are indented, so that whoever reads
// the stream line by line sees where the next message starts.
func writeTold(b *strings.Builder, prog, msg string) {
	msg = strings.TrimRight(msg, "\n")
	for i, line := range strings.Split(msg, "\n") {
		if i == 0 {
			b.WriteString(prog + ": ")
		} else {
			b.WriteString("  ")
		}
		b.WriteString(visible(line) + "\n")
	}
}

// visible spells out what a terminal would act on: control characters, and the ones
// that reorder text. Messages quote what files and arguments hold.
func visible(s string) string {
	clean := true
	for _, r := range s {
		if mustShow(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case mustShow(r) && r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case mustShow(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func mustShow(r rune) bool {
	return r == utf8.RuneError || unicode.IsControl(r) && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
}

// Code gives err an exit code of its own. It keeps nil.
func Code(code int, err error) error {
	if err == nil {
		return nil
	}
	return &failure{err: err, code: code, hints: hintsOf(err)}
}

package replay

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// script makes events by choices, on a file that it changes alongside. check is called after each event with what may be
// asserted then.
type script struct {
	choice
	*disk
	quiet   bool // the file only changes as the transcript tells
	dirty   bool // it changed in a way that what was seen since does not tell
	taint   bool // what states no line numbers was put into lines that may be stale
	endings bool // its line endings may have changed unseen
}

func (s *script) step() {
	c := s.choice
	original := !c.odds(3)
	switch c(24) {
	case 0, 1:
		s.read(1, 0)
		s.clean()
	case 2, 3, 4, 5:
		s.read(1+c(12), 1+c(6))
	case 6:
		s.capped(c)
	case 7:
		s.write(c.file(14), Write, original)
		s.clean()
		s.endings = false
	case 8:
		s.write(c.file(8), ShellWrite, false)
		s.clean()
		s.endings = false
	case 9:
		add := c.lines(3) + c.one("", "\n", "\n")
		s.say(Event{Kind: ShellAppend, HasText: true, Text: add})
		s.set(s.text + add)
		s.taint = s.taint || s.dirty
	case 10:
		s.cats()
	case 11:
		s.announced()
	case 12:
		s.rise()
	case 13:
		s.say(Event{Kind: Failed, Note: "string_not_found"})
	case 14:
		s.say(Event{Kind: Read, Count: 3, Total: 9, Start: 1})
	case 15:
		if !s.quiet {
			s.unannounced()
		}
	case 16:
		if !s.quiet {
			s.say(Event{Kind: Mutation})
			s.unannounced()
		}
	default:
		s.edits(original)
	}
}

// clean says that all that is known was seen as it is now.
func (s *script) clean() { s.dirty, s.taint = false, false }

func (s *script) edits(original bool) {
	c := s.choice
	var edits []Replacement
	for range 1 + c(4)/3*c(3) {
		edits = append(edits, Replacement{Old: s.some(c), New: c.one("", c.lines(3), c.lines(3), c.lines(2)+"\n"), All: c.odds(4)})
	}
	patch := !c.odds(6)
	if !s.edit(edits, original, patch) {
		return
	}
	if edits[0].Old == "" {
		s.clean()
	} else if original {
		s.dirty = false
	} else if !patch && s.dirty {
		s.taint = true
	}
}

func (s *script) cats() {
	c := s.choice
	switch c(3) {
	case 0:
		s.cat(1, 0) // which shows no blank lines at either end, so it does not make a dirty file clean
	case 1:
		s.cat(1, 1+c(10))
	case 2:
		s.cat(1+c(9), 1+c(8))
	}
}

func (s *script) announced() {
	s.change()
	s.say(Event{Kind: []Kind{Rejected, Hint, External, Notebook}[s.choice(4)]})
	s.clean()
	s.endings = false
}

func (s *script) unannounced() {
	was := s.text
	s.change()
	s.dirty = true
	s.endings = s.endings || strings.Contains(was+s.text, "\r")
}

// change is what another program does.
func (s *script) change() {
	c := s.choice
	parts := strings.Split(s.text, "\n")
	switch at := c(len(parts)); c(4) {
	case 0:
		s.set(c.file(12))
	case 1:
		parts[at] = c.one(words...)
		s.set(strings.Join(parts, "\n"))
	case 2:
		s.set(strings.Join(append(parts[:at:at], append([]string{c.one(words...)}, parts[at:]...)...), "\n"))
	case 3:
		s.set(strings.Join(append(parts[:at:at], parts[at+1:]...), "\n"))
	}
}

// rise tells what the file history saw.
func (s *script) rise() {
	if s.ver == 0 || s.odds(8) {
		s.ver = 1
	} else if s.bumped {
		s.ver++
	}
	s.bumped = false
	e := Event{Kind: History, Version: s.ver}
	if s.odds(2) {
		e.Text, e.HasText = s.text, true
	}
	s.say(e)
}

// check compares all that the buffer asserts with the file. The invariant is the one of the package comment.
func (s *script) check(r *Result) error {
	b := r.Buffer
	// A hard boundary at the last event means that all that is known was seen after the file changed.
	if n := len(r.Boundaries); n > 0 && r.Boundaries[n-1].Hard && r.Boundaries[n-1].At.Line == len(s.events) {
		s.clean()
	}
	exact := b.EndingsKnown() && !s.endings
	text := s.text
	if !exact {
		text = strings.TrimSuffix(unix(text), "\r")
	}
	norm := func(line string) string {
		if exact {
			return line
		}
		return strings.TrimSuffix(line, "\r")
	}
	parts := below(text, b)
	for k := 1; k <= b.n; k++ {
		line, ok := b.at(k)
		switch {
		case !ok, s.taint:
		case s.dirty:
			if !s.seen[strings.TrimSuffix(line, "\r")] {
				return fmt.Errorf("line %d is %q, which the file never held", k, line)
			}
		case k > len(parts):
			return fmt.Errorf("line %d of %d is %q", k, len(parts), line)
		case norm(line) != parts[k-1]:
			return fmt.Errorf("line %d is %q, not %q", k, line, parts[k-1])
		}
	}
	if s.dirty {
		return nil
	}
	if b.tail == blankRest {
		if rest := strings.Join(parts[min(b.n, len(parts)):], ""); strings.TrimSpace(rest) != "" {
			return fmt.Errorf("%q behind the whole", rest)
		}
	} else if n, known := b.Seen(); known && n != len(parts) && n != len(parts)-1 && (b.Placed() || n != strings.Count(text, "\n")+1) {
		return fmt.Errorf("%d lines, not %d", n, len(parts))
	}
	if yes, known := b.FinalNewline(); known && yes != strings.HasSuffix(text, "\n") {
		return fmt.Errorf("final newline %v", yes)
	}
	got, complete := b.Bytes()
	if complete != b.Complete() {
		return fmt.Errorf("complete %v, bytes %v", b.Complete(), complete)
	}
	if complete && !exact {
		got = []byte(strings.TrimSuffix(unix(string(got)), "\r"))
	}
	if complete && string(got) != text {
		return fmt.Errorf("complete: %q, not %q", got, text)
	}
	return nil
}

func (s *script) dump() string {
	var out strings.Builder
	for i, e := range s.events {
		fmt.Fprintf(&out, "%d %q\n   kind %d %q start %d count %d total %d edits %q original %v %q cut %v v%d\n", i+1, s.before[i],
			e.Kind, e.Text, e.Start, e.Count, e.Total, fmt.Sprint(e.Edits), e.HasOriginal, e.Original, e.Cut, e.Version)
		for _, h := range e.Hunks {
			fmt.Fprintf(&out, "   %d,%d %d,%d %q\n", h.OldStart, h.OldLines, h.NewStart, h.NewLines, h.Lines)
		}
	}
	fmt.Fprintf(&out, "now %q\n", s.text)
	return out.String()
}

// play makes n steps and checks after each event.
func (s *script) play(n int) error {
	for range n {
		was := len(s.events)
		s.step()
		if len(s.events) == was {
			continue
		}
		r := Run(s.events, Options{Segments: true})
		if err := s.check(r); err != nil {
			return fmt.Errorf("%w\n%s%s", err, s.dump(), show(r.Buffer))
		}
		if err := s.segments(r); err != nil {
			return fmt.Errorf("%w\n%s%s", err, s.dump(), show(r.Buffer))
		}
	}
	return nil
}

// below gives the parts of a file as far as the numbers of b tell: without the blank lines that stand above what a command
// printed.
func below(text string, b *Buffer) []string {
	parts := strings.Split(text, "\n")
	for !b.Placed() && len(parts) > 0 && strings.TrimSpace(parts[0]) == "" {
		parts = parts[1:]
	}
	return parts
}

// segments checks what --patches would print.
func (s *script) segments(r *Result) error {
	for _, g := range r.Segments {
		patch := Diff("a", "b", g.Before, g.After)
		if err := fitsPatch(patch, g.Before, g.After); err != nil {
			return fmt.Errorf("segment %d: %w\n%s", g.Index, err, patch)
		}
		a, ok := g.Before.Bytes()
		b, ok2 := g.After.Bytes()
		if ok && ok2 {
			if got := patched(string(a), patch); got != string(b) {
				return fmt.Errorf("segment %d: patched %q, not %q\n%s", g.Index, got, b, patch)
			}
		}
		if !s.quiet {
			continue
		}
		parts := below(unix(s.before[g.First.Line-1]), g.After)
		for k := 1; k <= g.Before.n; k++ {
			if line, ok := g.Before.at(k); ok && (k > len(parts) || strings.TrimSuffix(line, "\r") != strings.TrimSuffix(parts[k-1], "\r")) {
				return fmt.Errorf("segment %d began with line %d %q: %q", g.Index, k, line, parts)
			}
		}
	}
	return nil
}

// fitsPatch checks every line of a patch against the buffers, by its number.
func fitsPatch(patch string, before, after *Buffer) error {
	a, b := 0, 0
	for _, l := range strings.Split(patch, "\n") {
		switch {
		case strings.HasPrefix(l, "@@ "):
			f := strings.Fields(l)
			num := func(s string) int {
				from, n, _ := strings.Cut(s[1:], ",")
				if n == "0" {
					return atoi(from) + 1
				}
				return atoi(from)
			}
			a, b = num(f[1]), num(f[2])
		case l == "", strings.HasPrefix(l, "--- "), strings.HasPrefix(l, "+++ "), l[0] == '\\':
		default:
			if l[0] != '+' {
				if got, ok := before.Known(a); !ok || got != l[1:] {
					return fmt.Errorf("%q is not line %d of the old side", l, a)
				}
				a++
			}
			if l[0] != '-' {
				if got, ok := after.Known(b); !ok || got != l[1:] {
					return fmt.Errorf("%q is not line %d of the new side", l, b)
				}
				b++
			}
		}
	}
	return nil
}

func show(b *Buffer) string {
	var out strings.Builder
	for k := 1; k <= b.n; k++ {
		s, ok := b.at(k)
		fmt.Fprintf(&out, "  %d %q %v\n", k, s, ok)
	}
	fmt.Fprintf(&out, "  tail %d anchor %s stated %v\n", b.tail, b.anchor, b.stated)
	return out.String()
}

func newScript(c choice, quiet bool) *script {
	s := &script{choice: c, disk: &disk{seen: map[string]bool{}}, quiet: quiet}
	s.set(c.file(16))
	return s
}

// seeds gives how many random scripts to play: n, fewer with -short, as many as REPLAY_SEEDS says.
func seeds(n int) uint64 {
	if s := os.Getenv("REPLAY_SEEDS"); s != "" {
		n = atoi(s)
	} else if testing.Short() {
		n /= 5
	}
	return uint64(n)
}

func TestProperty(t *testing.T) {
	for seed := range seeds(800) {
		rng := rand.New(rand.NewPCG(seed, 5))
		s := newScript(rng.IntN, seed%2 == 0)
		if err := s.play(25); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

package replay

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// bytesChoice makes choices of bytes, and zeros when they are used up.
func bytesChoice(data []byte) choice {
	return func(n int) int {
		if len(data) == 0 {
			return 0
		}
		v := int(data[0])
		data = data[1:]
		if n > 256 && len(data) > 0 {
			v, data = v<<8|int(data[0]), data[1:]
		}
		return v % n
	}
}

// direct plays only what shows or states the whole file, and edits: after each event the file must be known byte for byte.
func (s *script) direct(n int) error {
	s.read(1, 0)
	for range n {
		c := s.choice
		was := len(s.events)
		original := !c.odds(3)
		switch c(8) {
		case 0:
			s.read(1, 0)
		case 1:
			s.write(c.file(14), Write, original)
		case 2:
			s.write(c.file(8), ShellWrite, false)
		case 3:
			if s.text == "" || strings.HasSuffix(s.text, "\n") {
				add := c.lines(3) + "\n"
				s.say(Event{Kind: ShellAppend, HasText: true, Text: add})
				s.set(s.text + add)
			}
		case 4:
			s.say(Event{Kind: Failed, Note: "string_not_found"})
		case 5:
			s.rise()
		default:
			s.edits(original)
		}
		if len(s.events) == was {
			continue
		}
		r := Run(s.events, Options{Segments: true})
		err := s.check(r)
		if err == nil && !r.Buffer.Complete() {
			err = fmt.Errorf("not complete")
		}
		if err == nil && r.Hard() > 0 {
			err = fmt.Errorf("a change is told of: %+v", r.Boundaries)
		}
		if err == nil {
			err = s.segments(r)
		}
		if err != nil {
			return fmt.Errorf("%w\n%s%s", err, s.dump(), show(r.Buffer))
		}
	}
	return nil
}

// anything makes events that no client would write.
func anything(c choice, n int) []Event {
	var events []Event
	number := func() int { return c(9) - 1 }
	for range n {
		e := Event{Kind: Kind(c(int(Failed) + 2)), Text: c.one("", "a", c.lines(5), c.lines(5)+"\n"), HasText: !c.odds(5), Start: number(),
			Count: number(), Total: number(), Cut: c.odds(4), Original: c.lines(4), HasOriginal: c.odds(3), Stale: c.odds(9),
			Create: c.odds(5), Version: c(4), Note: "n"}
		for range c(3) {
			e.Edits = append(e.Edits, Replacement{c.one("", "a", c.lines(3)), c.lines(3), c.odds(2)})
		}
		for range c(3) {
			h := Hunk{OldStart: number(), OldLines: c(4), NewStart: number(), NewLines: c(4)}
			for range c(6) {
				h.Lines = append(h.Lines, c.one(" ", "-", "+", "\\", "", "x")+c.one(words...))
			}
			if !c.odds(4) {
				h.OldLines, h.NewLines = 0, 0
				for _, l := range h.Lines {
					if !strings.HasPrefix(l, "+") && !strings.HasPrefix(l, "\\") {
						h.OldLines++
					}
					if !strings.HasPrefix(l, "-") && !strings.HasPrefix(l, "\\") {
						h.NewLines++
					}
				}
			}
			e.Hunks = append(e.Hunks, h)
		}
		e.At = Place{Line: len(events) + c(2), SourceLine: len(events), Session: c.one("s", "t"), OrderTurn: c(4)}
		events = append(events, e)
	}
	return events
}

// sound checks the inside of a buffer.
func sound(b *Buffer) error {
	n, wasGap := 0, false
	for i, r := range b.runs {
		cr := 0
		for _, s := range r.lines {
			if strings.Contains(s, "\n") {
				return fmt.Errorf("run %d holds a newline", i)
			}
			if strings.HasSuffix(s, "\r") {
				cr++
			}
		}
		if r.n == 0 || r.lines != nil && len(r.lines) != r.n || cr != r.cr || r.lines == nil && wasGap {
			return fmt.Errorf("run %d is %+v", i, r)
		}
		n, wasGap = n+r.n, r.lines == nil
	}
	if n != b.n || b.tail == atEnd && n == 0 {
		return fmt.Errorf("%d parts, not %d", n, b.n)
	}
	return nil
}

func playAnything(c choice) error {
	events := anything(c, 12)
	opt := Options{Segments: true, Cutoff: Cutoff{Line: c(20)}}
	if c.odds(4) {
		opt.Keep = InTurns(c(3), 3)
	}
	r := Run(events, opt)
	if err := sound(r.Buffer); err != nil {
		return fmt.Errorf("%w: %+v", err, events)
	}
	for _, g := range r.Segments {
		for _, b := range []*Buffer{g.Before, g.After} {
			if err := sound(b); err != nil {
				return fmt.Errorf("segment %d: %w: %+v", g.Index, err, events)
			}
		}
		if err := fitsPatch(Diff("a", "b", g.Before, g.After), g.Before, g.After); err != nil {
			return fmt.Errorf("segment %d: %w", g.Index, err)
		}
	}
	return nil
}

func FuzzReplay(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 2))
	for mode := range byte(4) {
		seed := []byte{mode}
		for range 400 {
			seed = append(seed, byte(rng.IntN(256)))
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := bytesChoice(data)
		var err error
		switch mode := c(4); mode {
		case 0:
			err = newScript(c, true).direct(12)
		case 3:
			err = playAnything(c)
		default:
			err = newScript(c, mode == 1).play(12)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestDirect(t *testing.T) {
	for seed := range seeds(800) {
		rng := rand.New(rand.NewPCG(seed, 7))
		if err := newScript(rng.IntN, true).direct(20); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func TestAnything(t *testing.T) {
	for seed := range seeds(3000) {
		rng := rand.New(rand.NewPCG(seed, 9))
		if err := playAnything(rng.IntN); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

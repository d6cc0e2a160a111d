package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"csift/pkg/row"
	"csift/pkg/stdio"
)

// These end all that is said about a missing upstream.
const (
	everyProject = "for every project say @all"
	awaitRows    = "to wait for rows say -"
	// An upstream that printed no id cannot be told from one that died; whoever means a list says so.
	mayBeEmpty = "a list of ids that may be empty (-l): --sessions-from -"
)

// elsewhere says what a target may be instead of standard input.
func (e *Env) elsewhere() string {
	if e.tool != nil && e.tool.OneTarget {
		return "records are named by " + e.Command(e.tool.Name) + " @ID:LINES, @ID:tTURNS"
	}
	return everyProject
}

// Targets takes the "-" out of target words and reads what they want from standard
// input, by the table of Input. others is true when the scope is named in another way
// as well, by --sessions-from for example: then no word does not mean a guess.
func (e *Env) Targets(ctx context.Context, words []string, others bool) (rest []string, src *row.Source, err error) {
	explicit := false
	for _, w := range words {
		if w == "-" {
			explicit = true
		} else {
			rest = append(rest, w)
		}
	}
	if !explicit && (len(rest) > 0 || others) {
		return rest, nil, nil
	}
	src, err = e.Input(ctx, explicit)
	return rest, src, err
}

// Input reads targets from standard input when it should. explicit means that "-" was
// among the targets: then stdin is read whatever it is. Without it, and without any
// other target, a pipe on stdin is taken for an upstream, unless the verb needs "-":
//
//	stdin                       "-"    no target
//	pipe                        read   read; NeedsDash: not read
//	file at offset 0, not empty read   not read, and a note says so
//	terminal, null, socket      read   not read
//
// It returns nil, nil when stdin is not to be read. Whatever is wrong with what was
// read but left an answer is noted, and a torn or damaged stream makes the program end
// with 1.
func (e *Env) Input(ctx context.Context, explicit bool) (*row.Source, error) {
	kind := stdio.KindOf(e.sys.Stdin)
	if !explicit {
		switch {
		case e.tool == nil || !e.tool.StdinTargets:
			return nil, nil
		case stdio.Unread(e.sys.Stdin) > 0:
			e.Note("stdin is a file and was not read; to read it say -")
			return nil, nil
		case kind != stdio.FIFO || e.tool.NeedsDash:
			return nil, nil
		}
	}
	in, err := e.openStdin("-", !explicit)
	if err != nil {
		return nil, err
	}
	defer in.stop()
	src, err := row.Read(in)
	if err != nil {
		return nil, e.inputError(err, explicit)
	}
	e.tellSource(&src)
	return &src, nil
}

// SessionList reads the ids of --sessions-from: a file, or standard input for "-".
// Ids are separated by blanks or line ends; rows and text answers of csift do as well.
// Each comes back as a target word (@id). A list without ids is empty and no error:
// the scope is empty then.
func (e *Env) SessionList(ctx context.Context, path string) ([]string, error) {
	var r io.Reader
	if path == "-" {
		in, err := e.openStdin("--sessions-from -", false)
		if err != nil {
			return nil, err
		}
		r = in
	} else {
		f, err := os.Open(path)
		if err != nil {
			return nil, CannotRead(path, err)
		}
		defer f.Close()
		r = f
	}
	src, err := row.ReadList(r)
	if err != nil {
		return nil, Errorf("--sessions-from %s: %w", path, err)
	}
	e.tellSource(&src)
	e.listed = &src
	words := []string{}
	seen := map[string]bool{}
	for _, it := range src.Items {
		if w := it.Word(); !seen[w] {
			seen[w] = true
			words = append(words, w)
		}
	}
	return words, nil
}

// Listed gives what SessionList read, for what was amiss in it; nil before that.
func (e *Env) Listed() *row.Source { return e.listed }

// ReadStdin reads all of standard input for a flag that named it; by is how it was said: "--files-from -".
func (e *Env) ReadStdin(by string) ([]byte, error) {
	in, err := e.openStdin(by, false)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(in)
	if err != nil {
		return nil, Errorf("cannot read stdin: %w", cause(err))
	}
	return b, nil
}

// openStdin hands out standard input, once: by is the word or flag that wants it.
func (e *Env) openStdin(by string, guess bool) (*patientReader, error) {
	if e.stdinUsed != "" {
		return nil, Usagef("stdin is read once, and both %s and %s want it", e.stdinUsed, by)
	}
	e.stdinUsed = by
	if e.sys.Stdin == nil {
		return nil, Errorf("cannot read stdin: it is closed")
	}
	in := &patientReader{r: e.sys.Stdin}
	if guess && e.sys.Patience > 0 {
		in.timer = time.AfterFunc(e.sys.Patience, func() {
			e.aside("waiting for rows on stdin; " + e.elsewhere() + ", " + awaitRows)
		})
	}
	return in, nil
}

// patientReader stops its timer with the first byte, or the end.
type patientReader struct {
	r     io.Reader
	timer *time.Timer
	once  sync.Once
}

func (p *patientReader) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if n > 0 || err != nil {
		p.stop()
	}
	return n, err
}

func (p *patientReader) stop() {
	if p.timer != nil {
		p.once.Do(func() { p.timer.Stop() })
	}
}

func (e *Env) inputError(err error, explicit bool) error {
	hints := []string{e.elsewhere(), awaitRows}
	if explicit {
		hints = hints[:1]
	}
	var strange *row.StrangeError
	switch {
	case errors.Is(err, row.ErrEmpty):
		if e.lists {
			hints = append([]string{mayBeEmpty}, hints...)
		}
		return WithHint(Usagef("stdin is empty"), hints...)
	case errors.As(err, &strange):
		return WithHint(Usagef("stdin: %w", err), hints...)
	}
	return Errorf("cannot read stdin: %w", cause(err))
}

// tellSource notes what the upstream left out or lost.
func (e *Env) tellSource(src *row.Source) {
	for _, n := range src.Notes {
		e.Note("%s", n)
	}
	if src.Torn || src.Bad > 0 {
		e.Partial()
	}
}

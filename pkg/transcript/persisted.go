package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"csift/pkg/home"
	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// PersistedMark stands on every line with a pointer to an output that was moved out of the transcript, however the line
// is spelled: a writer may escape the bracket before it.
const PersistedMark = "persisted-output"

// The pointer as Claude Code writes it into a result (2.1.258, 2.1.332; up to 2.0.77 long outputs were cut instead).
const (
	pointerStart = "<" + PersistedMark + ">"
	pointerEnd   = "</" + PersistedMark + ">"
	savedTo      = "Full output saved to:"
)

// mostPersisted is how much is read for one result, in bytes.
const mostPersisted = 64 << 20

// Persisted puts outputs back into the results that point at them. It serves one transcript and one goroutine.
type Persisted struct {
	Unread int // pointers whose file could not be read
	Cut    int // outputs of which only the start was read

	dirs []string // where outputs lie beside the transcript
	most int64
	left int64 // of most, for the result under way
}

// NewPersisted gives the Persisted of the transcript at path. parent is the session it belongs to, its own id or "" where
// there is none or it is not known.
func NewPersisted(path, parent string) *Persisted {
	p := &Persisted{most: mostPersisted}
	add := func(dir string) {
		if dir = home.ToolResults(dir); !slices.Contains(p.dirs, dir) {
			p.dirs = append(p.dirs, dir)
		}
	}
	add(home.SessionDir(path))
	for dir := filepath.Dir(path); filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "subagents" {
			add(filepath.Dir(dir))
			break
		}
	}
	if parent != "" && filepath.Base(parent) == parent {
		add(filepath.Join(filepath.Dir(path), parent))
	}
	return p
}

// Points reports whether a result's content may point at an output elsewhere.
func Points(content record.Raw) bool { return bytes.Contains(content, []byte(PersistedMark)) }

// Resolve gives the text of a result with the outputs in place of its pointers. recorded is the path that the record
// states for the first of them, "" for none. Where a file cannot be read the pointer stays and a note of csift in
// brackets says so behind the text. The bytes of an output are given as they are, valid UTF-8 or not.
func (p *Persisted) Resolve(text []byte, recorded string) []byte {
	var out, notes []byte
	at := 0
	p.left = p.most
	for from := pointerAt(text, 0); from >= 0; from = pointerAt(text, at) {
		to := len(text)
		if n := bytes.Index(text[from:], []byte(pointerEnd)); n >= 0 {
			to = from + n + len(pointerEnd)
		}
		out = append(out, text[at:from]...)
		switch b, ok := p.output(recorded, savedPath(text[from:to]), &notes); {
		case !ok:
			out = append(out, text[from:to]...)
		case len(out) == 0:
			out = b // it may be long
		default:
			out = append(out, b...)
		}
		at, recorded = to, ""
	}
	if at == 0 {
		return text
	}
	return append(append(out, text[at:]...), notes...)
}

// pointerAt finds the next pointer. One that is quoted within a line is prose.
func pointerAt(text []byte, from int) int {
	for i := from; ; i += len(pointerStart) {
		n := bytes.Index(text[i:], []byte(pointerStart))
		if n < 0 {
			return -1
		}
		if i += n; i == 0 || text[i-1] == '\n' {
			return i
		}
	}
}

// savedPath gives the path that a pointer names, "" for none.
func savedPath(pointer []byte) string {
	_, after, ok := bytes.Cut(pointer, []byte(savedTo))
	if !ok {
		return ""
	}
	after, _, _ = bytes.Cut(after, []byte("\n"))
	after = bytes.TrimSuffix(bytes.TrimSpace(after), []byte(pointerEnd))
	return string(bytes.TrimSpace(after))
}

// output reads an output: from the path that the record states, the one that its text names, or the file of that name
// beside the transcript, since paths may be those of another machine. What went wrong is appended to notes.
func (p *Persisted) output(recorded, named string, notes *[]byte) (b []byte, ok bool) {
	note := func(format string, a ...any) { *notes = fmt.Appendf(*notes, "\n[csift: "+format+"]", a...) }
	var why error
	at := ""
	for _, path := range p.candidates(recorded, named) {
		b, size, err := p.read(path)
		if err == nil {
			if int64(len(b)) < size {
				p.Cut++
				note("this is the start of a persisted output, %d of %d bytes: %s", len(b), size, strings.ToValidUTF8(path, "\uFFFD"))
			}
			return b, true
		}
		if why == nil || errors.Is(why, fs.ErrNotExist) && !errors.Is(err, fs.ErrNotExist) {
			why, at = err, path
		}
	}
	p.Unread++
	at = strings.ToValidUTF8(at, "\uFFFD")
	var pe *fs.PathError
	switch {
	case errors.As(why, &pe):
		note("could not resolve persisted output %s: %v", at, pe.Err)
	case why != nil:
		note("could not resolve persisted output %s: %v", at, why)
	default:
		note("could not resolve persisted output: its pointer names no file")
	}
	return nil, false
}

func (p *Persisted) candidates(recorded, named string) (paths []string) {
	add := func(path string) {
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	for _, path := range []string{recorded, named} {
		if filepath.IsAbs(path) {
			add(path)
		}
	}
	for _, path := range []string{recorded, named} {
		base := path[strings.LastIndexAny(path, `/\`)+1:]
		if base == "" || base == "." || base == ".." {
			continue
		}
		for _, dir := range p.dirs {
			add(filepath.Join(dir, base))
		}
	}
	return paths
}

// read reads a file as far as the cap allows, and gives the size of all of it.
func (p *Persisted) read(path string) (b []byte, size int64, err error) {
	f, err := jsonl.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	b = make([]byte, min(f.Size(), p.left))
	if _, err := f.ReadAt(b, 0); err != nil && len(b) > 0 {
		return nil, 0, err
	}
	if int64(len(b)) < f.Size() {
		b = wholeRunes(b)
	}
	p.left -= int64(len(b))
	return b, f.Size(), nil
}

// wholeRunes drops a character that is cut at the end.
func wholeRunes(b []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-n:]) {
				return b[:len(b)-n]
			}
			break
		}
	}
	return b
}

package lane

import (
	"bytes"
	"errors"
	"io"

	"csift/pkg/jsonl"
)

// Origin is what the first records of a transcript say about where they come from.
type Origin struct {
	SessionID string // the first sessionId, "" when none was seen
	CWD       string // the first cwd, "" when none was seen
}

const (
	firstWindow = 4 << 10
	// maxWindow is where looking for an origin ends. Records that carry none
	// (file-history-snapshot, summary) come before the first message, seldom many.
	maxWindow = 4 << 20
)

// ReadOrigin reads the head of a transcript, in a window that grows until both
// facts are known, the file ends or 4 MiB have been read.
func ReadOrigin(path string) (Origin, error) {
	f, err := jsonl.Open(path)
	if err != nil {
		return Origin{}, FileError{path, err}
	}
	defer f.Close()
	var o Origin
	head := io.NewSectionReader(f, 0, f.Size())
	buf := make([]byte, 0, firstWindow)
	done := 0 // bytes of buf whose lines were looked at
	for {
		n, err := io.ReadFull(head, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		end := err != nil
		if end && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return Origin{}, FileError{path, err}
		}
		for done < len(buf) && !o.whole() {
			line, next := buf[done:], len(buf)
			if i := bytes.IndexByte(line, '\n'); i >= 0 {
				line, next = line[:i], done+i+1
			} else if !end {
				break
			}
			o.look(jsonl.Trim(line, done == 0))
			done = next
		}
		if o.whole() || end || len(buf) >= maxWindow {
			return o, nil
		}
		buf = append(make([]byte, 0, 4*cap(buf)), buf...)
	}
}

func (o *Origin) whole() bool { return o.SessionID != "" && o.CWD != "" }

// look takes the facts of one line, of all its records when it holds several. A
// line that is damaged gives none.
func (o *Origin) look(line []byte) {
	p := jsonl.NewPull(line)
	for p.Kind() == '{' {
		got := *o
		p.Object()
		for {
			key, ok := p.Key()
			if !ok {
				break
			}
			switch string(key) {
			case "sessionId":
				set(&got.SessionID, o.SessionID, &p)
			case "cwd":
				set(&got.CWD, o.CWD, &p)
			default:
				p.Skip()
			}
		}
		if p.Err() {
			return
		}
		*o = got
	}
}

// set stores the next value of p unless an earlier record gave the fact already.
func set(dst *string, known string, p *jsonl.Pull) {
	raw, ok := p.Str()
	if ok && known == "" {
		*dst = string(jsonl.Unescape(nil, raw))
	}
}

// ReadOrigins reads the origins of many transcripts in parallel. A file that cannot
// be read has its error at its place.
func ReadOrigins(paths []string) ([]Origin, []error) {
	origins, errs := make([]Origin, len(paths)), make([]error, len(paths))
	Each(len(paths), func(i int) { origins[i], errs[i] = ReadOrigin(paths[i]) })
	return origins, errs
}

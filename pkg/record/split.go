package record

import (
	"bytes"

	"csift/pkg/jsonl"
)

// Split finds the whole records on a trimmed line that is not one whole record: a writer that was killed and started
// again, or two writers at once, leave several records, or half a record and a whole one, without a newline between
// them. Records are taken from the front for as long as they follow one another, and from the back after damage; an
// object inside a damaged record is never taken for a record. damaged reports that some of the line belongs to no
// whole record.
func Split(line []byte) (parts [][]byte, damaged bool) {
	rest := line
	for {
		rest = bytes.TrimLeft(rest, " \t\r")
		n := objectLen(rest)
		if n < 0 {
			break
		}
		parts = append(parts, rest[:n])
		rest = rest[n:]
	}
	if len(bytes.Trim(rest, " \t\r\x00")) == 0 {
		return parts, len(parts) == 0
	}
	return append(parts, tailRecords(rest)...), true
}

// objectLen gives the length of the whole object at the start of b, or -1.
func objectLen(b []byte) int {
	p := jsonl.NewPull(b)
	if p.Kind() != '{' {
		return -1
	}
	if v := p.Skip(); p.Err() || v == nil {
		return -1
	}
	return p.Pos()
}

// tailRecords finds the records that end a damaged line: a run of whole objects that look like records and reach its
// end. The work is bounded by a small multiple of the line's length.
func tailRecords(b []byte) [][]byte {
	budget := 8*len(b) + 1<<20
	for i := 1; i < len(b) && budget > 0; {
		k := bytes.Index(b[i:], []byte(`{"`))
		if k < 0 {
			return nil
		}
		i += k
		run, used := recordRun(b[i:])
		if run != nil {
			return run
		}
		budget -= used + k + 1
		i++
	}
	return nil
}

// recordRun reads records from the start of b to its end; nil when b is anything else. used is the work done.
func recordRun(b []byte) (run [][]byte, used int) {
	rest := b
	for len(rest) > 0 {
		p := jsonl.NewPull(rest)
		p.Skip()
		used += p.Pos()
		if p.Err() {
			return nil, used
		}
		n := p.Pos()
		if !looksLikeRecord(rest[:n]) {
			return nil, used + n
		}
		run = append(run, rest[:n])
		rest = bytes.TrimLeft(rest[n:], " \t\r")
	}
	return run, used
}

// looksLikeRecord tells a transcript line's object from a content block or a tool's input: a line has a type and one of
// the keys by which Claude Code places it.
func looksLikeRecord(b []byte) bool {
	var r Record
	if !Decode(b, &r) || r.Type == nil {
		return false
	}
	return r.UUID != nil || r.SessionID != nil || r.LeafUUID != nil || Raw(b).Get("messageId") != nil
}

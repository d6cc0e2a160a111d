package text

import (
	"path"
	"strconv"
	"strings"

	"csift/pkg/excerpt"
	"csift/pkg/section"
)

// AppendFacts appends the tags of what a unit states beyond its label and its place, each in brackets behind a blank: the
// facts of its family and what it is for.
func AppendFacts(dst []byte, u *section.Unit) []byte { return appendEdges(appendFacts(dst, u), u.For) }

// appendTag appends a tag. It may hold a name that stands in a record.
func appendTag(dst []byte, words ...string) []byte {
	dst = append(dst, " ["...)
	for _, w := range words {
		dst = excerpt.AppendSafeLine(dst, []byte(w))
	}
	return append(dst, ']')
}

// appendFacts appends the tags of what is particular to a family of records, and of the keys that a record exposes.
func appendFacts(dst []byte, u *section.Unit) []byte {
	if u.DenialKind != nil {
		dst = appendTag(dst, "denied: ", *u.DenialKind)
	}
	if u.ResumePaired != nil {
		if *u.ResumePaired {
			dst = appendTag(dst, "paired")
		} else {
			dst = appendTag(dst, "unpaired")
		}
	}
	if u.ScheduledAt != nil {
		dst = appendTag(dst, "scheduled fire ", *u.ScheduledAt)
	}
	if u.QueueOperation != nil {
		if u.QueueReason != nil {
			dst = appendTag(dst, *u.QueueOperation, " · ", *u.QueueReason)
		} else {
			dst = appendTag(dst, *u.QueueOperation)
		}
	}
	if u.Relayed != nil && *u.Relayed {
		dst = appendTag(dst, "relayed")
	}
	if u.PeerSenderTaskID != nil {
		dst = appendTag(dst, "peer lane ", *u.PeerSenderTaskID)
	}
	if u.Salvaged {
		dst = appendTag(dst, "cancelled stream salvage")
	}
	if u.Removed {
		dst = appendTag(dst, "thinking removed by the client")
	}
	if u.ServedBy != nil || u.FellBackFrom != nil {
		dst = appendTag(dst, "served by ", orUnknown(u.ServedBy), ", fell back from ", orUnknown(u.FellBackFrom))
	}
	if u.BodySource != nil && *u.BodySource != section.BodyField {
		dst = appendTag(dst, *u.BodySource)
	}
	if p := u.PDFPages; p != nil {
		dst = appendTag(dst, "pdf pages ", strconv.Itoa(p.First), "-", strconv.Itoa(p.Last), " of ", baseName(orUnknown(p.Path)))
	}
	return appendExposed(dst, u)
}

// appendExposed appends the exposed keys that change how a text is read; the others are in the rows alone.
func appendExposed(dst []byte, u *section.Unit) []byte {
	if u.ToolEndsTurn != nil && *u.ToolEndsTurn {
		dst = appendTag(dst, "ends the turn")
	}
	if u.Error != nil || u.APIErrorStatus != nil {
		words := []string{"api error"}
		if u.Error != nil {
			words = append(words, " ", *u.Error)
		}
		if u.APIErrorStatus != nil {
			words = append(words, " ", strconv.Itoa(*u.APIErrorStatus))
		}
		dst = appendTag(dst, words...)
	}
	if q := u.QuotaLimits; q != nil && q.RateLimitType != nil {
		dst = appendTag(dst, "quota ", *q.RateLimitType)
	}
	if u.TruncatedAfterOutput != nil && *u.TruncatedAfterOutput {
		dst = appendTag(dst, "truncated after output")
	}
	if u.IsAbortedMidStream != nil && *u.IsAbortedMidStream {
		dst = appendTag(dst, "aborted mid-stream")
	}
	return dst
}

func orUnknown(s *string) string {
	if s == nil {
		return "?"
	}
	return *s
}

// baseName gives the last part of a path of either kind of system.
func baseName(p string) string { return path.Base(strings.ReplaceAll(p, `\`, "/")) }

// mostPreserved is from how many records on a boundary's preserved ones are told as a span.
const mostPreserved = 3

// appendEdges appends a tag for each relation that text tells.
func appendEdges(dst []byte, edges []section.Edge) []byte {
	for i := 0; i < len(edges); i++ {
		e := &edges[i]
		if !e.Kind.Told() {
			continue
		}
		n := 1
		for e.Kind == section.EdgePreserves && i+n < len(edges) && edges[i+n].Kind == e.Kind {
			n++
		}
		if last := &edges[i+n-1]; n >= mostPreserved && e.Line != nil && last.Line != nil {
			dst = appendTag(dst, "for: ", string(e.Kind), " L", strconv.Itoa(*e.Line), "..L", strconv.Itoa(*last.Line), " (", strconv.Itoa(n), " records)")
			i += n - 1
			continue
		}
		dst = appendEdge(dst, e)
	}
	return dst
}

func appendEdge(dst []byte, e *section.Edge) []byte {
	kind := "for: " + string(e.Kind)
	switch {
	case e.Reason != nil:
		return appendTag(dst, kind, " unknown (", *e.Reason, ")")
	case e.Line != nil:
		return appendTag(dst, kind, " L", strconv.Itoa(*e.Line))
	case e.UUID != nil:
		return appendTag(dst, kind, " ", section.ShortID(*e.UUID), " (not in this file)")
	case e.ID != nil:
		return appendTag(dst, kind, " ", section.ShortID(*e.ID), " (not in this file)")
	case e.Session != nil:
		return appendTag(dst, kind, " @", section.ShortID(*e.Session))
	}
	return dst
}

// Package text lays out what people read: scope banners, the label zone of a hit, indented bodies. It knows no verb.
//
// The invariant: what starts a line at column 0 is an address or a banner; the text of a transcript is always indented or
// on the line of its address, and never moves a terminal's cursor.
package text

import (
	"fmt"
	"slices"
	"strings"

	"csift/pkg/excerpt"
	"csift/pkg/label"
	"csift/pkg/section"
)

// Glyph gives the mark of a leaf's role; a text that no leaf names has "?".
func Glyph(l label.Leaf) string { return l.Role().Glyph() }

// AppendZone appends the label zone of a unit: its label, what it is paired with, the tool, the tags. None of it is text
// of the record.
func AppendZone(dst []byte, u *section.Unit) []byte {
	switch {
	case u.Label == nil:
		dst = append(dst, "(no label)"...)
	default:
		dst = append(dst, *u.Label...)
	}
	if u.Pairing != nil {
		switch {
		case *u.Pairing == "pending":
			dst = append(dst, " (no result — pending)"...)
		case *u.Pairing == "orphan":
			dst = append(dst, " (use not in scope)"...)
		case u.Leaf == label.AgentToolUse:
			dst = append(dst, " ▹ agent.tool.result"...)
		}
	}
	if u.From != nil && u.To != nil {
		dst = append(dst, "  "...)
		dst = excerpt.AppendSafeLine(dst, []byte(*u.From+" ⇨ "+*u.To))
	}
	if u.ToolName != nil {
		dst = append(dst, "  "...)
		dst = excerpt.AppendSafeLine(dst, []byte(*u.ToolName))
	}
	if dst = appendTags(dst, u); u.Source != nil {
		dst = append(dst, " (elicitation sidecar)"...)
	}
	return dst
}

func appendTags(dst []byte, u *section.Unit) []byte {
	tag := func(s string) { dst = append(dst, " ["+s+"]"...) }
	if u.IsError != nil && *u.IsError {
		tag("error")
	}
	switch {
	case u.Rewound:
		tag("rewound")
	case u.AbandonedRootLine != nil:
		tag("abandoned")
	case u.Survival != nil && *u.Survival == "pre-cut":
		tag("pre-cut")
	}
	if u.ReplayCopyOf != nil {
		tag(fmt.Sprintf("replay copy of L%d", *u.ReplayCopyOf))
	}
	if u.Delivered != nil && !*u.Delivered {
		tag("not delivered")
	}
	switch u.Leaf {
	case label.AgentThinkingOmitted:
		tag("no summary text")
	case label.AgentThinkingRedacted:
		tag("redacted thinking")
	case label.AgentThinkingNarration:
		tag("narration summary")
	}
	if u.Mode != nil && *u.Mode != "compact" {
		tag(strings.Replace(*u.Mode, "summarize-", "summarize ", 1))
	}
	dst = AppendFacts(dst, u)
	if r := &u.ForRoot; r.Line != nil && r.Hops != nil && *r.Hops > 0 {
		tag(fmt.Sprintf("root L%d +%d", *r.Line, *r.Hops))
	}
	return dst
}

// AppendDistance appends what took the place of a prompt that the conversation went on without, and how far that is from
// it; nothing for any other unit.
func AppendDistance(dst []byte, u *section.Unit) []byte {
	if u.SupersedingLine == nil {
		return dst
	}
	n := len(dst)
	if u.Rewound {
		dst = append(dst, fmt.Sprintf("rewound: the conversation continued from L%d instead", *u.SupersedingLine)...)
	}
	if u.DiffChars == nil {
		return dst
	}
	if len(dst) > n {
		dst = append(dst, " · "...)
	}
	if *u.DiffChars == 0 {
		return append(dst, "identical to the sent message"...)
	}
	least := ""
	if !*u.DiffExact {
		least = "at least "
	}
	word := "chars"
	if *u.DiffChars == 1 {
		word = "char"
	}
	dst = append(dst, fmt.Sprintf("differs from the sent message in %s%d %s", least, *u.DiffChars, word)...)
	if u.DiffPct != nil {
		dst = append(dst, fmt.Sprintf(" (%d%% of the final)", *u.DiffPct)...)
	}
	return dst
}

// AppendDistanceLine appends it as a line of its own, if there is anything to tell.
func AppendDistanceLine(dst []byte, indent string, u *section.Unit) []byte {
	n := len(dst)
	dst = append(dst, indent...)
	if out := AppendDistance(dst, u); len(out) > len(dst) {
		return append(out, '\n')
	}
	return dst[:n]
}

// AppendImages appends the note on a record's images.
func AppendImages(dst []byte, ids []string) []byte {
	if len(ids) == 0 {
		return dst
	}
	word := "images"
	if len(ids) == 1 {
		word = "image"
	}
	return append(dst, fmt.Sprintf("  [%d %s: %s]", len(ids), word, strings.Join(ids, ", "))...)
}

// AppendBody appends a text line by line, indented by four, without a final newline. Tabs stay: it may be code.
func AppendBody(dst []byte, s string) []byte { return AppendIndented(dst, "    ", s) }

// AppendIndented is AppendBody with an indent of the caller's.
func AppendIndented(dst []byte, indent, s string) []byte {
	s = strings.TrimRight(s, "\n")
	dst = slices.Grow(dst, len(s)+strings.Count(s, "\n")*len(indent)+len(indent))
	for {
		line, rest, more := strings.Cut(s, "\n")
		dst = append(dst, indent...)
		dst = excerpt.AppendSafe(dst, []byte(strings.TrimSuffix(line, "\r")))
		if !more {
			return dst
		}
		dst = append(dst, '\n')
		s = rest
	}
}

package section

import (
	"strconv"
	"strings"

	"csift/pkg/record"
)

// Images names the images of a record, those in its tool results included: by the number that the person sees (#7) where
// the record says it, else by the place of the image on its line (L12i0).
func Images(r *record.Record, line int) []string {
	n := imageCount(r)
	ids := make([]string, n)
	if n == 0 {
		return ids
	}
	var pasted []string
	r.ImagePasteIDs.Items(func(v record.Raw) { pasted = append(pasted, "#"+valueText(v)) })
	marked := imageMarks(r.UserText())
	for i := range ids {
		switch {
		case i < len(pasted):
			ids[i] = pasted[i]
		case len(marked) == n:
			ids[i] = marked[i]
		default:
			ids[i] = "L" + strconv.Itoa(line) + "i" + strconv.Itoa(i)
		}
	}
	return ids
}

func imageCount(r *record.Record) (n int) {
	for i := range r.Blocks {
		switch k := &r.Blocks[i]; {
		case k.Type.Is("image"):
			n++
		case k.Type.Is("tool_result") && k.Content.IsArray():
			for _, it := range k.Content.Blocks(nil) {
				if it.Type.Is("image") {
					n++
				}
			}
		}
	}
	return n
}

// imageMarks gives the handles of the [Image #N] marks in a text.
func imageMarks(t string) (out []string) {
	for {
		_, rest, ok := strings.Cut(t, "[Image #")
		if !ok {
			return out
		}
		n := 0
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		if n > 0 && n < len(rest) && rest[n] == ']' {
			out = append(out, "#"+rest[:n])
		}
		t = rest
	}
}

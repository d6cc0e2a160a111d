package show

import (
	"strings"
	"unicode/utf8"

	"csift/pkg/excerpt"
	"csift/pkg/record"
	"csift/pkg/section"
)

// shape names a record that no leaf names: its type, and what tells it apart within the type.
func shape(r *record.Record) string {
	name := r.Type.String()
	if r.Type == nil {
		name = "(no type)"
	}
	switch {
	case r.Type.Is("attachment"):
		if t := r.Attachment.Get("type").Str().String(); t != "" {
			name += "/" + t
		}
	case r.Subtype != nil:
		name += "/" + r.Subtype.String()
	case r.TurnCompanion:
		name += "/turnCompanion"
	case r.IsMeta:
		name += "/isMeta"
	case r.Type.Is("user") && len(r.Blocks) > 0 && r.Blocks[0].Type.Is("image"):
		name += "/image"
	}
	return excerpt.Fold(name)
}

// unmodeled renders a record that no leaf names: its members, cut, and below them its whole text where it has one.
func unmodeled(r *record.Record, secs []section.Section) []byte {
	out := []byte(keysOf(r.Raw))
	for i := range secs {
		out = secs[i].Append(append(out, '\n'))
	}
	return out
}

// leftOver renders what no section renders of a message whose other parts have labels.
func leftOver(v record.Raw) []byte {
	if v.IsObject() {
		return []byte(keysOf(v))
	}
	return []byte(valueOf("", v))
}

// keysOf renders the members of an object as key=value pairs. Members named headers (HTTP response headers) and data
// (base64, ciphertext) are never printed, at any depth.
func keysOf(v record.Raw) string {
	var b strings.Builder
	v.Each(func(key string, v record.Raw) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(key + "=" + valueOf(key, v))
	})
	return excerpt.Fold(b.String())
}

const valueChars = 80

func valueOf(key string, v record.Raw) string {
	if key == "headers" || key == "data" {
		return "<elided>"
	}
	var s string
	if str := v.Str(); str != nil {
		s = str.String()
	} else {
		s = string(elide(nil, v))
	}
	s = excerpt.Fold(s)
	if utf8.RuneCountInString(s) <= valueChars {
		return s
	}
	n := 0
	for i := range s {
		if n == valueChars {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// elide appends a value as JSON without the members that are never printed.
func elide(dst []byte, v record.Raw) []byte {
	switch {
	case v.IsObject():
		dst = append(dst, '{')
		n := 0
		v.Each(func(key string, m record.Raw) {
			if n++; n > 1 {
				dst = append(dst, ',')
			}
			dst = append(dst, key+":"...)
			if key == "headers" || key == "data" {
				dst = append(dst, "<elided>"...)
				return
			}
			dst = elide(dst, m)
		})
		return append(dst, '}')
	case v.IsArray():
		dst = append(dst, '[')
		n := 0
		v.Items(func(m record.Raw) {
			if n++; n > 1 {
				dst = append(dst, ',')
			}
			dst = elide(dst, m)
		})
		return append(dst, ']')
	}
	if s := v.Str(); s != nil {
		return append(dst, s.String()...)
	}
	return append(dst, v...)
}

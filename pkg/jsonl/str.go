package jsonl

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
	"unsafe"
)

// Eight bytes at a time: ones times a byte is that byte everywhere, highs marks the bytes found. A mark above the lowest
// one may be false, since a subtraction borrows from the byte above.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks the bytes of w that end a run of plain string text: quote, backslash, control characters.
func special(w uint64) uint64 {
	quote, backslash := w^ones*'"', w^ones*'\\'
	return ((quote-ones)&^quote | (backslash-ones)&^backslash | (w-ones*0x20)&^w) & highs
}

// word is b[i:i+8], which the caller knows to be there. Slicing costs the way to the next token three cycles.
func word(b []byte, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Pointer(&b[i]))[:])
}

// plainStringEnd returns the index of the quote that ends the string whose interior starts at b[i], or -1 when there is
// none or the interior is not valid (a raw control character, a bad escape).
func plainStringEnd(b []byte, i int) int {
	for {
		for i+8 <= len(b) {
			if m := special(word(b, i)); m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= 0x20 {
			i++
		}
		if i >= len(b) {
			return -1
		}
		switch b[i] {
		case '"':
			return i
		case '\\':
			if i = escapeEnd(b, i); i < 0 {
				return -1
			}
		default:
			return -1
		}
	}
}

// escapeEnd returns the index after the escape whose backslash is b[i], or -1 when it is not a valid one.
func escapeEnd(b []byte, i int) int {
	if i+1 >= len(b) {
		return -1
	}
	if class[b[i+1]]&afterEscape != 0 {
		return i + 2
	}
	if b[i+1] == 'u' && i+6 <= len(b) &&
		class[b[i+2]]&class[b[i+3]]&class[b[i+4]]&class[b[i+5]]&isHex != 0 {
		return i + 6
	}
	return -1
}

// HasEscape reports whether the raw interior of a string differs from its text by escapes.
func HasEscape(raw []byte) bool {
	n := len(raw)
	switch {
	case n > 32:
		return bytes.IndexByte(raw, '\\') >= 0
	case n >= 8:
		// Keys and words: whole words, the last one over what the one before has looked at.
		m := backslashes(word(raw, n-8))
		for i := 0; i+8 < n; i += 8 {
			m |= backslashes(word(raw, i))
		}
		return m != 0
	}
	for _, c := range raw {
		if c == '\\' {
			return true
		}
	}
	return false
}

// backslashes marks the backslashes of w.
func backslashes(w uint64) uint64 {
	w ^= ones * '\\'
	return (w - ones) &^ w & highs
}

// Unescape appends to dst the text that the raw interior of a string stands for: escapes decoded, lone surrogates and
// invalid UTF-8 as U+FFFD (one for each surrogate and each bad byte), so the text appended is always valid UTF-8. A bad
// escape, which Pull never lets through, is U+FFFD too. The spare capacity of dst is written to.
func Unescape(dst, raw []byte) []byte {
	room := 8 // every step may write as much as it reads at once
	if len(raw) >= longText {
		room = 64
	}
	start := len(dst)
	dst = slices.Grow(dst, len(raw)+room)
	n, i := start, 0
	dst = dst[:cap(dst)]
	ascii, seen := true, uint64(0)
	for {
		if kernel && len(raw)-i >= longText {
			read, wrote, plain := longUnescape(dst[n:], raw[i:])
			i, n, ascii = i+read, n+wrote, ascii && plain
		}
		// Plain text goes over a word at a time; what a word has too much is written over.
		for i+8 <= len(raw) {
			w := word(raw, i)
			binary.LittleEndian.PutUint64(dst[n:], w)
			seen |= w
			backslash := w ^ ones*'\\'
			if m := (backslash - ones) &^ backslash & highs; m != 0 {
				k := bits.TrailingZeros64(m) >> 3
				i, n = i+k, n+k
				break
			}
			i, n = i+8, n+8
		}
		for i < len(raw) && raw[i] != '\\' {
			dst[n] = raw[i]
			seen |= uint64(raw[i])
			i, n = i+1, n+1
		}
		if i >= len(raw) {
			break
		}
		if i+1 < len(raw) && unescaped[raw[i+1]] != 0 {
			dst[n] = unescaped[raw[i+1]]
			i, n = i+2, n+1
			continue
		}
		r, k := unescapeRune(raw[i:])
		i, n = i+k, n+utf8.EncodeRune(dst[n:], r)
		// Only U+FFFD for a bad escape takes more bytes than it had raw.
		if len(dst)-n < len(raw)-i+room {
			dst = slices.Grow(dst[:n], len(raw)-i+room)
			dst = dst[:cap(dst)]
		}
	}
	dst = dst[:n]
	// What escapes stand for is whole characters, so bad bytes are the same before and after.
	if (!ascii || seen&highs != 0) && !validText(dst[start:]) {
		return appendValid(dst[:start], slices.Clone(dst[start:]))
	}
	return dst
}

// longText is the length from which the kernel is called for unescaping.
const longText = 66

// validText is utf8.Valid for text that is ASCII for the most part.
func validText(text []byte) bool {
	for i := 0; ; {
		for i+8 <= len(text) {
			if m := word(text, i) & highs; m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		for i < len(text) && text[i] < utf8.RuneSelf {
			i++
		}
		if i == len(text) {
			return true
		}
		// Where one character is not ASCII, others are near. The cut is in front of a character.
		from := i
		i = min(i+64, len(text))
		for i < len(text) && !utf8.RuneStart(text[i]) {
			i++
		}
		if !utf8.Valid(text[from:i]) {
			return false
		}
	}
}

// appendValid appends text with each bad byte as U+FFFD.
func appendValid(dst, text []byte) []byte {
	for len(text) > 0 {
		r, k := utf8.DecodeRune(text)
		dst = utf8.AppendRune(dst, r)
		text = text[k:]
	}
	return dst
}

// unescaped is what the byte behind a backslash stands for; 0 where it is u or not an escape.
var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescapeRune decodes the escape that raw starts with and gives its length (of both halves of a surrogate pair).
func unescapeRune(raw []byte) (rune, int) {
	if len(raw) < 2 {
		return utf8.RuneError, 1
	}
	if raw[1] == 'u' {
		if r := hex4(raw); r >= 0 {
			if r < 0xD800 || r > 0xDFFF {
				return r, 6
			}
			if r < 0xDC00 && len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' {
				if low := hex4(raw[6:]); low >= 0xDC00 && low <= 0xDFFF {
					return 0x10000 + (r-0xD800)<<10 + (low - 0xDC00), 12
				}
			}
			return utf8.RuneError, 6
		}
	} else if c := unescaped[raw[1]]; c != 0 {
		return rune(c), 2
	}
	return utf8.RuneError, 2
}

// hex4 is the value of \uXXXX at the start of raw, or -1.
func hex4(raw []byte) rune {
	if len(raw) < 6 {
		return -1
	}
	var v rune
	for _, c := range raw[2:6] {
		switch {
		case class[c]&isDigit != 0:
			c -= '0'
		case class[c]&isHex != 0:
			c = (c | 0x20) - 'a' + 10
		default:
			return -1
		}
		v = v<<4 | rune(c)
	}
	return v
}

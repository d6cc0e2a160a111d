package record

import (
	"bytes"
	"unsafe"

	"csift/pkg/jsonl"
)

// Str is the raw interior of a JSON string as it stands on the line, escapes and all. Nil means absent, null, or a
// value of another type; an empty string is not nil.
type Str []byte

// Is reports whether the decoded text equals want.
func (s Str) Is(want string) bool {
	if len(s) <= len(want) { // an escape is longer than what it stands for
		return s != nil && string(s) == want
	}
	if want != "" && s[0] != want[0] && s[0] != '\\' {
		return false
	}
	return jsonl.HasEscape(s) && s.String() == want
}

// String gives the decoded text: escapes resolved, lone surrogates and invalid UTF-8 as U+FFFD. Absent is "".
func (s Str) String() string {
	if len(s) <= shortStr {
		var b [shortStr + 8]byte
		return string(jsonl.Unescape(b[:0], s))
	}
	return made(jsonl.Unescape(nil, s))
}

// shortStr is up to which length a text is made in a buffer on the stack, so that its string takes no more than its bytes.
const shortStr = 56

// made gives bytes that nobody else has, nor will write to, as a string.
func made(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Append appends the decoded text to dst.
func (s Str) Append(dst []byte) []byte { return jsonl.Unescape(dst, s) }

// Raw is the raw bytes of any JSON value; nil means absent.
type Raw []byte

// IsObject reports whether the value is an object.
func (v Raw) IsObject() bool { return len(v) > 0 && v[0] == '{' }

// IsArray reports whether the value is an array.
func (v Raw) IsArray() bool { return len(v) > 0 && v[0] == '[' }

// Str gives the value as a string, nil when it is not one.
func (v Raw) Str() Str {
	if len(v) < 2 || v[0] != '"' {
		return nil
	}
	return Str(v[1 : len(v)-1])
}

// Get gives the value of a key of an object, the last one when it is repeated; nil when the value is no object or
// lacks the key.
func (v Raw) Get(key string) Raw {
	if !v.IsObject() {
		return nil
	}
	p := jsonl.NewPull(v)
	p.Object()
	var out Raw
	for {
		k, ok := p.Key()
		if !ok {
			return out
		}
		val := p.Skip()
		if string(k) == key || jsonl.HasEscape(k) && string(jsonl.Unescape(nil, k)) == key {
			out = val
		}
	}
}

// Each calls f for every key of an object, in the writer's order.
func (v Raw) Each(f func(key string, val Raw)) {
	if !v.IsObject() {
		return
	}
	p := jsonl.NewPull(v)
	p.Object()
	for {
		k, ok := p.Key()
		if !ok {
			return
		}
		key := string(jsonl.Unescape(nil, k))
		val := p.Skip()
		if p.Err() {
			return
		}
		f(key, val)
	}
}

// Items calls f for every element of an array.
func (v Raw) Items(f func(val Raw)) {
	if !v.IsArray() {
		return
	}
	p := jsonl.NewPull(v)
	p.Array()
	for p.Elem() {
		val := p.Skip()
		if p.Err() {
			return
		}
		f(val)
	}
}

// Blocks gives the objects of an array as content blocks, appended to dst.
func (v Raw) Blocks(dst []Block) []Block {
	if !v.IsArray() {
		return dst
	}
	p := jsonl.NewPull(v)
	p.Array()
	return appendBlocks(dst, &p)
}

// Empty reports whether the value holds no member: it is absent, no container, or an empty one.
func (v Raw) Empty() bool {
	if len(v) < 2 || !v.IsObject() && !v.IsArray() {
		return true
	}
	return len(bytes.TrimSpace(v[1:len(v)-1])) == 0
}

// True reports whether the value is the literal true.
func (v Raw) True() bool { return string(v) == "true" }

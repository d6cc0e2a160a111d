package section

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"testing"

	"csift/pkg/record"
)

// bytesField, varint, fixed64 and fixed32 write one protobuf field.
func bytesField(field uint64, payload string) string {
	return string(binary.AppendUvarint(binary.AppendUvarint(nil, field<<3|2), uint64(len(payload)))) + payload
}

func varint(field, v uint64) string {
	return string(binary.AppendUvarint(binary.AppendUvarint(nil, field<<3), v))
}

func fixed64(field uint64) string {
	return string(binary.AppendUvarint(nil, field<<3|1)) + "\x01\x02\x03\x04\x05\x06\x07\x08"
}

func fixed32(field uint64) string {
	return string(binary.AppendUvarint(nil, field<<3|5)) + "\x01\x02\x03\x04"
}

func sign(message string) string { return base64.StdEncoding.EncodeToString([]byte(message)) }

func tagged(tag string) string { return bytesField(2, bytesField(1, bytesField(8, tag))) }

var narrationTag = sign(tagged("narration"))

func TestNarrated(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, tc := range []struct {
		name, sig string
		want      bool
	}{
		{"the tag alone", narrationTag, true},
		{"other fields around it", sign(varint(1, 1<<40) + fixed64(3) + bytesField(2, varint(5, 1)+bytesField(1, bytesField(7, long)+bytesField(8, "narration")+fixed32(9))+bytesField(4, long)) + fixed32(6)), true},
		{"the last of several counts, at each level", sign(tagged("thinking") + bytesField(2, bytesField(1, "")+bytesField(1, bytesField(8, "x")+bytesField(8, "narration")))), true},
		{"the last of several is another", sign(tagged("narration") + tagged("thinking")), false},
		{"the last has no such field", sign(tagged("narration") + bytesField(2, "")), false},
		{"another tag", sign(tagged("thinking")), false},
		{"longer", sign(tagged("narration2")), false},
		{"empty tag", sign(tagged("")), false},
		{"another path", sign(bytesField(1, bytesField(2, bytesField(8, "narration")))), false},
		{"one level less", sign(bytesField(2, bytesField(8, "narration"))), false},
		{"a varint of that number", sign(bytesField(2, bytesField(1, varint(8, 9)))), false},
		{"cut", sign(tagged("narration")[:8]), false},
		{"cut behind the tag", sign(tagged("narration") + "\x0a"), false},
		{"a length beyond the end", sign("\x12\xff\x01"), false},
		{"a length beyond all", sign("\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), false},
		{"a varint without an end", sign("\x08\xff\xff"), false},
		{"a fixed64 without an end", sign("\x09\x01"), false},
		{"groups are not known", sign(tagged("narration") + "\x0b"), false},
		{"not UTF-8", sign(tagged("narratio\xff")), false},
		{"no base64", "???", false},
		{"base64 without padding", strings.TrimRight(sign(tagged("narration")+varint(1, 1)), "="), len(tagged("narration")+varint(1, 1))%3 == 0},
		{"text behind", narrationTag + "!", false},
		{"empty", "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := narrated(record.Str(tc.sig)); got != tc.want {
				t.Errorf("%v, want %v", got, tc.want)
			}
		})
	}
	for n := range 7 {
		if !narrated(record.Str(sign(bytesField(3, strings.Repeat("x", n)) + tagged("narration")))) {
			t.Errorf("the tag is not seen behind %d bytes", n)
		}
	}
	if narrated(nil) {
		t.Error("no signature is narration")
	}
	if !narrated(record.Str(strings.ReplaceAll(narrationTag, "E", `\u0045`))) {
		t.Error("escapes hide the tag")
	}
}

func narrated(sig record.Str) bool { return new(TagReader).Narrated(sig) }

func FuzzNarrated(f *testing.F) {
	f.Add([]byte(tagged("narration")))
	f.Add([]byte("\x12\xff\x01"))
	f.Fuzz(func(t *testing.T, message []byte) {
		narrated(record.Str(sign(string(message))))
		narrated(record.Str(message))
	})
}

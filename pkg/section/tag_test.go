package section

import (
	"encoding/base64"
	"testing"

	"csift/pkg/record"
)

func TestTag(t *testing.T) {
	field := func(n byte, b string) string { return string([]byte{n<<3 | 2, byte(len(b))}) + b }
	sign := func(b string) string { return base64.StdEncoding.EncodeToString([]byte(b)) }
	varint := "\x08\x96\x01"
	var r TagReader
	for _, tc := range []struct{ name, sig, want string }{
		{"narration", sign(field(2, field(1, field(8, "narration")))), "narration"},
		{"among other fields", sign(varint + field(2, varint+field(1, field(3, "x")+field(8, "else")+"\x0d1234")+field(9, "y")) + "\x1112345678"), "else"},
		{"the last of two at each level", sign(field(2, field(1, field(8, "a"))) + field(2, field(1, field(8, "b"))+field(1, field(8, "c")+field(8, "d")))), "d"},
		{"no tag", sign(field(2, field(1, field(3, "x")))), ""},
		{"truncated", sign(field(2, field(1, field(8, "narration")))[:12]), ""},
		{"no base64", "?" + sign(field(2, field(1, field(8, "narration")))), ""},
		{"no UTF-8", sign(field(2, field(1, field(8, "\xff")))), ""},
		{"an unknown wire type", sign("\x0b" + field(2, field(1, field(8, "narration")))), ""},
		{"empty", "", ""},
	} {
		if got := string(r.Tag(record.Str(tc.sig))); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

package section

import (
	"encoding/base64"
	"encoding/binary"

	"csift/pkg/record"
)

// narrated reports whether a thinking block's signature carries the narration tag: the signature is base64 of a
// protobuf message, and the tag is the string at field 2, 1, 8, the last one at each level. Anything unreadable carries
// no tag.
func narrated(sig record.Str) bool {
	if len(sig) == 0 {
		return false
	}
	b, err := base64.StdEncoding.DecodeString(sig.String())
	if err != nil {
		return false
	}
	for _, field := range [...]uint64{2, 1, 8} {
		if b = lastField(b, field); b == nil {
			return false
		}
	}
	return string(b) == "narration"
}

// lastField gives the last length-delimited field of that number; nil when there is none or the message is broken.
func lastField(b []byte, field uint64) (out []byte) {
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 {
			return nil
		}
		b = b[n:]
		switch key & 7 {
		case 0:
			_, n := binary.Uvarint(b)
			if n <= 0 {
				return nil
			}
			b = b[n:]
		case 1, 5:
			n := 8
			if key&7 == 5 {
				n = 4
			}
			if len(b) < n {
				return nil
			}
			b = b[n:]
		case 2:
			size, n := binary.Uvarint(b)
			if n <= 0 || size > uint64(len(b)-n) {
				return nil
			}
			if key>>3 == field {
				out = b[n : n+int(size)]
			}
			b = b[n+int(size):]
		default:
			return nil
		}
	}
	return out
}

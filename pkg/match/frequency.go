package match

import "math"

// frequency is about how often a byte occurs among 10,000 of raw JSONL, never 0:
// the mean of transcripts, source code and prose, the latter two JSON-escaped.
// It steers choices of speed, never of meaning.
var frequency = func() (f [256]uint16) {
	for i := range f {
		switch {
		case i < ' ':
			f[i] = 1
		case i < 0x80:
			f[i] = printable[i-' ']
		case i == 0x80 || i == 0xe2 || i >= 0xe4 && i <= 0xe9:
			f[i] = 8 // typographic punctuation; first bytes of Han
		default:
			f[i] = 2
		}
	}
	return f
}()

var printable = [96]uint16{
	1126, 12, 195, 7, 3, 5, 14, 11, 69, 69, 11, 18, 96, 54, 106, 128, //  !"#$%&'()*+,-./
	94, 77, 72, 47, 49, 42, 45, 38, 40, 36, 82, 20, 57, 78, 63, 1, // 0123456789:;<=>?
	1, 38, 27, 45, 34, 51, 34, 26, 24, 44, 17, 18, 32, 33, 35, 40, // @ABCDEFGHIJKLMNO
	43, 17, 47, 55, 58, 25, 22, 23, 18, 20, 17, 13, 431, 11, 1, 66, // PQRSTUVWXYZ[\]^_
	18, 348, 93, 232, 192, 644, 160, 116, 152, 326, 25, 57, 263, 152, 561, 346, // `abcdefghijklmno
	154, 24, 430, 320, 590, 179, 63, 64, 73, 72, 20, 60, 6, 60, 1, 1, // pqrstuvwxyz{|}~
}

// rarity is the information in meeting one byte of a set, in bits.
func rarity(has func(c byte) bool) float64 {
	sum := 0
	for c := range 256 {
		if has(byte(c)) {
			sum += int(frequency[c])
		}
	}
	if sum == 0 {
		return 16
	}
	return max(0, math.Log2(10000/float64(sum)))
}

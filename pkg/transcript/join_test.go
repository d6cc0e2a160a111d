package transcript

import "testing"

// Room for what is to come is bounded, whatever a file begins with.
func TestRoom(t *testing.T) {
	for _, tc := range []struct {
		name       string
		have, more int
		done, size int64
		least      int
		most       int
	}{
		{"a file like its beginning", 900, 100, 1 << 20, 2 << 20, 2000, 4000},
		{"a long file", 0, 100, 1 << 20, 1 << 30, 800, 800},
		{"more of it", 900, 100, 10 << 20, 1000 << 20, 100000, 200000},
		{"a beginning of very short lines", 0, 1 << 20, 10 << 20, 1 << 40, 8 << 20, 8 << 20},
		{"the last part", 900, 100, 1 << 20, 1 << 20, 1000, 1000},
		{"an unknown size", 900, 100, 1 << 20, 0, 1000, 1000},
		{"nothing", 0, 0, 10, 20, 0, 0},
	} {
		s := room(make([]int32, tc.have), tc.more, tc.done, tc.size)
		if len(s) != tc.have || cap(s) < tc.least || cap(s) > tc.most+tc.most/8 || s == nil {
			t.Errorf("%s: room for %d of %d", tc.name, cap(s), len(s))
		}
	}
	s := make([]int32, 3, 10)
	if r := room(s, 7, 1, 100); &r[0] != &s[0] {
		t.Error("moved without need")
	}
}

package addr

import (
	"strings"
	"testing"
)

func TestResolve(t *testing.T) {
	type span struct {
		lo, hi int
		ok     bool
	}
	none := span{}
	for _, c := range []struct {
		spec string
		base int
		n    int
		want span
	}{
		{"3", 1, 10, span{3, 3, true}},
		{"3", 0, 10, span{3, 3, true}},
		{"10", 1, 10, span{10, 10, true}},
		{"10", 0, 10, none},
		{"0", 0, 1, span{0, 0, true}},
		{"0", 0, 0, none},
		{"11", 1, 10, none},
		{"3..5", 1, 10, span{3, 5, true}},
		{"3..3", 1, 10, span{3, 3, true}},
		{"8..20", 1, 10, span{8, 10, true}},
		{"8..20", 0, 10, span{8, 9, true}},
		{"11..20", 1, 10, none},
		{"8..", 1, 10, span{8, 10, true}},
		{"..3", 1, 10, span{1, 3, true}},
		{"..3", 0, 10, span{0, 3, true}},
		{"..", 1, 10, span{1, 10, true}},
		{"..", 1, 0, none},
		{"-1", 1, 10, span{10, 10, true}},
		{"-1", 0, 10, span{9, 9, true}},
		{"-10", 1, 10, span{1, 1, true}},
		{"-11", 1, 10, none},
		{"-3..", 0, 10, span{7, 9, true}},
		{"-9..", 0, 2, span{0, 1, true}},
		{"..-3", 1, 10, span{1, 8, true}},
		{"..-9", 1, 2, none},
		{"4..-2", 1, 10, span{4, 9, true}},
		{"9..-5", 1, 10, none},
		{"-2..9", 1, 20, none},
		{"-4..-2", 1, 10, span{7, 9, true}},
		{"-40..-2", 1, 10, span{1, 9, true}},
		{" 3..5 ", 1, 10, span{3, 5, true}},
		{"007", 1, 10, span{7, 7, true}},
	} {
		s, err := ParseSpec(c.spec, c.base)
		if err != nil {
			t.Errorf("ParseSpec(%q, %d): %v", c.spec, c.base, err)
			continue
		}
		lo, hi, ok := s.Resolve(c.n)
		if got := (span{lo, hi, ok}); got != c.want {
			t.Errorf("%q base %d of %d = %v, want %v", c.spec, c.base, c.n, got, c.want)
		}
	}
}

func TestSpecErrors(t *testing.T) {
	for _, c := range []struct {
		spec string
		base int
		want string
	}{
		{"", 1, "none of N"},
		{"0", 1, "starts at 1"},
		{"0..5", 1, "starts at 1"},
		{"-0", 1, "no -0"},
		{"..-0", 0, "no -0"},
		{"9..3", 1, "3..9"},
		{"-1..-3", 0, "-3..-1"},
		{"1-3", 0, "1..3"},
		{"12-30", 1, "12..30"},
		{"x", 1, "none of N"},
		{"+3", 1, "none of N"},
		{"1...3", 1, "none of N"},
		{"1..2..3", 1, "none of N"},
		{"1 .. 3", 1, "none of N"},
		{"--3", 1, "none of N"},
		{"t4", 0, "write 4"},
		{"L90", 1, "write 90"},
		{"t4", 1, "none of N"},
		{"99999999999999999999", 1, "too large"},
		{"9223372036854775807", 1, "too large"},
	} {
		_, err := ParseSpec(c.spec, c.base)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("ParseSpec(%q, %d) error = %v, want one with %q", c.spec, c.base, err, c.want)
		}
	}
}

func TestExplicitAndMissing(t *testing.T) {
	for _, c := range []struct {
		spec     string
		explicit bool
		lo, hi   int
		missing  bool
	}{
		{"3", true, 0, 0, false},
		{"99", true, 99, 99, true},
		{"8..12", true, 11, 12, true},
		{"11..12", true, 11, 12, true},
		{"2..4", true, 0, 0, false},
		{"8..", false, 0, 0, false},
		{"99..", false, 0, 0, false},
		{"-99", false, 0, 0, false},
		{"..", false, 0, 0, false},
		{"..99", false, 0, 0, false},
		{"9..-1", false, 0, 0, false},
	} {
		s, err := ParseSpec(c.spec, 1)
		if err != nil {
			t.Fatal(err)
		}
		lo, hi, missing := s.Missing(10)
		if s.Explicit() != c.explicit || lo != c.lo || hi != c.hi || missing != c.missing {
			t.Errorf("%q: explicit %v, missing of 10 = %d..%d %v", c.spec, s.Explicit(), lo, hi, missing)
		}
	}
}

func TestRangeOfOne(t *testing.T) {
	if lo, hi, ok := TurnAt(0).Spec.Resolve(1); lo != 0 || hi != 0 || !ok {
		t.Errorf("turn 0 of 1 = %d..%d %v", lo, hi, ok)
	}
	if lo, hi, ok := LineAt(3).Spec.Resolve(3); lo != 3 || hi != 3 || !ok {
		t.Errorf("line 3 of 3 = %d..%d %v", lo, hi, ok)
	}
	if got := mustRange("3"); got != LineAt(3) {
		t.Errorf("ParseRange(3) = %v, want LineAt(3)", got)
	}
	if got := mustRange("t3"); got != TurnAt(3) {
		t.Errorf("ParseRange(t3) = %v, want TurnAt(3)", got)
	}
}

func FuzzSpec(f *testing.F) {
	for _, s := range []string{"1", "0", "-1", "1..2", "..", "..-3", "-3..", "4..-2", "9..3"} {
		f.Add(s, 5)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = max(n, 0) % (1 << 30)
		for base := range 2 {
			spec, err := ParseSpec(s, base)
			if err != nil {
				continue
			}
			again, err := ParseSpec(spec.String(), base)
			if err != nil || again != spec {
				t.Fatalf("ParseSpec(%q) printed as %q, read back as %v, %v", s, spec, again, err)
			}
			lo, hi, ok := spec.Resolve(n)
			if ok && (lo > hi || lo < base || hi > n-1+base) {
				t.Fatalf("%q base %d of %d = %d..%d", s, base, n, lo, hi)
			}
			if _, _, missing := spec.Missing(n); !ok && spec.Explicit() && !missing {
				t.Fatalf("%q base %d of %d: empty, explicit, and nothing missing", s, base, n)
			}
		}
	})
}

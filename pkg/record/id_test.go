package record

import "testing"

func TestInterner(t *testing.T) {
	var a, b Interner
	const uuid = "5d0c1f3e-0000-4000-8000-00000000a001"
	for _, tc := range []struct {
		name string
		raw  Str
		want string // what Spell gives
	}{
		{"canonical", Str(uuid), uuid},
		{"every digit", Str("01234567-89ab-cdef-fedc-ba9876543210"), "01234567-89ab-cdef-fedc-ba9876543210"},
		{"escaped", Str(`\u0035d0c1f3e-0000-4000-8000-00000000a001`), uuid},
		{"upper case is another spelling", Str("5D0C1F3E-0000-4000-8000-00000000A001"), "5D0C1F3E-0000-4000-8000-00000000A001"},
		{"not a uuid", Str("msg_1"), "msg_1"},
		{"no dashes", Str("5d0c1f3e000040008000" + "00000000a001"), "5d0c1f3e00004000800000000000a001"},
		{"one that reads like an odd ID", Str("ffffffff-0000-4000-8000-00000000a001"), "ffffffff-0000-4000-8000-00000000a001"},
		{"long", Str(uuid + uuid), uuid + uuid},
		{"not UTF-8", Str("a\xff"), "a\ufffd"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			id := a.ID(tc.raw)
			if id.IsZero() {
				t.Fatal("zero")
			}
			if got := a.Spell(id); got != tc.want {
				t.Errorf("spelled %q, want %q", got, tc.want)
			}
			if got := string(a.AppendSpelling([]byte("-"), id)); got != "-"+tc.want {
				t.Errorf("appended %q, want %q", got, tc.want)
			}
			if id != b.ID(tc.raw) || id != b.Of(tc.want) {
				t.Error("another interner gives another ID")
			}
		})
	}
	for _, raw := range []Str{nil, {}, Str("00000000-0000-0000-0000-000000000000"), Str(`\u0030` + "0000000-0000-0000-0000-000000000000")} {
		if id := a.ID(raw); !id.IsZero() || a.Spell(id) != "" {
			t.Errorf("%q gives %v", raw, id)
		}
	}
}

func TestInternerMerge(t *testing.T) {
	var a, b, c Interner
	x, y := a.Of("x"), b.Of("y")
	c.Merge(&Interner{})
	c.Merge(&a)
	c.Merge(&b)
	if c.Spell(x) != "x" || c.Spell(y) != "y" {
		t.Errorf("%q %q", c.Spell(x), c.Spell(y))
	}
	if a.Spell(y) != "" {
		t.Error("an interner spells what it has not seen")
	}
}

// IDs are equal exactly when the decoded texts are.
func FuzzInterner(f *testing.F) {
	f.Add("5d0c1f3e-0000-4000-8000-00000000a001", "5D0C1F3E-0000-4000-8000-00000000A001")
	f.Add("ffffffff-0000-4000-8000-00000000a001", "a")
	f.Fuzz(func(t *testing.T, x, y string) {
		var in Interner
		if (in.Of(x) == in.Of(y)) != (x == y) {
			if !in.Of(x).IsZero() || !in.Of(y).IsZero() {
				t.Fatalf("%q and %q", x, y)
			}
		}
		if id := in.Of(x); !id.IsZero() && in.Spell(id) != x {
			t.Fatalf("%q is spelled %q", x, in.Spell(id))
		}
	})
}

// A uuid is canonical exactly when all its digits are lower-case hex, whatever else stands there.
func TestCanonicalDigits(t *testing.T) {
	const uuid = "5d0c1f3e-9ab7-4cde-8f01-23456789abcd"
	for i := range uuid {
		for c := range 256 {
			b := []byte(uuid)
			b[i] = byte(c)
			id, ok := canonical(b)
			want := c == '-'
			if uuid[i] != '-' {
				want = c >= '0' && c <= '9' || c >= 'a' && c <= 'f'
			}
			if ok != want || ok && id.String() != string(b) {
				t.Fatalf("%q: %v %v", b, id, ok)
			}
		}
	}
}

// Link gives what ID gives, whatever was asked for before.
func TestLink(t *testing.T) {
	const a, b, nuls = "5d0c1f3e-9ab7-4cde-8f01-23456789abcd", "5d0c1f3e-9ab7-4cde-8f01-23456789abce", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	all := []Str{nil, {}, Str(a), Str(b), Str(nuls), Str("x"), Str(`\u0035d0c1f3e-9ab7-4cde-8f01-23456789abcd`), Str("00000000-0000-0000-0000-000000000000"), Str("5D0C1F3E-9AB7-4CDE-8F01-23456789ABCD")}
	var in, want Interner
	for _, before := range all {
		for _, uuid := range all {
			for _, parent := range all {
				in.Link(before, nil)
				if id, up := in.Link(uuid, parent); id != want.ID(uuid) || up != want.ID(parent) {
					t.Errorf("%q below %q after %q: %v %v", uuid, parent, before, id, up)
				}
			}
		}
	}
	for _, s := range all {
		if id := want.ID(s); in.Spell(id) != want.Spell(id) {
			t.Errorf("%q is spelled %q", s, in.Spell(id))
		}
	}
}

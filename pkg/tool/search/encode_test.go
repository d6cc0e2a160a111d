package search

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"csift/pkg/row"
	"csift/pkg/section"
)

// What is written by hand is what reflection writes, whichever fields are set: a key that is added to a row and forgotten
// here is found.
func TestEncode(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range 500 {
		e := &exchange{}
		if n > 0 {
			fill(t, rnd, reflect.ValueOf(e).Elem())
			if n%2 == 0 {
				e.family = &family{}
				fill(t, rnd, reflect.ValueOf(e.family).Elem())
			}
		}
		hits := e.Hits
		if e.family != nil {
			hits = append(hits[:len(hits):len(hits)], e.family.Siblings...)
		}
		for i := range hits {
			hits[i].Ref = e.Ref
		}
		copy(e.Hits, hits)
		if e.family != nil {
			copy(e.family.Siblings, hits[len(e.Hits):])
		}
		got, want := appendExchange(nil, e, e.Ref.Members(nil)), row.Append(nil, e)
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] || i+1 == min(len(got), len(want)) && len(got) != len(want) {
				t.Fatalf("at %d:\n got %s\nwant %s", i, got[max(0, i-80):min(i+80, len(got))], want[max(0, i-80):min(i+80, len(want))])
			}
		}
	}
}

// fill gives a value to half of the fields that v holds.
func fill(t *testing.T, rnd *rand.Rand, v reflect.Value) {
	t.Helper()
	some := rnd.IntN(2) == 0
	if v.Type() == reflect.TypeFor[section.RawJSON]() {
		if some {
			v.SetBytes([]byte("{ \"a\" : [1, \"\\u00e9\xff\"] }"))
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if some {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, rnd, v.Elem())
		}
	case reflect.String:
		v.SetString([]string{"", "plain", "a \"text\"\n\u2028\xff", "…"}[rnd.IntN(4)])
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(rnd.Int64N(1000) - 100)
	case reflect.Bool:
		v.SetBool(some)
	case reflect.Uint8:
		v.SetUint(3)
	case reflect.Slice:
		if some {
			v.Set(reflect.MakeSlice(v.Type(), rnd.IntN(3), 3))
			for i := range v.Len() {
				fill(t, rnd, v.Index(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(t, rnd, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(t, rnd, v.Field(i))
			}
		}
	default:
		t.Fatalf("a field of type %s", v.Type())
	}
}

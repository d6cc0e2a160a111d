package list

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"csift/pkg/row"
)

// What is written by hand is what reflection writes, whichever fields are set: a key that
// is added to a row and forgotten here is found.
func TestAppendRow(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range 500 {
		r := &sessionRow{}
		if n > 0 {
			fill(t, rnd, reflect.ValueOf(r).Elem())
		}
		if got, want := string(r.appendRow(nil)), string(row.Append(nil, r)); got != want {
			t.Fatalf("\n got %s\nwant %s", got, want)
		}
	}
}

// fill gives a value to half of the fields that v holds.
func fill(t *testing.T, rnd *rand.Rand, v reflect.Value) {
	t.Helper()
	some := rnd.IntN(2) == 0
	switch v.Kind() {
	case reflect.Pointer:
		if some {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, rnd, v.Elem())
		}
	case reflect.String:
		v.SetString([]string{"", "plain", "a \"text\"\n\u2028\xff", "…"}[rnd.IntN(4)])
	case reflect.Int, reflect.Int64:
		v.SetInt(rnd.Int64N(1000) - 100)
	case reflect.Bool:
		v.SetBool(some)
	case reflect.Slice:
		if some {
			v.Set(reflect.MakeSlice(v.Type(), rnd.IntN(3), 3))
			for i := range v.Len() {
				fill(t, rnd, v.Index(i))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, rnd, v.Field(i))
		}
	default:
		t.Fatalf("a field of type %s", v.Type())
	}
}

//go:build !purego

package jsonl

import "unsafe"

// valuesAVX2 is Values.Next for the steps of b that have a byte before them and three behind, from at on. Where mask is 0,
// i is the first step that has not.
//
//go:noescape
func valuesAVX2(b *byte, at, n int, t *letterTables) (i int, mask uint64)

// keysAVX2 is Keys.Next for the steps of b that have two bytes before them and three behind.
//
//go:noescape
func keysAVX2(b *byte, at, n int, t *letterTables) (i int, mask uint64)

func (v *Values) nextFast(b []byte, at int) (i int, mask uint64) {
	if !kernel || at == 0 {
		return at, 0
	}
	return valuesAVX2(unsafe.SliceData(b), at, len(b), &v.tables)
}

func (k *Keys) nextFast(b []byte, at int) (i int, mask uint64) {
	if !kernel || at < 2 {
		return at, 0
	}
	return keysAVX2(unsafe.SliceData(b), at, len(b), &k.tables)
}

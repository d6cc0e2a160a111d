//go:build !purego

package jsonl

import "unsafe"

// valuesAVX2 is Words.Next for the steps of b that have a byte before them and two behind, from at on. Where mask is 0, i
// is the first step that has not.
//
//go:noescape
func valuesAVX2(b *byte, at, n int, t *wordTables) (i int, mask uint64)

// keysAVX2 is NextKey for the steps of b that have a byte before them and one behind.
//
//go:noescape
func keysAVX2(b *byte, at, n int) (i int, mask uint64)

func (w *Words) nextFast(b []byte, at int) (i int, mask uint64) {
	if !kernel || at == 0 {
		return at, 0
	}
	return valuesAVX2(unsafe.SliceData(b), at, len(b), &w.tables)
}

func nextKeyFast(b []byte, at int) (i int, mask uint64) {
	if !kernel || at == 0 {
		return at, 0
	}
	return keysAVX2(unsafe.SliceData(b), at, len(b))
}

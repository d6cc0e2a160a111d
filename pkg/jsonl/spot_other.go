//go:build !amd64 || purego

package jsonl

func (w *Words) nextFast(b []byte, at int) (i int, mask uint64) { return at, 0 }

func nextKeyFast(b []byte, at int) (i int, mask uint64) { return at, 0 }

//go:build !amd64 || purego

package jsonl

const kernel = false

func stopsFrom(b []byte, i int) (off int, quotes, bad uint64) { return i, 0, 0 }

func longUnescape(dst, src []byte) (read, wrote int, ascii bool) { return 0, 0, true }

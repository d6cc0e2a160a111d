//go:build !amd64 || purego

package jsonl

const kernel = false

func longStringEnd(b []byte, i int) int { return plainStringEnd(b, i) }

func longUnescape(dst, src []byte) (read, wrote int, ascii bool) { return 0, 0, true }

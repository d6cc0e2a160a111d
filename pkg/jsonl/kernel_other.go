//go:build !amd64 || purego

package jsonl

const kernel = false

func longStringEnd(b []byte, i int) int { return plainStringEnd(b, i) }

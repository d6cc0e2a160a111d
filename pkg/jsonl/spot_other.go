//go:build !amd64 || purego

package jsonl

func (v *Values) nextFast(b []byte, at int) (i int, mask uint64) { return at, 0 }

func (k *Keys) nextFast(b []byte, at int) (i int, mask uint64) { return at, 0 }

package jsonl

import "unsafe"

// Within gives where in whole a part of it starts. The part must be one, and not empty.
func Within(whole, part []byte) int {
	return int(uintptr(unsafe.Pointer(unsafe.SliceData(part))) - uintptr(unsafe.Pointer(unsafe.SliceData(whole))))
}

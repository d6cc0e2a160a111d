package jsonl

import (
	"errors"
	"unsafe"
)

// errFault is a memory fault in a map whose file did not shrink: the disk failed, or the file was cut and grew again.
var errFault = errors.New("memory fault while it was being read")

// within reports whether an address lies in b.
func within(b []byte, addr uintptr) bool {
	base := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return addr >= base && addr < base+uintptr(len(b))
}

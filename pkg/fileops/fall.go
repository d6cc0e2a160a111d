package fileops

import (
	"errors"
	"sync"
)

// fall carries a panic of a goroutine over to the one that waits for it, where the caller can recover.
type fall struct {
	once  sync.Once
	value any
}

var errFell = errors.New("a goroutine panicked")

// catch is deferred in each goroutine. A fault in mapped memory is for whoever mapped it.
func (f *fall) catch() {
	if p := recover(); p != nil {
		if _, fault := p.(interface{ Addr() uintptr }); fault {
			panic(p)
		}
		f.once.Do(func() { f.value = p })
	}
}

// again panics in the caller when a goroutine did. All of them have ended.
func (f *fall) again() {
	if f.value != nil {
		panic(f.value)
	}
}

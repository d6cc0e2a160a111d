package jsonl

import (
	"context"
	"errors"
	"sync"
)

// Fall carries a panic of a goroutine over to the one that waits for it, where the caller can recover.
type Fall struct {
	once  sync.Once
	value any
}

// ErrFell is what a goroutine returns that panicked, until Again tells.
var ErrFell = errors.New("a goroutine panicked")

// Catch is deferred in each goroutine. A fault in mapped memory is for whoever mapped it.
func (f *Fall) Catch() {
	if p := recover(); p != nil {
		if _, fault := p.(interface{ Addr() uintptr }); fault {
			panic(p)
		}
		f.once.Do(func() { f.value = p })
	}
}

// Again panics in the caller when a goroutine did. All of them have ended.
func (f *Fall) Again() {
	if f.value != nil {
		panic(f.value)
	}
}

// EachChunk is Chunks for a function that cannot fail; a panic of fn reaches the caller.
func (f *File) EachChunk(ctx context.Context, workers int, fn func(worker int, c Chunk)) error {
	var fell Fall
	err := f.Chunks(ctx, workers, func(n int, c Chunk) (err error) {
		err = ErrFell
		defer fell.Catch()
		fn(n, c)
		return nil
	})
	fell.Again()
	return err
}

package scan

import (
	"context"
	"csift/pkg/jsonl"
	"sync"
	"sync/atomic"
)

// batch is how many items a goroutine takes at a time.
const batch = 64

// parallel calls f for every index below n from up to workers goroutines and returns the error of the lowest index that
// failed.
func parallel(ctx context.Context, n, workers int, f func(worker, i int) error) error {
	if workers <= 1 || n <= batch {
		for i := range n {
			if err := f(0, i); err != nil {
				return err
			}
		}
		return ctx.Err()
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	var mu sync.Mutex
	var fell jsonl.Fall
	first, failed := n, error(nil)
	for w := range workers {
		wg.Go(func() {
			defer fell.Catch()
			for ctx.Err() == nil {
				lo := int(next.Add(batch) - batch)
				for i := lo; i < min(lo+batch, n); i++ {
					if err := f(w, i); err != nil {
						mu.Lock()
						if i < first {
							first, failed = i, err
						}
						mu.Unlock()
						return
					}
				}
				if lo+batch >= n {
					return
				}
			}
		})
	}
	wg.Wait()
	fell.Again()
	if failed != nil {
		return failed
	}
	return ctx.Err()
}

// Ordered calls make for every index below n, in parallel, and give with what it made, in order and in the calling
// goroutine. Little more than a few items a worker are held at a time. make may keep nothing of buf but what it returns.
func Ordered(ctx context.Context, n, workers int, make_ func(worker, i int, buf []byte) ([]byte, error), give func(b []byte) error) error {
	if workers <= 1 || n < 2 {
		var buf []byte
		for i := range n {
			b, err := make_(0, i, buf[:0])
			if err != nil {
				return err
			}
			if err := give(b); err != nil {
				return err
			}
			buf = b
		}
		return ctx.Err()
	}
	return ordered(ctx, n, workers, make_, give)
}

type made struct {
	b   []byte
	err error
}

func ordered(ctx context.Context, n, workers int, make_ func(worker, i int, buf []byte) ([]byte, error), give func(b []byte) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	slots := make([]chan made, 4*workers)
	for i := range slots {
		slots[i] = make(chan made, 1)
	}
	spare := make(chan []byte, len(slots)+1)
	tickets := make(chan int, len(slots))
	var wg sync.WaitGroup
	var fell jsonl.Fall
	one := func(w, i int) (m made) {
		m.err = jsonl.ErrFell
		defer fell.Catch()
		var buf []byte
		select {
		case buf = <-spare:
		default:
		}
		m.b, m.err = make_(w, i, buf[:0])
		return m
	}
	for w := range workers {
		wg.Go(func() {
			for i := range tickets {
				slots[i%len(slots)] <- one(w, i)
			}
		})
	}
	sent, err := 0, error(nil)
	for i := 0; i < n && err == nil; i++ {
		for sent < n && sent < i+len(slots) {
			tickets <- sent
			sent++
		}
		m := <-slots[i%len(slots)]
		if err = m.err; err == nil {
			err = give(m.b)
		}
		select {
		case spare <- m.b:
		default:
		}
		if err == nil {
			err = ctx.Err()
		}
	}
	close(tickets)
	wg.Wait()
	fell.Again()
	return err
}

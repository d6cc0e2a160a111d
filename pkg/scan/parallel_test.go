package scan

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestOrdered(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		for _, n := range []int{0, 1, 2, 5, 400} {
			var out strings.Builder
			err := Ordered(t.Context(), n, workers, func(_, i int, buf []byte) ([]byte, error) {
				if i%7 == 0 {
					time.Sleep(time.Duration(i%3) * 100 * time.Microsecond)
				}
				return fmt.Appendf(buf, "%d,", i), nil
			}, func(b []byte) error {
				out.Write(b)
				return nil
			})
			var want strings.Builder
			for i := range n {
				fmt.Fprintf(&want, "%d,", i)
			}
			if err != nil || out.String() != want.String() {
				t.Errorf("%d items, %d workers: %v %s", n, workers, err, out.String())
			}
		}
	}
}

// The first error in the order ends the work: what stands before it was given, nothing after it.
func TestOrderedErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, workers := range []int{1, 3} {
		var given []string
		err := Ordered(t.Context(), 100, workers, func(_, i int, buf []byte) ([]byte, error) {
			if i == 20 || i == 22 {
				return buf, fmt.Errorf("at %d: %w", i, broken)
			}
			return fmt.Appendf(buf, "%d", i), nil
		}, func(b []byte) error {
			given = append(given, string(b))
			return nil
		})
		if !errors.Is(err, broken) || err.Error() != "at 20: broken" || len(given) != 20 {
			t.Errorf("%d workers: %v after %d", workers, err, len(given))
		}
		n := 0
		err = Ordered(t.Context(), 100, workers, func(_, i int, buf []byte) ([]byte, error) { return buf, nil }, func([]byte) error {
			if n++; n == 5 {
				return broken
			}
			return nil
		})
		if err != broken || n != 5 {
			t.Errorf("%d workers: a reader that gives up: %v after %d", workers, err, n)
		}
		ctx, cancel := context.WithCancel(t.Context())
		err = Ordered(ctx, 1000, workers, func(_, i int, buf []byte) ([]byte, error) {
			if i == 10 {
				cancel()
			}
			return buf, nil
		}, func([]byte) error { return nil })
		if !errors.Is(err, context.Canceled) && workers > 1 {
			t.Errorf("%d workers: cancelled: %v", workers, err)
		}
	}
}

// Only a few items a worker are under way at a time.
func TestOrderedIsBounded(t *testing.T) {
	var ahead, most atomic.Int64
	err := Ordered(t.Context(), 2000, 2, func(_, _ int, buf []byte) ([]byte, error) {
		n := ahead.Add(1)
		for {
			m := most.Load()
			if n <= m || most.CompareAndSwap(m, n) {
				return buf, nil
			}
		}
	}, func([]byte) error {
		ahead.Add(-1)
		return nil
	})
	if err != nil || most.Load() > 16 {
		t.Errorf("%d items under way, %v", most.Load(), err)
	}
}

func TestParallel(t *testing.T) {
	for _, workers := range []int{1, 4} {
		for _, n := range []int{0, 1, batch, batch + 1, 1000} {
			seen := make([]atomic.Int32, n)
			if err := parallel(t.Context(), n, workers, func(_, i int) error {
				seen[i].Add(1)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			for i := range seen {
				if seen[i].Load() != 1 {
					t.Fatalf("%d items, %d workers: item %d done %d times", n, workers, i, seen[i].Load())
				}
			}
		}
		err := parallel(t.Context(), 1000, workers, func(_, i int) error {
			if i >= 100 {
				return fmt.Errorf("at %d", i)
			}
			return nil
		})
		if err == nil || err.Error() != "at 100" {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
}

// A panic in a goroutine reaches the caller, who can recover it.
func TestPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"Ordered": func() {
			_ = Ordered(t.Context(), 100, 3, func(_, i int, buf []byte) ([]byte, error) {
				if i == 50 {
					panic("fell")
				}
				return buf, nil
			}, func([]byte) error { return nil })
		},
		"parallel": func() {
			_ = parallel(t.Context(), 1000, 3, func(_, i int) error {
				if i == 500 {
					panic("fell")
				}
				return nil
			})
		},
	} {
		func() {
			defer func() {
				if p := recover(); p != "fell" {
					t.Errorf("%s: recovered %v", name, p)
				}
			}()
			f()
		}()
	}
}

package stdio

import (
	"io"
	"sync"
	"time"
)

const outSize = 64 << 10

// Out is a buffered writer that remembers the first error of the stream below it:
// from then on it writes nothing and every call returns that error. Several goroutines
// may use it.
type Out struct {
	mu      sync.Mutex
	w       io.Writer
	buf     []byte
	err     error
	written int64
	// Before, when set, is called right before bytes go to the stream: a progress
	// line on the same terminal is erased there.
	Before func()
}

// NewOut returns an Out over w, which may be nil: then every write is lost silently,
// as into a descriptor that was never open.
func NewOut(w io.Writer) *Out {
	if w == nil {
		w = io.Discard
	}
	return &Out{w: w}
}

// Write appends b to the output.
func (o *Out) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.write(b)
}

func (o *Out) write(b []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	if len(o.buf)+len(b) > outSize {
		if err := o.flush(); err != nil {
			return 0, err
		}
		if len(b) >= outSize {
			o.send(b)
			return len(b), o.err
		}
	}
	o.grow()
	o.buf = append(o.buf, b...)
	return len(b), nil
}

// WriteString appends s to the output.
func (o *Out) WriteString(s string) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil && len(o.buf)+len(s) <= outSize {
		o.grow()
		o.buf = append(o.buf, s...)
		return len(s), nil
	}
	return o.write([]byte(s))
}

// WriteByte appends one byte to the output.
func (o *Out) WriteByte(c byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.buf) >= outSize {
		o.flush()
	}
	if o.err == nil {
		o.grow()
		o.buf = append(o.buf, c)
	}
	return o.err
}

func (o *Out) grow() {
	if o.buf == nil {
		o.buf = make([]byte, 0, outSize)
	}
}

// Flush hands everything to the stream and returns the first error there ever was.
func (o *Out) Flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.flush()
}

func (o *Out) flush() error {
	if o.err == nil && len(o.buf) > 0 {
		o.send(o.buf)
		o.buf = o.buf[:0]
	}
	return o.err
}

func (o *Out) send(b []byte) {
	if o.Before != nil {
		o.Before()
	}
	wait := time.Millisecond
	for {
		n, err := o.w.Write(b)
		o.written += int64(n)
		b = b[n:]
		if err == nil || len(b) == 0 {
			return
		}
		if !mayRetry(err) {
			o.err = err
			return
		}
		time.Sleep(wait)
		if n > 0 {
			wait = time.Millisecond
		} else if wait < 100*time.Millisecond {
			wait *= 2
		}
	}
}

// Err returns the first error of the stream, or nil.
func (o *Out) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// Broken reports whether the reader of the stream went away. That is quiet: a
// program in a pipeline whose next stage has enough is not in error.
func (o *Out) Broken() bool {
	err := o.Err()
	return err != nil && isBroken(err)
}

// Started reports whether anything was written, sent or not.
func (o *Out) Started() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.written > 0 || len(o.buf) > 0
}

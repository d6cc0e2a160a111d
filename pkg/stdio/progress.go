package stdio

import (
	"io"
	"sync"
	"time"
)

const (
	progressDelay = 500 * time.Millisecond
	progressEvery = 100 * time.Millisecond
	progressWidth = 78
)

// Progress is one line on a terminal that says how far the work is. A nil Progress
// does nothing, so that callers need not ask whether there is a terminal.
type Progress struct {
	w     io.Writer
	label func() string
	quit  chan struct{}
	done  chan struct{}
	mu    sync.Mutex
	shown bool
	over  bool
}

// StartProgress shows label on w, which must be a terminal, once the work has taken
// half a second, and again every tenth of a second until Stop. label is called from
// another goroutine.
func StartProgress(w io.Writer, label func() string) *Progress {
	return startProgress(w, label, progressDelay, progressEvery)
}

func startProgress(w io.Writer, label func() string, delay, every time.Duration) *Progress {
	p := &Progress{w: w, label: label, quit: make(chan struct{}), done: make(chan struct{})}
	go p.run(delay, every)
	return p
}

func (p *Progress) run(delay, every time.Duration) {
	defer close(p.done)
	t := time.NewTimer(delay)
	defer t.Stop()
	for {
		select {
		case <-p.quit:
			return
		case <-t.C:
			p.draw()
			t.Reset(every)
		}
	}
}

func (p *Progress) draw() {
	s := p.label()
	if r := []rune(s); len(r) > progressWidth {
		s = string(r[:progressWidth])
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		io.WriteString(p.w, "\r"+s+eraseRight)
		p.shown = true
	}
}

// eraseRight clears the line from the cursor to its end.
const eraseRight = "\x1b[K"

// Clear erases the line if it is shown; it comes back with the next tick. Anything
// else that writes to the terminal calls it first.
func (p *Progress) Clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		io.WriteString(p.w, "\r"+eraseRight)
		p.shown = false
	}
}

// Stop erases the line for good. It may be called more than once.
func (p *Progress) Stop() {
	if p == nil {
		return
	}
	p.mu.Lock()
	first := !p.over
	p.over = true
	if p.shown {
		io.WriteString(p.w, "\r"+eraseRight)
		p.shown = false
	}
	p.mu.Unlock()
	if first {
		close(p.quit)
		<-p.done
	}
}

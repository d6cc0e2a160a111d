package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"csift/pkg/row"
	"csift/pkg/stdio"
)

// AllCrossings is the value of Env.CrossCompactions for --cross-compactions all.
const AllCrossings = -1

// Env is all that a verb may use of the process it runs in.
type Env struct {
	Prog   string   // what errors start with: the name as typed, csift through the front
	Verb   string   // name of the tool
	Front  bool     // called as csift
	Args   []string // the words that are no flags
	DashAt int      // index in Args of the first word after "--", -1 when there was no "--"

	Out         *stdio.Out   // standard output: data, nothing else
	Banner      io.Writer    // where lines go that are neither rows nor notes: see bannerTo
	Stderr      io.Writer    // for what is already worded; messages go through Note and Fail
	Format      stdio.Format // how to answer
	FormatTyped bool         // --format was given: a payload mode may refuse it
	Payload     bool         // Tool.Payload said so
	TextInFIFO  bool         // text into a pipe: every line at column 0 must be an address
	Color       bool         // standard output is a terminal that wants colour

	Home             string // the Claude Code home: what Family.Home found
	Cwd              string // "" when it cannot be known
	Now              time.Time
	Getenv           func(string) string
	Slow             bool // CSIFT_SLOW=1: the one simple path, no shortcut
	CrossCompactions int  // --cross-compactions, AllCrossings for all

	sys       System
	tool      *Tool
	homeFlag  string // --claude-home as typed
	typed     []setting
	lists     bool   // takes --sessions-from
	stdinUsed string // which word or flag reads standard input
	listed    *row.Source
	failed    bool
	unread    map[string]bool // paths that could not be read
	progress  atomic.Pointer[stdio.Progress]
	mu        sync.Mutex // of Stderr, failed and unread
}

// Note tells something on standard error: "csift-search: words". What was written to
// Out before it is flushed first, so that the two streams keep their order where they
// are one file, as under the Bash tool of Claude Code (seen at 2.1.258).
func (e *Env) Note(format string, a ...any) { e.tell(fmt.Errorf(format, a...)) }

// Fail tells an error and lets the work go on; the program will end with 1. It is for
// one file of many that cannot be read.
func (e *Env) Fail(err error) {
	e.tell(err)
	e.Partial()
}

// Partial makes the program end with 1 although Run returns nil.
func (e *Env) Partial() {
	e.mu.Lock()
	e.failed = true
	e.mu.Unlock()
}

func (e *Env) tell(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Out.Flush()
	e.progress.Load().Clear()
	io.WriteString(e.Stderr, describe(e.Prog, err))
}

// aside tells something from another goroutine: it leaves Out alone.
func (e *Env) aside(msg string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	io.WriteString(e.Stderr, describe(e.Prog, errors.New(msg)))
}

// Progress shows label on standard error when that is a terminal and the work takes
// longer than half a second. It returns nil otherwise, and nil may be stopped. The
// line is erased before anything else is printed and when the verb is done.
func (e *Env) Progress(label func() string) *stdio.Progress {
	if stdio.KindOf(e.sys.Stderr) != stdio.Terminal {
		return nil
	}
	p := stdio.StartProgress(e.sys.Stderr, label)
	e.progress.Swap(p).Stop()
	return p
}

// bannerTo returns where a banner or footer goes: with the rows of a text answer, but
// onto standard error when the text goes into a pipe, where each line at column 0 must
// be an address, or when the answer is a bare payload. Rows say the same in their
// header and summary, so in JSON it goes nowhere.
func (e *Env) bannerTo() io.Writer {
	switch {
	case e.Format == stdio.JSON:
		return io.Discard
	case e.TextInFIFO || e.Payload:
		return asideWriter{e}
	}
	return e.Out
}

// Nothing says that a text answer has no rows, by one of the words that pkg/row knows: indented where each line at
// column 0 must be an address, so that the next tool takes it for the empty answer that it is.
func (e *Env) Nothing(words string) error {
	if e.TextInFIFO {
		_, err := io.WriteString(e.Out, "  "+words+"\n")
		return err
	}
	_, err := io.WriteString(e.Banner, words+"\n")
	return err
}

// asideWriter writes to standard error after what was written to Out.
type asideWriter struct{ env *Env }

func (w asideWriter) Write(b []byte) (int, error) {
	e := w.env
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.Out.Flush(); err != nil {
		return 0, err
	}
	e.progress.Load().Clear()
	e.Stderr.Write(b) // a note that cannot be told is no reason to stop
	return len(b), nil
}

// newEnv fills in what the flags and the environment say.
func newEnv(c call, sys System, root rootOptions, l line, opts any, home func(string, func(string) string) (string, error)) (*Env, error) {
	e := &Env{
		Prog: c.prog, Verb: c.tool.Name, Front: c.front, Args: l.words, DashAt: l.dashAt,
		Now: sys.Now(), Getenv: sys.Getenv, Home: root.ClaudeHome,
		sys: sys, tool: c.tool, homeFlag: root.ClaudeHome, typed: l.settings, Out: stdio.NewOut(writer(sys.Stdout)), Stderr: writer(sys.Stderr),
	}
	e.Out.Before = func() { e.progress.Load().Clear() }
	e.Slow = sys.Getenv("CSIFT_SLOW") == "1"
	e.Payload = c.tool.Payload != nil && c.tool.Payload(opts)
	if err := e.chooseFormat(root.Format); err != nil {
		return e, err
	}
	e.Banner = e.bannerTo()
	var err error
	if e.CrossCompactions, err = crossings(root.Crossings); err != nil {
		return e, err
	}
	if e.Cwd, err = sys.Getwd(); err != nil {
		e.Cwd = ""
	}
	if home != nil {
		e.Home, err = home(root.ClaudeHome, sys.Getenv)
	}
	return e, err
}

func (e *Env) chooseFormat(flag string) error {
	fromEnv := e.Getenv("CSIFT_FORMAT")
	if _, ok := stdio.ParseFormat(flag); flag != "" && !ok {
		return Usagef("--format takes text or json, not %q", flag)
	}
	if _, ok := stdio.ParseFormat(fromEnv); fromEnv != "" && !ok && flag == "" && !e.Payload {
		return Usagef("CSIFT_FORMAT is text or json, not %q", fromEnv)
	}
	out := stdio.KindOf(e.sys.Stdout)
	e.Format, _ = stdio.Choose(stdio.Ask{
		Flag: flag, Payload: e.Payload, Env: fromEnv, Front: e.Front,
		Out: out, Shared: stdio.SameStream(e.sys.Stdout, e.sys.Stderr),
	})
	e.FormatTyped = flag != ""
	e.TextInFIFO = e.Format == stdio.Text && out == stdio.FIFO
	e.Color = out == stdio.Terminal && e.Getenv("NO_COLOR") == "" && e.Getenv("TERM") != "dumb"
	return nil
}

func crossings(s string) (int, error) {
	if s == "all" {
		return AllCrossings, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, Usagef("--cross-compactions takes a whole number from 0 up, or all, not %q", s)
	}
	return n, nil
}

func writer(f *os.File) io.Writer {
	if f == nil {
		return io.Discard
	}
	return f
}

// run calls the verb. A panic becomes one line: whoever reads transcripts has no use
// for a trace. CSIFT_PANIC=1 lets it through.
func (e *Env) run(ctx context.Context, opts any) (err error) {
	if e.Getenv("CSIFT_PANIC") != "1" {
		defer func() {
			if p := recover(); p != nil {
				err = WithHint(Errorf("internal error: %v", p), "CSIFT_PANIC=1 shows where; please report it")
			}
		}()
	}
	return e.tool.Run(ctx, e, opts)
}

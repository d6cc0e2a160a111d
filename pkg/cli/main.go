package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"csift/pkg/stdio"
)

// System is the process as the tools see it. Tests make their own.
type System struct {
	Stdin, Stdout, Stderr *os.File // nil: closed
	Getenv                func(string) string
	Getwd                 func() (string, error)
	Now                   func() time.Time
	// Patience is how long a pipe on stdin may stay silent before a note says what is
	// awaited.
	Patience time.Duration
}

// OS returns the System of this process.
func OS() System {
	return System{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Getwd: os.Getwd, Now: time.Now,
		Patience: time.Second,
	}
}

// Main runs the verb that argv names and returns the exit code. argv[0] is the name the
// program was called by: a family (csift-list), a verb (csift-agents), or csift when
// the front has become this program; argv[1] is then the verb.
func Main(f Family, argv []string, sys System) int {
	patient()
	c := f.understand(argv)
	if c.tool == nil {
		return finish(nil, c.prog, sys, noSuchVerb(f, c.verb))
	}
	var root rootOptions
	opts := any(nil)
	if c.tool.New != nil {
		opts = c.tool.New()
	}
	flags, err := bind(opts, &root)
	if err != nil {
		panic("cli: options of " + c.tool.Name + ": " + err.Error())
	}
	l, err := splitArgs(flags, c.args)
	for _, s := range l.settings {
		if s.flag.Root && s.flag.Long == "help" {
			return printOut(c.prog, sys, helpText(f, c, flags))
		}
		if s.flag.Root && s.flag.Long == "version" {
			return printOut(c.prog, sys, VersionLine())
		}
	}
	if err != nil {
		return finish(nil, c.prog, sys, withUsageHint(c, err))
	}
	for _, s := range l.settings {
		if err := s.apply(); err != nil {
			return finish(nil, c.prog, sys, withUsageHint(c, err))
		}
	}
	env, err := newEnv(c, sys, root, l, opts, f.Home)
	env.lists = longFlag(flags, "sessions-from") != nil
	if err == nil {
		err = env.run(context.Background(), opts)
	}
	return finish(env, c.prog, sys, withUsageHint(c, err))
}

// VersionLine is what --version prints.
func VersionLine() string { return FrontName + " " + Version + "\n" }

// printOut prints text that is neither rows nor an answer: help and the version.
func printOut(prog string, sys System, text string) int {
	e := &Env{Prog: prog, Out: stdio.NewOut(writer(sys.Stdout)), Stderr: writer(sys.Stderr)}
	e.Out.WriteString(text)
	return finish(e, prog, sys, nil)
}

// finish flushes what was answered, tells err, and returns the exit code. A reader that
// went away is no error and leaves no message.
func finish(e *Env, prog string, sys System, err error) int {
	if e == nil {
		e = &Env{Prog: prog, Out: stdio.NewOut(nil), Stderr: writer(sys.Stderr)}
	}
	e.progress.Load().Stop()
	flushed := e.Out.Flush()
	if e.Out.Broken() {
		return stdio.BrokenExit
	}
	if err != nil && !silent(err) && !(flushed != nil && errors.Is(err, flushed)) { // what the verb passed on is told below
		io.WriteString(e.Stderr, describe(prog, err))
	}
	if flushed != nil {
		io.WriteString(e.Stderr, describe(prog, Errorf("cannot write to standard output: %w", cause(flushed))))
		return ExitFailure
	}
	switch {
	case err != nil:
		return codeOf(err)
	case e.failed:
		return ExitFailure
	}
	return ExitOK
}

// Report tells err the way Main does and returns its exit code. It is for programs
// without a verb, such as the front.
func Report(prog string, sys System, err error) int { return finish(nil, prog, sys, err) }

// Print writes text to standard output, checked, and returns the exit code.
func Print(prog string, sys System, text string) int { return printOut(prog, sys, text) }

// cause strips "write /dev/stdout:" from an error of the stream.
func cause(err error) error {
	if pe, ok := err.(*os.PathError); ok {
		return pe.Err
	}
	return err
}

// withUsageHint points an error of usage without a hint of its own at the help.
func withUsageHint(c call, err error) error {
	if err == nil || codeOf(err) != ExitUsage || len(hintsOf(err)) > 0 || silent(err) {
		return err
	}
	return WithHint(err, "see "+nameOf(c)+" --help")
}

// nameOf spells the way c was called, as far as the verb.
func nameOf(c call) string {
	if c.verb != "" {
		return c.prog + " " + c.verb
	}
	return c.prog
}

func noSuchVerb(f Family, verb string) error {
	var names []string
	for _, t := range f.Tools {
		if !t.Hidden {
			names = append(names, t.Name)
		}
	}
	err := Usagef("%s has no verb %q, only %s", f.Name, verb, orList(names))
	if near, ok := Nearest(verb, names); ok {
		return WithHint(err, "did you mean "+near+"?")
	}
	return err
}

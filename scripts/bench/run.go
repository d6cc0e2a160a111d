package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// start runs a command with its output into a pipe that is read and thrown
// away, and calls during, if any, with the process id until it ends.
func start(c command, exit1ok bool, during func(pid int, done <-chan struct{})) (time.Duration, error) {
	cmd := exec.Command(c[0], c[1:]...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	r, w, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	cmd.Stdout = w
	drained := make(chan struct{})
	began := time.Now()
	err = cmd.Start()
	w.Close()
	if err != nil {
		return 0, err
	}
	go func() {
		defer close(drained)
		_, _ = io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{r}, make([]byte, 1<<20))
	}()
	done := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		if during != nil {
			during(cmd.Process.Pid, done)
		}
	}()
	err = cmd.Wait()
	<-drained
	took := time.Since(began)
	close(done)
	<-watched
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && exit1ok {
		err = nil // ripgrep found nothing
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w: %s", strings.Join(c, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return took, nil
}

func timed(c command, exit1ok bool) (time.Duration, error) {
	return start(c, exit1ok, nil)
}

// sampled gives the peak of the private pages of a run, 0 where the system
// does not tell.
func sampled(c command) (peak int64, err error) {
	_, err = start(c, false, func(pid int, done <-chan struct{}) {
		path := fmt.Sprintf("/proc/%d/status", pid)
		for {
			peak = max(peak, private(path))
			select {
			case <-done:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	})
	return peak, err
}

func private(path string) int64 {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	_, rest, ok := strings.Cut(string(b), "RssAnon:")
	if !ok {
		return 0
	}
	fields := strings.Fields(rest)
	kb, _ := strconv.ParseInt(fields[0], 10, 64)
	return kb * 1024
}

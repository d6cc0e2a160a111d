package fileops

import (
	"path"
	"strings"
)

// Target is a file that is asked for: by its whole path or by a trailing part of it that starts at a component.
type Target struct {
	Text string // as it was asked for

	text string // with one kind of slash
	fold bool   // compared without case: a Windows path
}

// NewTarget makes a Target. "app.py" means every file of that name, "src/app.py" those in a directory src, an absolute path
// one file. Both kinds of slash divide components.
func NewTarget(text string) Target {
	return Target{Text: text, text: slashes(text), fold: windows(text)}
}

// Matches reports whether a path is the target or ends in it. The system of either decides whether case counts.
func (t Target) Matches(p string) bool {
	fold := t.fold || windows(p)
	p = slashes(p)
	if len(p) < len(t.text) || t.text == "" {
		return false
	}
	head, tail := p[:len(p)-len(t.text)], p[len(p)-len(t.text):]
	if tail != t.text && !(fold && strings.EqualFold(tail, t.text)) {
		return false
	}
	return head == "" || head[len(head)-1] == '/'
}

// Name is the last component of the target: no path that matches lacks it.
func (t Target) Name() string { return path.Base(t.text) }

// Absolute reports whether the target names one file and no other.
func (t Target) Absolute() bool { return absolute(t.text) }

// slashes cleans a path of any system and spells it with forward slashes. A relative path stays relative.
func slashes(p string) string {
	if p == "" {
		return ""
	}
	p = strings.ReplaceAll(p, `\`, "/")
	unc := strings.HasPrefix(p, "//")
	if p = path.Clean(p); unc {
		p = "/" + p
	}
	return p
}

// drive reports whether a path starts with a drive letter.
func drive(p string) bool {
	return len(p) >= 3 && p[1] == ':' && (p[2] == '\\' || p[2] == '/') && (p[0]|0x20) >= 'a' && (p[0]|0x20) <= 'z'
}

func absolute(p string) bool { return strings.HasPrefix(p, "/") || windows(p) }

// windows reports whether a path is an absolute one of Windows, where case says nothing.
func windows(p string) bool { return drive(p) || strings.HasPrefix(p, `\\`) }

// PathKey is equal for the spellings of one file: with needless parts, and on Windows with other case and slashes. A path
// that is not absolute is its own.
func PathKey(p string) string {
	switch {
	case windows(p):
		return strings.ToLower(slashes(p))
	case strings.HasPrefix(p, "/"):
		return path.Clean(p)
	}
	return p
}

// join puts a relative path below a directory, with the directory's kind of slash.
func join(dir, rel string) string {
	if windows(dir) {
		return strings.ReplaceAll(slashes(dir+"/"+rel), "/", `\`)
	}
	return path.Join(dir, rel)
}

// resolved makes a path absolute where the directory it is relative to is known.
func resolved(p, cwd string) string {
	if p == "" || cwd == "" || absolute(p) {
		return p
	}
	return join(cwd, p)
}

package home

import (
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// MaxName is the longest directory name that is the plain encoding of a path, in
// characters. A longer encoding is cut there and gets "-" and a hash.
const MaxName = 200

// Encode gives the name a working directory has under Projects: the path in NFC,
// each UTF-16 unit outside [A-Za-z0-9] replaced by one "-". Nothing collapses and
// the case stays, so "/a/.claude/b" is "-a--claude-b" and a character outside the
// basic plane gives two dashes. The result is not cut at MaxName: see Match.
func Encode(path string) string {
	var b strings.Builder
	b.Grow(len(path))
	for _, r := range norm.NFC.String(path) {
		switch {
		case r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z':
			b.WriteByte(byte(r))
		case r > 0xFFFF:
			b.WriteString("--")
		default:
			b.WriteByte('-')
		}
	}
	return b.String()
}

// Match reports whether the directory name dir can be the name of a path whose
// encoding is enc. fold asks for a comparison without case, as a Windows file
// system makes it. Beyond MaxName only the first MaxName characters can be
// compared, so several names may match: the recorded cwd decides between them.
func Match(dir, enc string, fold bool) bool {
	if len(enc) > MaxName {
		if len(dir) <= MaxName || dir[MaxName] != '-' {
			return false
		}
		dir, enc = dir[:MaxName], enc[:MaxName]
	}
	if fold {
		return strings.EqualFold(dir, enc)
	}
	return dir == enc
}

// IsWindowsPath reports whether a path is absolute by the rules of Windows: a
// drive letter with a slash of either kind, or a UNC path. A path that starts
// with two forward slashes is not taken for one.
func IsWindowsPath(path string) bool {
	if strings.HasPrefix(path, `\\`) {
		return len(path) > 2
	}
	return len(path) >= 3 && isLetter(path[0]) && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// IsDriveName reports whether a token has the shape of an encoded Windows path:
// one letter and two dashes ("C--Users-x").
func IsDriveName(token string) bool {
	return len(token) >= 3 && isLetter(token[0]) && token[1] == '-' && token[2] == '-'
}

// CleanWindows gives a Windows path in one spelling: backslashes, no trailing or
// doubled ones, no "." and ".." components, the verbatim prefix `\\?\` removed.
// It works on any system and does not look at the disk.
func CleanWindows(path string) string {
	p := strings.ReplaceAll(path, "/", `\`)
	if rest, ok := strings.CutPrefix(p, `\\?\`); ok {
		if unc, ok := strings.CutPrefix(rest, `UNC\`); ok {
			p = `\\` + unc
		} else {
			p = rest
		}
	}
	prefix := ""
	keep := 0 // leading components that ".." cannot remove
	switch {
	case strings.HasPrefix(p, `\\`):
		prefix, p, keep = `\\`, p[2:], 2
	case len(p) >= 2 && isLetter(p[0]) && p[1] == ':':
		prefix, p = p[:2]+`\`, p[2:]
	}
	var out []string
	for _, c := range strings.Split(p, `\`) {
		switch c {
		case "", ".":
		case "..":
			if len(out) > keep {
				out = out[:len(out)-1]
			}
		default:
			out = append(out, c)
		}
	}
	return prefix + strings.Join(out, `\`)
}

// SamePath reports whether two absolute paths, either of which may have been
// recorded on another machine, name one directory: equal after cleaning and NFC,
// and for Windows paths without regard to case and to the kind of slash.
func SamePath(a, b string) bool {
	wa, wb := IsWindowsPath(a), IsWindowsPath(b)
	if wa != wb {
		return false
	}
	if wa {
		return strings.EqualFold(norm.NFC.String(CleanWindows(a)), norm.NFC.String(CleanWindows(b)))
	}
	return norm.NFC.String(filepath.Clean(a)) == norm.NFC.String(filepath.Clean(b))
}

// PathKey gives one text for all paths that SamePath takes for the same, to look them up by.
func PathKey(path string) string {
	if !IsWindowsPath(path) {
		return "/ " + norm.NFC.String(filepath.Clean(path))
	}
	return `\ ` + strings.Map(func(r rune) rune {
		for least := r; ; { // of those that differ in case alone
			if r = unicode.SimpleFold(r); r <= least {
				return r
			}
		}
	}, norm.NFC.String(CleanWindows(path)))
}

// Realpath makes a path absolute against cwd and gives the spellings under which
// Claude Code may have recorded it: with the links resolved first, then as
// written when that differs. A path that is gone from disk has the links of its
// nearest existing ancestor resolved. A Windows path on another system is only
// cleaned. The list is never empty.
func Realpath(path, cwd string) []string {
	if filepath.Separator == '/' && IsWindowsPath(path) {
		if _, err := os.Lstat(filepath.Join(cwd, path)); err != nil {
			return []string{CleanWindows(path)}
		}
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(cwd, path)
	}
	path = filepath.Clean(path)
	for dir, rest := path, ""; ; {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			real = filepath.Join(real, rest)
			if real == path {
				return []string{path}
			}
			return []string{real, path}
		}
		up := filepath.Dir(dir)
		if up == dir {
			return []string{path}
		}
		dir, rest = up, filepath.Join(filepath.Base(dir), rest)
	}
}

package fileops

import (
	"bytes"
	"strings"
)

// near is the second look at a line that holds the name of a target, before anything is parsed: names like main.go stand in
// many transcripts, and what stands before the name often tells that it is another file's. It judges raw bytes of JSON, so
// it turns away only what is plain: the rest of a longer name, or a file in another directory.
type near []nearName

type nearName struct {
	name, parent []byte // parent is the directory's own name, empty where nothing can be told by it
	fold         bool
}

// newNear gives nil, which lets every line through, where some name may be spelled in more ways than one.
func newNear(targets []Target) near {
	out := make(near, 0, len(targets))
	for i := range targets {
		t := &targets[i]
		n := nearName{name: []byte(t.Name()), fold: t.fold}
		if !plainName(n.name) {
			return nil
		}
		if k := len(t.text) - len(n.name); k > 1 && t.text[k-1] == '/' {
			dir := t.text[:k-1]
			if p := []byte(dir[strings.LastIndexByte(dir, '/')+1:]); plainName(p) {
				n.parent = p
			}
		}
		if n.fold {
			n.name, n.parent = bytes.ToLower(n.name), bytes.ToLower(n.parent)
		}
		out = append(out, n)
	}
	return out
}

// plainName reports whether a name is spelled in one way only in JSON and in a shell: but for \u escapes, see hidden.
func plainName(name []byte) bool {
	for _, c := range name {
		if !plainByte(c) {
			return false
		}
	}
	return len(name) > 0
}

func plainByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
}

// mention reports whether a raw line may be about a target.
func (n near) mention(line []byte) bool {
	if n == nil || hidden(line) {
		return true
	}
	var low []byte
	for i := range n {
		text := line
		if n[i].fold {
			if low == nil {
				low = bytes.ToLower(line)
			}
			text = low
		}
		for at := 0; ; at++ {
			k := bytes.Index(text[at:], n[i].name)
			if k < 0 {
				break
			}
			if at += k; n[i].stands(text, at) {
				return true
			}
		}
	}
	return false
}

// hidden reports whether the line spells some plain character as an escape, which a name may be hidden behind.
func hidden(line []byte) bool {
	for at := 0; ; {
		k := bytes.Index(line[at:], []byte(`\u00`))
		if k < 0 {
			return false
		}
		if at += k + 4; at+1 < len(line) && line[at] >= '2' && line[at] <= '7' {
			var c byte
			for _, d := range line[at : at+2] {
				c <<= 4
				switch {
				case d >= '0' && d <= '9':
					c |= d - '0'
				case d|0x20 >= 'a' && d|0x20 <= 'f':
					c |= d | 0x20 - 'a' + 10
				}
			}
			if plainByte(c) || c == '/' || c == '\\' {
				return true
			}
		}
	}
}

// stands reports whether the name at a place of a raw line may be a path's last component, in the right directory as far as
// the bytes before it say.
func (n *nearName) stands(line []byte, at int) bool {
	if end := at + len(n.name); end < len(line) && line[end] != '.' && plainByte(line[end]) {
		return false
	}
	if at == 0 {
		return true
	}
	switch c := line[at-1]; {
	case c == '/' || c == '\\':
		return n.inParent(line[:at])
	case !plainByte(c):
		return true
	}
	return glued(line[:at])
}

// glued reports whether what stands right before a name is no part of a longer one: an escape (\n), or a flag of one letter
// (-o).
func glued(before []byte) bool {
	n := len(before)
	return n > 1 && (before[n-2] == '\\' || before[n-2] == '-') || n > 5 && before[n-6] == '\\' && before[n-5] == 'u'
}

// inParent reports whether bytes that end in a slash may name the target's directory.
func (n *nearName) inParent(before []byte) bool {
	dir := bytes.TrimRight(before, `/\`)
	if len(n.parent) == 0 || len(dir) == 0 || bytes.HasSuffix(dir, n.parent) {
		return true
	}
	k := len(dir)
	for k > 0 && plainByte(dir[k-1]) {
		k--
	}
	word := string(dir[k:])
	if k > 0 && dir[k-1] == '\\' && word != "" { // an escape, such as \n
		if word = word[1:]; len(word) >= 4 && dir[k] == 'u' {
			word = word[4:]
		}
	}
	if strings.Trim(word, ".") == "" {
		return true
	}
	// What a shell would put there is not known.
	return k > 0 && strings.IndexByte("$}*?]~`)!", dir[k-1]) >= 0
}

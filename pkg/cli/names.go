package cli

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// homes names the small binary of each verb of the toolkit. A tool prints commands of
// other families, so the names are known here although the verbs are not.
var homes = map[string]string{
	"list": "csift-list", "whoami": "csift-list", "agents": "csift-list", "stats": "csift-list",
	"search": "csift-search",
	"show":   "csift-show", "verbatim": "csift-show", "image": "csift-show",
	"recover": "csift-recover", "files": "csift-recover", "plan": "csift-recover",
	"status": "csift-live", "wait": "csift-live",
	"send": "csift-channel", "msg": "csift-channel", "ack": "csift-channel", "deliver": "csift-channel",
}

// spellVerb returns how a verb is called: "csift show" through the front, else
// "csift-show", or "csift-list agents" for a verb without a binary of its own name.
func spellVerb(front bool, verb string) string {
	own := FrontName + "-" + verb
	switch home, ok := homes[verb]; {
	case front:
		return FrontName + " " + verb
	case ok && home != own:
		return home + " " + verb
	}
	return own
}

// Command spells a command line the way this tool was called: Command("show", "@id")
// is "csift show @id" through the front and "csift-show @id" otherwise. It names the
// Claude Code home where --claude-home did. Words are quoted for a POSIX shell where
// that is needed.
func (e *Env) Command(verb string, args ...string) string {
	words := []string{spellVerb(e.Front, verb)}
	for _, a := range args {
		words = append(words, Quote(a))
	}
	if e.homeFlag != "" {
		words = append(words, "--claude-home", Quote(e.homeFlag))
	}
	return strings.Join(words, " ")
}

// Again spells the command line of this run with one flag set anew: Again("--max-count",
// "0") is "csift search carry . -t user --max-count 0". What was read from standard input
// cannot be read again, so then it is the flag alone.
func (e *Env) Again(flag, value string) string {
	if e.stdinUsed != "" {
		return flag + " " + Quote(value)
	}
	words, behind := e.Args, []string(nil)
	if e.DashAt >= 0 && e.DashAt < len(words) {
		words, behind = words[:e.DashAt:e.DashAt], append([]string{"--"}, words[e.DashAt:]...)
	}
	words = words[:len(words):len(words)]
	for _, s := range e.typed {
		switch {
		case "--"+s.flag.Long == flag, s.flag.Long == "claude-home":
		case !s.flag.Takes:
			words = append(words, s.typed)
		case strings.HasPrefix(s.typed, "--"):
			words = append(words, s.typed+"="+s.value)
		default:
			words = append(words, s.typed, s.value)
		}
	}
	return e.Command(e.Verb, append(append(words, flag, value), behind...)...)
}

// Quote returns s as one word of a POSIX shell.
func Quote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%_+=:,./-", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	if !utf8.ValidString(s) || strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0 {
		return quoteBytes(s)
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// quoteBytes spells a word that no line of text can hold as it is, $'...' with the bytes in octal: a line end would cut
// the command in two, and ESC would reach the terminal.
func quoteBytes(s string) string {
	out := []byte("$'")
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == '\'' || r == '\\':
			out = append(out, '\\', byte(r))
		case unicode.IsPrint(r) && (r != utf8.RuneError || n > 1):
			out = append(out, s[:n]...)
		default:
			for _, b := range []byte(s[:n]) {
				out = fmt.Appendf(out, `\%03o`, b)
			}
		}
		s = s[n:]
	}
	return string(append(out, '\''))
}

// spellLine spells the verbs in an example, which names them alone or after csift:
// each word that starts a stage of the pipeline.
func spellLine(front bool, command string) string {
	var out []string
	start := true
	for _, w := range strings.Split(command, " ") {
		if _, ok := homes[w]; ok && start {
			if n := len(out); n > 0 && out[n-1] == FrontName {
				out = out[:n-1]
			}
			w = spellVerb(front, w)
		}
		out = append(out, w)
		start = w == "|" || w == "&&" || w == "||" || w == FrontName || strings.HasSuffix(w, ";")
	}
	return strings.Join(out, " ")
}

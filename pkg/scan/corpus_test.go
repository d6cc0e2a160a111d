package scan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"csift/pkg/row"
)

// A writer makes random transcripts: every kind of record that gives a text, in every spelling that JSON allows, and
// every kind of damage.
type writer struct {
	*rand.Rand
	out   bytes.Buffer
	n     int // records written
	uuids []string
	calls []string
	plain bool // only replies without rare words, as most of a long session is
}

var vocabulary = strings.Fields("carry split chunk the a of error timeout Error panic TODO func main() grep -n x y xx xyz 2026-03-02 ABC-1234 task " +
	"completed background-command question boundary answered answers response straße Émile ünit 日本語 漢字仮名 🦊 kelvin K ſ long-word_with.punct /home/u/a.go " +
	`\n "quoted" {brace} [bracket] a,b c:d <tag> & uuids monitor !ls Q1 A1 (State) compact_boundary`)

func (w *writer) word() string { return vocabulary[w.IntN(len(vocabulary))] }

func (w *writer) text() string {
	var b strings.Builder
	for i := range 1 + w.IntN(12) {
		if i > 0 {
			b.WriteString([]string{" ", " ", " ", "  ", "\n", "\t", "\u00a0", " \n "}[w.IntN(8)])
		}
		b.WriteString(w.word())
		if w.IntN(15) == 0 {
			b.WriteString(strconv.Itoa(w.IntN(3000)))
		}
	}
	return b.String()
}

// str spells a string in JSON, some characters escaped without need.
func (w *writer) str(s string) string {
	odd := w.IntN(4) == 0
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n' && w.IntN(4) > 0:
			b.WriteString(`\n`)
		case r == '/' && odd:
			b.WriteString(`\/`)
		case r < 0x20 || odd && r < 0x10000 && w.IntN(12) == 0:
			fmt.Fprintf(&b, `\u%04x`, r)
		case odd && r >= 0x10000 && w.IntN(2) == 0:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04X\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			b.WriteRune(r)
		}
	}
	if w.IntN(60) == 0 {
		b.WriteString([]string{`\ud800`, "\xff", `\u0000`}[w.IntN(3)])
	}
	b.WriteByte('"')
	return b.String()
}

// object joins key and value pairs; now and then with blanks between the tokens, as a file that was written again has.
func (w *writer) object(kv ...string) string {
	colon, comma := ":", ","
	if w.IntN(8) == 0 {
		colon, comma = " : ", " ,\t"
	}
	var b strings.Builder
	b.WriteByte('{')
	for i := 0; i < len(kv); i += 2 {
		if i > 0 {
			b.WriteString(comma)
		}
		b.WriteString(`"` + kv[i] + `"` + colon + kv[i+1])
	}
	b.WriteByte('}')
	return b.String()
}

func (w *writer) block(kind string, kv ...string) string {
	return w.object(append([]string{"type", `"` + kind + `"`}, kv...)...)
}

// node is a record with a uuid and a parent.
func (w *writer) node(kind string, kv ...string) string {
	w.n++
	id := fmt.Sprintf("%08x-0000-4000-8000-000000000000", w.n)
	if len(w.uuids) > 0 && w.IntN(40) == 0 {
		id = w.uuids[w.IntN(len(w.uuids))]
	}
	parent := "null"
	if len(w.uuids) > 0 {
		parent = `"` + w.uuids[len(w.uuids)-1] + `"`
		if w.IntN(20) == 0 {
			parent = `"` + w.uuids[w.IntN(len(w.uuids))] + `"`
		}
	}
	w.uuids = append(w.uuids, id)
	all := append([]string{"type", `"` + kind + `"`, "uuid", `"` + id + `"`, "parentUuid", parent}, kv...)
	if w.IntN(20) > 0 {
		all = append(all, "timestamp", fmt.Sprintf(`"2026-03-02T%02d:%02d:%02d.000Z"`, w.n/3600%24, w.n/60%60, w.n%60))
	}
	if w.IntN(3) == 0 {
		all = append(all, "version", []string{`"2.1.332"`, `"2.1.258"`, `null`, `7`}[w.IntN(4)])
	}
	return w.object(all...)
}

func (w *writer) message(role string, content string) []string {
	kv := []string{"role", `"` + role + `"`, "content", content}
	if role == "assistant" {
		kv = append(kv, "model", []string{`"claude-opus-5-5"`, `"<synthetic>"`}[w.IntN(2)])
	}
	return []string{"message", w.object(kv...)}
}

func (w *writer) user(content string, more ...string) string {
	return w.node("user", append(w.message("user", content), more...)...)
}

func (w *writer) assistant(blocks ...string) string {
	return w.node("assistant", w.message("assistant", "["+strings.Join(blocks, ",")+"]")...)
}

func (w *writer) call(tool, input string) string {
	id := fmt.Sprintf("toolu_%d", w.n)
	w.calls = append(w.calls, id)
	return w.assistant(w.block("tool_use", "id", `"`+id+`"`, "name", `"`+tool+`"`, "input", input))
}

func (w *writer) callID() string {
	if len(w.calls) == 0 || w.IntN(10) == 0 {
		return `"toolu_none"`
	}
	return `"` + w.calls[len(w.calls)-1-w.IntN(min(3, len(w.calls)))] + `"`
}

func (w *writer) result(content, isError string, more ...string) string {
	return w.user("["+w.block("tool_result", "tool_use_id", w.callID(), "content", content, "is_error", isError)+"]", more...)
}

func (w *writer) record() string {
	if w.plain {
		return w.assistant(w.block("text", "text", `"nothing of note stands here, only filler of the usual kind"`))
	}
	switch w.IntN(22) {
	case 0, 1:
		return w.user(w.str(w.text()))
	case 2:
		return w.user("[" + w.block("text", "text", w.str(w.text())) + "," + w.block("text", "text", w.str(w.text())) + "]")
	case 3, 4, 5:
		return w.assistant(w.block("text", "text", w.str(w.text())))
	case 6:
		return w.assistant(w.block("thinking", "thinking", w.str(w.text()), "signature", `"c2ln"`), w.block("text", "text", w.str(w.text())))
	case 7, 8:
		return w.call([]string{"Bash", "Edit", "Agent", "SendMessage"}[w.IntN(4)], w.object("command", w.str(w.text()), "n", strconv.Itoa(w.IntN(99)), "to", w.str(w.word())))
	case 9, 10:
		return w.result(w.str(w.text()), []string{"true", "false"}[w.IntN(2)])
	case 11:
		return w.result("["+w.block("text", "text", w.str(w.text()))+","+w.block("tool_reference", "tool_name", w.str(w.word()))+"]", "false")
	case 12:
		return w.answer()
	case 13:
		return w.call("ExitPlanMode", w.object("plan", w.str(w.text()), "planFilePath", w.str("/plans/"+w.word()+".md")))
	case 14:
		return w.result(w.str("The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n"+w.text()), "true")
	case 15:
		return w.user(w.str(w.pulse() + w.pulse()))
	case 16:
		return w.user(w.str("<bash-input>" + w.text() + "</bash-input>"))
	case 17:
		return w.user(w.str("<command-name>/" + w.word() + "</command-name>\n<command-args>" + w.text() + "</command-args>"))
	case 18:
		return w.node("system", "subtype", `"compact_boundary"`, "content", w.str(w.text()), "logicalParentUuid", w.str(w.word()),
			"compactMetadata", w.object("trigger", w.str(w.word()), "preTokens", strconv.Itoa(w.IntN(3000)),
				"preservedMessages", w.object("uuids", `["a","b"]`, "allUuids", `[]`, "anchorUuid", w.str(w.word()))))
	case 19:
		return w.node("attachment", "attachment", w.block([]string{"queued_command", "brand_new", "hook_success"}[w.IntN(3)], "prompt", w.str(w.text()), "content", "["+w.str(w.text())+"]"))
	case 20:
		return w.user(w.str("<teammate-message teammate_id=\"" + w.word() + "\">" + w.text() + "</teammate-message>"))
	}
	return []string{
		w.object("type", `"last-prompt"`, "lastPrompt", w.str(w.text())),
		w.object("type", `"ai-title"`, "aiTitle", w.str(w.text())),
		w.object("type", `"progress"`, "uuid", w.str(w.word()), "message", w.object("content", w.str(w.text()))),
		w.object("type", `"`+w.strangeType()+`"`, "content", w.str(w.text())),
		w.object("text", w.str(w.text())),
		w.user("5", "isMeta", `"yes"`),
		w.user(w.str(w.text()), "isMeta", "true"),
		w.node("system", "subtype", []string{`"local_command"`, `"informational"`, `"novel"`, `"scheduled_task_fire"`}[w.IntN(4)], "content", w.str(w.text())),
	}[w.IntN(8)]
}

func (w *writer) strangeType() string {
	return []string{"new-type", `us\u0065r`, "queue-operation"}[w.IntN(3)]
}

func (w *writer) pulse() string {
	s := "<task-notification>\n<task-id>b" + strconv.Itoa(w.IntN(1e7)) + "</task-id>\n"
	if w.IntN(2) == 0 {
		s += "<status>" + w.word() + "</status>\n"
	}
	return s + "<summary>" + []string{"Background command ", "Monitor ", ""}[w.IntN(3)] + w.text() + "</summary>\n</task-notification>\n"
}

func (w *writer) answer() string {
	q := w.text()
	questions := "[" + w.object("question", w.str(q), "header", w.str(w.word()), "options", "["+w.object("label", w.str(w.word()), "description", w.str(w.text()))+"]") + "]"
	switch w.IntN(4) {
	case 0:
		return w.result(w.str("Your questions have been answered: "+w.text()), "false")
	case 1:
		return w.result(w.str(w.text()), "false", "toolUseResult", w.object("response", w.str(w.text())))
	case 2:
		return w.result(w.str(w.text()), "false", "toolUseResult", w.object("answers", w.object("q", w.str(w.text()))))
	}
	return w.result(w.str(w.text()), "false", "toolUseResult", w.object("questions", questions, "answers", "{"+w.str(q)+":"+w.str(w.word())+"}"))
}

// line writes one physical line, damaged at times.
func (w *writer) line() {
	s := w.record()
	if !w.plain {
		switch w.IntN(30) {
		case 0:
			s = s[:w.IntN(len(s))]
		case 1:
			s = s[w.IntN(len(s)):]
		case 2:
			s += w.record()
		case 3:
			s = s[:w.IntN(len(s))] + w.record()
		case 4:
			s = w.record() + s[:w.IntN(len(s))]
		case 5:
			s += "\x00\x00"
		case 6:
			s += "\r"
		case 7:
			s = w.text()
		case 8:
			s = []string{"", " ", "null", "[1]", "{}", "{}{}", `{"type":"user"`, `{"a":}`, `"` + w.word() + `"`}[w.IntN(9)]
		case 9:
			i := w.IntN(len(s))
			s = s[:i] + string(rune('!'+w.IntN(90))) + s[i:]
		}
	}
	w.out.WriteString(s + "\n")
}

// transcript writes n lines.
func (w *writer) transcript(n int) {
	if w.IntN(5) == 0 {
		w.out.WriteString("\ufeff")
	}
	for range n {
		w.line()
	}
	if w.IntN(3) == 0 {
		w.out.Truncate(w.out.Len() - 1 - w.IntN(min(40, w.out.Len()-1)))
	}
}

// save puts the transcript below a directory and gives it as a file to search.
func (w *writer) save(t testing.TB, name string, agent bool) File {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".jsonl")
	if err := os.WriteFile(path, w.out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return File{Ref: row.Ref{SessionID: name, IsSubagent: agent, ParentSessionID: name, Transcript: path, Path: path}}
}

// Package specimen turns a short notation into the files that Claude Code
// would have written: transcripts, subagent transcripts and their meta files
// below a Claude home. It is for tests and samples; nothing that csift ships
// imports it. What is written depends on the notation alone: ids come from the
// names, instants from a clock that starts where the notation says.
//
// # Notation
//
// One record a line; blank lines and lines that start with # say nothing. A
// line is a word, a name, and what the word takes:
//
//	session s1 cwd=/home/u/app version=2.1.332
//	user u1 "why does the carry exist?"
//	thinking a1 "They ask about the carry."
//	assistant a2 "Let me look."
//	tool_use a3 Bash {"command":"grep -n carry split.go"}
//	tool_result r1 a3 "12: carry := line[n:]"
//	user u2 a2 "typed after a rewind to a2"
//
// A record's parent is the record before it unless a name follows its own
// name (- for none). Its uuid is ID(name); the names stand for their ids
// elsewhere as ${name}. Text is a Go string ("..." or `...`), "x"*1000 repeats
// it, "a"*9"b" joins two. JSON may stand in place of the text and becomes the
// content as it is. What follows as key=value is set on the record (dots go
// down: message.stop_reason=end_turn), -key takes the key away; a value that is
// not JSON is a string.
//
// Places, each starting a file:
//
//	session NAME [id= cwd= version= branch= model= entrypoint= project= start= step=]
//	agent NAME of=SESSION [id= type= in=workflows/wf_1 flat= meta={...} ...]
//	file PATH               any other file below the Claude home
//
// Records with a uuid and a parent:
//
//	user NAME [PARENT] TEXT
//	assistant NAME [PARENT] TEXT
//	thinking NAME [PARENT] TEXT
//	tool_use NAME [PARENT] TOOL {INPUT}      the call's id is toolu_NAME
//	tool_result NAME [PARENT] CALL TEXT      CALL is the name of the tool_use; is_error=true rides the block
//	system NAME [PARENT] SUBTYPE [TEXT]
//	attachment NAME [PARENT] TYPE {PAYLOAD}
//	boundary NAME [PARENT] {METADATA}        a compact_boundary after PARENT
//	summary NAME [PARENT] TEXT               the compaction's summary
//
// Lines without:
//
//	line TYPE {MEMBERS}     the type first, the session's id last
//	queue OPERATION [TEXT]  a queue-operation
//	raw TEXT                these bytes ("\xff" is one byte); a bare rest is taken as it stands
//
// Shapes of damage, and the clock:
//
//	torn N RECORD...        the first N bytes of that record
//	joined RECORD...        on the same physical line as what stands before
//	blank                   an empty line
//	bom, crlf, lf           a byte order mark; how later lines end
//	nonl                    takes the newline off the last line
//	nul N                   N zero bytes
//	set key=value...        the place's keys, from here on
//	at INSTANT | at +1h     moves the clock; each record then takes a step
package specimen

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Home is what a notation describes.
type Home struct {
	// Files maps slash paths below the Claude home to their bytes, in order
	// of Order.
	Files map[string][]byte
	Order []string
	// Names maps each name to its id: a uuid for sessions and records, the
	// bare agent id for agents.
	Names map[string]string
	// Lines maps the name of each record to its physical line, 1-based.
	Lines map[string]int
	// Paths maps the name of each session and agent to its slash path.
	Paths map[string]string
}

// ID gives the uuid of a name: the name in hex in front, so that names of up
// to four letters differ in the first eight digits; a name of more than six
// letters is hashed.
func ID(name string) string {
	b := make([]byte, 16)
	if len(name) <= 6 {
		copy(b, name)
	} else {
		sum := sha1.Sum([]byte(name))
		copy(b, sum[:])
	}
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	h := hex.EncodeToString(b)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// AgentID gives the id of an agent's name: an a and 16 hex digits.
func AgentID(name string) string {
	b := make([]byte, 8)
	if len(name) <= 8 {
		copy(b, name)
	} else {
		sum := sha1.Sum([]byte(name))
		copy(b, sum[:])
	}
	return "a" + hex.EncodeToString(b)
}

// Write puts the files below dir.
func (h *Home) Write(dir string) error {
	for _, name := range h.Order {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, h.Files[name], 0o666); err != nil {
			return err
		}
	}
	return nil
}

// Parse reads a notation. Errors name the line.
func Parse(src string) (*Home, error) {
	p := &parser{home: &Home{
		Files: map[string][]byte{},
		Names: map[string]string{},
		Lines: map[string]int{},
		Paths: map[string]string{},
	}}
	lines := strings.Split(src, "\n")
	// Names first: a record may speak of one that comes later.
	for _, pass := range []func(string) error{p.declare, p.line} {
		for i, l := range lines {
			l = strings.TrimSuffix(l, "\r")
			if t := strings.TrimSpace(l); t == "" || t[0] == '#' {
				continue
			}
			if err := pass(l); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
		}
	}
	p.finish()
	return p.home, nil
}

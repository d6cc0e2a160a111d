package board

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// OracleTurns compares, for every transcript in which the client stated its
// own turn numbers (turnPosition, seen from 2.1.332), the lines where the
// client starts a turn with those where csift does. A difference counts as
// accounted for when the record is of a kind that opens a turn for one side
// only; the notes list each such record. Anything else falls short.
func OracleTurns(t Tools, homes ...string) (*Report, error) {
	r := &Report{Name: "oracle-turns"}
	kinds := map[string]int{}
	err := eachTranscript(homes, false, func(home, file string, lines []line) {
		if theirs := clientTurns(lines); len(theirs) > 0 {
			compareTurns(t, r, kinds, home, file, lines, theirs)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		r.note("%4d  %s", kinds[k], k)
	}
	return r, nil
}

// clientTurns gives the lines that start a turn for the client: the first of
// each run of records that state one turnIndex.
func clientTurns(lines []line) map[int]bool {
	starts := map[int]bool{}
	last := -1
	for _, l := range lines {
		var at struct {
			TurnIndex *int `json:"turnIndex"`
		}
		if json.Unmarshal(l.rec.TurnPosition, &at) != nil || at.TurnIndex == nil {
			continue
		}
		if *at.TurnIndex != last {
			starts[l.n] = true
			last = *at.TurnIndex
		}
	}
	return starts
}

func compareTurns(t Tools, r *Report, kinds map[string]int, home, file string, lines []line, theirs map[int]bool) {
	res := t.Run(home, "csift-show", file, "--line", "..", "--max-count", "0", "--format", "json")
	got, err := rows(res.Out)
	if err != nil || res.Code != 0 {
		r.check(false, "%s: %v %v", short(file), res, err)
		return
	}
	ours := map[int]bool{}
	for _, x := range got {
		if x.Kind == "record" && x.ForRoot.Hops != nil && *x.ForRoot.Hops == 0 {
			ours[x.Line] = true
		}
	}
	byLine := map[int]line{}
	for _, l := range lines {
		byLine[l.n] = l
	}
	for _, n := range slices.Sorted(maps.Keys(theirs)) {
		if ours[n] {
			r.check(true, "")
			continue
		}
		kind := clientOnly(byLine[n])
		r.check(kind != "", "%s:%d opens a turn for the client alone, a %s", short(file), n, describe(byLine[n]))
		if kind != "" {
			kinds["client only: "+kind]++
			r.note("%s:%d  client only: %s", short(file), n, kind)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(ours)) {
		if theirs[n] {
			continue
		}
		kind := csiftOnly(byLine[n])
		r.check(kind != "", "%s:%d opens a turn for csift alone, a %s", short(file), n, describe(byLine[n]))
		if kind != "" {
			kinds["csift only: "+kind]++
			r.note("%s:%d  csift only: %s", short(file), n, kind)
		}
	}
}

// clientOnly names the kind of a record that opens a turn for the client and
// not for csift, "" when there is no such kind.
func clientOnly(l line) string {
	text := textOf(l.rec)
	switch {
	case strings.HasPrefix(text, "<bash-stdout>") || strings.HasPrefix(text, "<bash-stderr>"):
		return "the output of a typed shell command carries the position"
	case l.rec.TurnOrigin == "scheduled":
		return "a scheduled fire"
	case strings.HasPrefix(text, "<command-message>") || strings.HasPrefix(text, "<command-name>"):
		return "a slash command with a prompt for a body"
	case l.rec.IsMeta && l.rec.TurnOrigin != "":
		return "a meta record that the client gave a turn (" + l.rec.TurnOrigin + ")"
	}
	return ""
}

var sentence = regexp.MustCompile(`^(Your questions have been answered|The user answered|User has answered)`)

// csiftOnly is the same the other way round.
func csiftOnly(l line) string {
	text := textOf(l.rec)
	var result struct {
		Answers  map[string]any `json:"answers"`
		Response string         `json:"response"`
	}
	_ = json.Unmarshal(l.rec.ToolResult, &result)
	switch {
	case len(result.Answers) > 0, result.Response != "", sentence.MatchString(resultText(l.rec)):
		return "an answer to AskUserQuestion"
	case strings.Contains(resultText(l.rec), "To tell you how to proceed, the user said:\n"):
		return "a rejection with typed words"
	case strings.HasPrefix(text, "<bash-input>"):
		return "a typed shell command: the client counts its output"
	case strings.HasPrefix(text, "<task-notification>"):
		return "a task notification without a position"
	case bytes.Contains(l.raw, []byte("-message ")) && (strings.Contains(text, "<teammate-message ") || strings.Contains(text, "<agent-message ") || strings.Contains(text, "<cross-session-message ")):
		return "a message of a peer"
	case l.rec.TurnPosition != nil:
		return "a rewind: the client takes the same number again"
	}
	return ""
}

// textOf gives the first text of a message.
func textOf(rec record) string {
	for _, b := range blocks(rec.Message.Content) {
		if b.Type == "text" {
			return b.Text
		}
	}
	return ""
}

// resultText gives the text of a tool result.
func resultText(rec record) string {
	for _, b := range blocks(rec.Message.Content) {
		if b.Type != "tool_result" {
			continue
		}
		for _, inner := range blocks(b.Content) {
			if inner.Type == "text" {
				return inner.Text
			}
		}
	}
	return ""
}

func describe(l line) string {
	text := textOf(l.rec)
	if text == "" {
		text = resultText(l.rec)
	}
	return l.rec.Type + " record " + strings.ReplaceAll(text[:min(len(text), 80)], "\n", " ")
}

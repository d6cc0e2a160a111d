package section

import (
	"slices"
	"strconv"
	"strings"

	"csift/pkg/excerpt"
	"csift/pkg/label"
	"csift/pkg/record"
)

// A head is a line in brackets that csift makes of the keys of a record which says little in words. What a head is made
// of stands in made.

// system gives the text of a system record. Its error object holds HTTP response headers and is never rendered whole.
func (b *Builder) system(r *record.Record) {
	leaf, ok := label.System(r.Subtype.String())
	switch {
	case !ok:
		b.said(-1, r.Content, label.None)
	case leaf == label.HarnessCompactionBoundary:
		b.add(Section{Labels: b.labels(leaf), Text: b.text(boundaryText(r)), Block: -1})
	case leaf == label.HarnessTurnRecap:
		b.said(-1, r.Content, leaf)
	default:
		b.add(Section{Labels: b.labels(leaf), Text: b.text(systemText(r, leaf)), Block: -1})
	}
}

func systemText(r *record.Record, leaf label.Leaf) string {
	head := ""
	switch leaf {
	case label.HarnessTurnDuration:
		head = durationHead(r)
	case label.HarnessTurnStopHooks:
		return stopHooksText(r)
	case label.HarnessScheduleEvent:
		head = "[scheduled"
		if c := r.Content.String(); strings.HasSuffix(strings.TrimSpace(c), ")") {
			head += " " + c[strings.LastIndexByte(c, '('):] // in its parentheses, as it stands there
		}
		head = strings.TrimSpace(head) + "]" + pairsOf(r.Raw, "taskId", "task", "cron", "", "prompt", "")
	case label.HarnessSystemRefusal:
		head = "[refusal " + r.Subtype.String() + "]" + pairsOf(r.Raw, "originalModel", "")
		if f := pairsOf(r.Raw, "fallbackModel", ""); f != "" {
			head += f
		} else {
			head += " fallbackModel=none"
		}
		head += pairsOf(r.Raw, "apiRefusalCategory", "")
		if s := r.Raw.Get("apiRefusalExplanation").Str(); len(s) > 0 {
			return below(head, r.Content.String(), s.String())
		}
	case label.HarnessSystemApiError:
		return apiErrorText(r)
	case label.HarnessSystemNotice:
		head = "[notice"
		if r.Level != nil {
			head += " " + excerpt.Fold(r.Level.String())
		}
		head += "]"
	case label.HarnessSystemKill:
		head = "[kill]"
	case label.HarnessSystemCommand:
		head = "[command]"
	}
	return below(head, r.Content.String())
}

// below puts texts under a head, each on lines of its own.
func below(head string, texts ...string) string {
	lines := append(make([]string, 0, 1+len(texts)), head)
	for _, t := range texts {
		if t != "" {
			lines = append(lines, t)
		}
	}
	return strings.Join(lines, "\n")
}

// pairsOf spells the members of an object that are there as " key=value", in the order asked for: pairs of a key and the
// name it goes by, "" for its own.
func pairsOf(v record.Raw, pairs ...string) string {
	out := ""
	for i := 0; i+1 < len(pairs); i += 2 {
		m := v.Get(pairs[i])
		if m == nil || string(m) == "null" {
			continue
		}
		name := pairs[i+1]
		if name == "" {
			name = pairs[i]
		}
		out += " " + name + "=" + excerpt.Fold(valueText(m))
	}
	return out
}

// durationHead tells how long a turn took, and all that the record measures beside it.
func durationHead(r *record.Record) string {
	var head strings.Builder
	head.WriteString("[turn duration: ")
	if ms, err := strconv.ParseInt(string(r.Raw.Get("durationMs")), 10, 64); err == nil && ms >= 0 {
		head.WriteString(spell(ms))
	} else {
		head.WriteByte('?')
	}
	sep := " ·"
	r.Raw.Each(func(key string, v record.Raw) {
		if slices.Contains(durationKeys, key) {
			head.WriteString(sep + " " + key + "=" + excerpt.Fold(valueText(v)))
			sep = ""
		}
	})
	head.WriteByte(']')
	return head.String()
}

// durationKeys are what a turn_duration record measures.
var durationKeys = []string{"durationMs", "messageCount", "pendingBackgroundAgentCount", "pendingWorkflowCount", "budgetTokens", "budgetLimit", "budgetNudges"}

// spans are the units of a duration.
var spans = []struct {
	ms, most int64 // most: the largest number of it
	unit     string
}{{24 * 3600_000, 99, "d"}, {3600_000, 23, "h"}, {60_000, 59, "m"}, {1000, 59, "s"}}

// spell gives a number of milliseconds in days, hours, minutes and seconds.
func spell(ms int64) string {
	if ms < 1000 {
		return strconv.FormatInt(ms, 10) + "ms"
	}
	var out []string
	for _, u := range spans {
		if n := ms / u.ms; n > 0 {
			out = append(out, strconv.FormatInt(min(n, u.most), 10)+u.unit)
		}
		ms %= u.ms
	}
	return strings.Join(out, " ")
}

// spelled lists all words that spell makes of numbers that stand nowhere.
func spelled() (out []string) {
	for _, u := range spans {
		for n := int64(1); n <= u.most; n++ {
			out = append(out, strconv.FormatInt(n, 10)+u.unit)
		}
	}
	return out
}

// stopHooksText lists the hooks that ran at the end of a turn, what went wrong with them and what they had to say.
func stopHooksText(r *record.Record) string {
	count := r.Raw.Get("hookCount")
	if count == nil {
		count = record.Raw(strconv.Itoa(items(r.Raw.Get("hookInfos"))))
	}
	head := "[stop hooks: count=" + excerpt.Fold(valueText(count)) + " errors=" + strconv.Itoa(items(r.Raw.Get("hookErrors"))) +
		" prevented=" + strconv.FormatBool(r.Raw.Get("preventedContinuation").True()) + pairsOf(r.Raw, "hookLabel", "label") + "]"
	lines := []string{r.Content.String()}
	r.Raw.Get("hookInfos").Items(func(v record.Raw) {
		command := v.Get("command").Str().String()
		if ms := v.Get("durationMs"); ms != nil {
			command += " (" + excerpt.Fold(valueText(ms)) + "ms)"
		}
		lines = append(lines, command)
	})
	for _, key := range [...]string{"hookErrors", "hookAdditionalContext"} {
		r.Raw.Get(key).Items(func(v record.Raw) { lines = append(lines, valueText(v)) })
	}
	return below(head, append(lines, r.Raw.Get("stopReason").Str().String())...)
}

// apiErrorText renders a failed call: what is known of the failure, and the words of the client or of the server. The
// error has been an object with HTTP headers and the server's answer in it (up to 2.1.219), and one with the client's own
// wording (2.1.332).
func apiErrorText(r *record.Record) string {
	e := r.Raw.Get("error")
	inner := e.Get("error")
	innermost := inner.Get("error")
	first := func(vs ...record.Raw) string {
		for _, v := range vs {
			if s := v.Str(); len(s) > 0 {
				return s.String()
			}
		}
		return ""
	}
	head := "[api-error" + pairsOf(e, "status", "")
	kind := first(innermost.Get("type"), inner.Get("type"), e.Get("type"))
	if kind != "" {
		head += " type=" + excerpt.Fold(kind)
	}
	attempt, most, wait := r.Raw.Get("retryAttempt"), r.Raw.Get("maxRetries"), r.Raw.Get("retryInMs")
	if attempt != nil || most != nil || wait != nil {
		known := func(v record.Raw) string {
			if v == nil {
				return "?"
			}
			return excerpt.Fold(valueText(v))
		}
		head += " retry " + known(attempt) + "/" + known(most)
		if wait != nil {
			head += " in " + known(wait) + "ms"
		}
	}
	return below(head+"]", r.Content.String(), first(e, e.Get("formatted"), innermost.Get("message"), inner.Get("message"), e.Get("message")))
}

// headKeys are the members of bookkeeping lines that their heads show. Of others the line below the head tells: if any key
// could stand before a "=", a search for a=b would have to look at every bookkeeping line.
var headKeys = []string{"lastPrompt", "leafUuid", "explicit", "mode", "permissionMode", "aiTitle", "customTitle", "agentName", "summary", "atis", "bridgeSessionId",
	"lastSequenceNum", "declaredDialogKinds", "ownerAccountUuid", "ownerOrganizationUuid", "cause", "vetoedAgainstAccountUuid", "ts", "prNumber", "prUrl", "prRepository",
	"path", "frameUrl", "title", "artifactCount", "v", "artifacts", "accountUuid", "messageId", "snapshot", "isSnapshotUpdate", "snapshotMessageId", "trackingPath",
	"backup", "totalCostUSD", "totalAPIDuration", "totalAPIDurationWithoutRetries", "totalToolDuration", "totalLinesAdded", "totalLinesRemoved", "totalDuration",
	"startTime", "modelUsage", "hasUnknownModelCost", "parentSessionId", "parentLastUuid", "agentId", "contextLength", "continuedInSessionId", "operation", "content",
	"reason", "commandUuid", "deliveryId", "timestamp", "uuid"}

var isHeadKey = func() map[string]bool {
	m := map[string]bool{}
	for _, k := range headKeys {
		m[k] = true
	}
	return m
}()

// keeping gives the text of a bookkeeping line: a head of its members in the writer's order, and the whole line.
func (b *Builder) keeping(r *record.Record, leaf label.Leaf) {
	n := len(b.arena)
	b.arena = append(b.arena, '[')
	b.arena = append(b.arena, excerpt.Fold(r.Type.String())...)
	r.Raw.Each(func(key string, v record.Raw) {
		if isHeadKey[key] {
			b.arena = append(b.arena, " "+key+"="+cutValue(v)...)
		}
	})
	for _, f := range tracked(r) {
		b.arena = append(b.arena, ' ')
		b.arena = append(b.arena, f...)
	}
	b.arena = append(b.arena, "]\n"...)
	b.arena = appendCompact(b.arena, r.Raw)
	b.add(Section{Labels: b.labels(leaf), Text: b.since(n), Block: -1})
}

// headChars is how much of a value a head shows.
const headChars = 80

// cutValue spells a value in a head: an id by its first characters, a text cut, an object by its sorted keys, an array by
// its length.
func cutValue(v record.Raw) string {
	switch {
	case v.IsObject():
		var keys []string
		v.Each(func(key string, _ record.Raw) { keys = append(keys, key) })
		slices.Sort(keys)
		return "{" + cutText(strings.Join(keys, ",")) + "}"
	case v.IsArray():
		return "(" + strconv.Itoa(items(v)) + ")"
	}
	return cutText(ShortID(valueText(v)))
}

func cutText(s string) string {
	s = excerpt.Fold(s)
	n := 0
	for i := range s {
		if n == headChars {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// tracked gives the files that a file-history line keeps, as path@vN.
func tracked(r *record.Record) (out []string) {
	add := func(path string, backup record.Raw) {
		if version := backup.Get("version"); path != "" && version != nil {
			out = append(out, excerpt.Fold(path)+"@v"+excerpt.Fold(valueText(version)))
		}
	}
	if r.Type.Is("file-history-delta") {
		add(r.Raw.Get("trackingPath").Str().String(), r.Raw.Get("backup"))
		return out
	}
	if r.Type.Is("file-history-snapshot") {
		r.Raw.Get("snapshot").Get("trackedFileBackups").Each(add)
	}
	return out
}

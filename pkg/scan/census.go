package scan

import (
	"cmp"
	"slices"
	"strconv"

	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/section"
	"csift/pkg/transcript"
)

// Axis is what matching records are counted by.
type Axis string

// The axes.
const (
	NoAxis    Axis = ""
	ByLabel   Axis = "label"
	ByTool    Axis = "tool"
	ByTurn    Axis = "turn"
	BySession Axis = "session"
	ByPairing Axis = "pairing"
	ByModel   Axis = "model"
	ByVersion Axis = "version"
	ByResult  Axis = "result"
	// ByAttachment counts attachments by their type, and reads them all.
	ByAttachment Axis = "attachment"
	// ByForKind counts records by the words of their relations, see section.Edges.
	ByForKind Axis = "for-kind"

	byUnread Axis = "unread" // see Unread
)

// Unlabelled is the key of records whose text no leaf names.
const Unlabelled = "(none)"

// Axes lists the axes in the order of the help.
func Axes() []Axis {
	return []Axis{ByLabel, ByTool, ByTurn, BySession, ByPairing, ByModel, ByAttachment, ByVersion, ByResult, ByForKind}
}

// Census is how many matching records have a key. A record counts once a key.
type Census struct {
	Key     string
	Records int

	file, turn int
}

// census counts the hits of one file.
func (st *settling) census(hits []found, dialogs []Dialog, w *worker) error {
	st.res.counts, st.res.firsts = map[string]int{}, map[string]int{}
	turns := map[int]bool{}
	for k := range hits {
		l := hits[k].loc
		unit := st.s.Unit(l.Line, l.Part)
		turns[unit] = true
		if st.q.Count == ByTurn {
			if st.s.IsTurn(unit) {
				st.res.counts[strconv.Itoa(unit)]++
			} else {
				st.res.excluded++
			}
			continue
		}
		if st.q.Count == BySession {
			st.res.counts[st.file.SessionID]++
			continue
		}
		if err := st.load(w, l); err != nil {
			return err
		}
		keys := st.keys(w, l)
		if len(keys) == 0 {
			st.res.excluded++
		}
		for _, key := range keys {
			if st.res.counts[key]++; st.res.counts[key] == 1 {
				st.res.firsts[key] = int(l.Line)
			}
		}
	}
	st.countPending(dialogs, w, turns)
	st.res.Exchanges = len(turns)
	return nil
}

// keys gives the keys of the record just decoded on the axis, each once.
func (st *settling) keys(w *worker, l transcript.Loc) []string {
	r := &w.rec
	switch st.q.Count {
	case ByModel:
		return word(r.Model.String())
	case ByVersion:
		return word(r.Version.String())
	case ByAttachment:
		if !r.Type.Is("attachment") {
			return nil
		}
		return word(r.Attachment.Get("type").Str().String())
	}
	c := w.contexts.Of(st.s, l)
	if st.q.Count == byUnread {
		if leaf, _ := w.overlooked(r, c); leaf != label.None {
			return word(leaf.String())
		}
		return word(Unlabelled)
	}
	w.space.Reset()
	secs := w.sec.Sections(r, c)
	delivered, abandoned := section.Delivered(r), st.s.Abandoned(l.Line, l.Part)
	var out distinct
	for i := range secs {
		s := &secs[i]
		if !st.q.keeps(s, delivered, abandoned) || !w.match(s) {
			continue
		}
		for _, key := range st.sectionKeys(w, r, s, l, delivered) {
			out.add(key)
		}
	}
	return out.words
}

// distinct are words, each once, in the order they came in.
type distinct struct {
	words []string
	seen  map[string]bool // of more than a few
}

func (d *distinct) add(word string) {
	const few = 16
	if len(d.words) < few {
		if !slices.Contains(d.words, word) {
			d.words = append(d.words, word)
		}
		return
	}
	if d.seen == nil {
		d.seen = map[string]bool{}
		for _, w := range d.words {
			d.seen[w] = true
		}
	}
	if !d.seen[word] {
		d.seen[word] = true
		d.words = append(d.words, word)
	}
}

func word(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

func (st *settling) sectionKeys(w *worker, r *record.Record, s *section.Section, l transcript.Loc, delivered bool) []string {
	if st.q.Count == ByForKind {
		return st.relationKeys(w, r, s, l)
	}
	if st.q.Count == ByLabel {
		return st.labelKeys(s, delivered, st.s.Abandoned(l.Line, l.Part))
	}
	if s.Block < 0 || s.Block >= len(r.Blocks) {
		return nil
	}
	k := &r.Blocks[s.Block]
	result := k.Type.Is("tool_result")
	if !result && !k.Type.Is("tool_use") {
		return nil
	}
	if st.q.Count == ByResult {
		switch {
		case !result:
			return nil
		case k.IsError:
			return []string{"error"}
		}
		return []string{"ok"}
	}
	id := k.ID
	if result {
		id = k.ToolUseID
	}
	p := st.s.Call(id.String(), l.Line, result)
	if st.q.Count == ByTool {
		if !result {
			return word(k.Name.String())
		}
		return word(p.Name)
	}
	return []string{PairingWord(p.Found, result)}
}

// PairingWord names how a side of a tool call stands.
func PairingWord(found, result bool) string {
	switch {
	case found:
		return "paired"
	case result:
		return "orphan"
	}
	return "pending"
}

func (st *settling) labelKeys(s *section.Section, delivered, abandoned bool) []string {
	var out []string
	for i, l := range s.Labels {
		if i > 0 && !st.q.readsLeaf(l) {
			continue // others of this leaf are not read
		}
		if st.q.Filter.Any() {
			if _, ok := st.q.Filter.Pick([]label.Leaf{l}, delivered, abandoned); !ok {
				continue
			}
		}
		out = append(out, l.String())
	}
	return out
}

// census adds up the files' counts and puts them in the axis's order.
func census(axis Axis, files []File, res []FileResult) []Census {
	if axis == ByTurn {
		return turnCensus(files, res)
	}
	sum := map[string]int{}
	for i := range res {
		for k, n := range res[i].counts {
			sum[k] += n
		}
	}
	out := make([]Census, 0, len(sum))
	for k, n := range sum {
		out = append(out, Census{Key: k, Records: n})
	}
	slices.SortFunc(out, func(a, b Census) int {
		if axis == ByLabel || axis == byUnread {
			return cmp.Or(cmp.Compare(labelRank(a.Key), labelRank(b.Key)), cmp.Compare(a.Key, b.Key))
		}
		return cmp.Or(cmp.Compare(b.Records, a.Records), cmp.Compare(a.Key, b.Key))
	})
	return out
}

func labelRank(key string) int {
	if l, ok := label.ByName(key); ok {
		return int(l)
	}
	return 1 << 20
}

// turnCensus gives a row for each turn. Copies of a transcript that went on apart share its id: their turns are told apart
// by the path.
func turnCensus(files []File, res []FileResult) []Census {
	var out []Census
	named := map[string]int{}
	for i := range files {
		named[files[i].SessionID]++
	}
	for i := range res {
		for k, n := range res[i].counts {
			turn, _ := strconv.Atoi(k)
			key := "t" + k
			switch {
			case len(files) == 1:
			case named[files[i].SessionID] > 1:
				key = files[i].Transcript + "·" + key
			default:
				key = files[i].SessionID + "·" + key
			}
			out = append(out, Census{Key: key, Records: n, file: i, turn: turn})
		}
	}
	slices.SortFunc(out, func(a, b Census) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.turn, b.turn)) })
	return out
}

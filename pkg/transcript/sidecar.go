package transcript

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"slices"
	"sort"
	"sync"
	"syscall"
	"time"

	"csift/pkg/chain"
	"csift/pkg/home"
	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// Marker is the value of the key "csift" on every line of an elicitation sidecar.
const Marker = "elicitation-marker-v1"

// SidecarNote is what every answer says that holds records of a sidecar.
const SidecarNote = "with elicitation sidecar"

// SidecarSource is the source of a record that stands in a sidecar and on no line of a transcript.
const SidecarSource = "elicitation-sidecar"

// Sidecar is what the elicitation sidecar of a session says: dialogs that a hook saw open and did not see close. Claude
// Code writes the calls behind them when they are answered, so until then the sidecar alone has them.
type Sidecar struct {
	Present bool
	Pending []Pending // by time, undated last
	Skipped int       // lines that are no marker csift can read
	Err     error     // the sidecar is there and could not be read to its end

	byID map[string]int // see Find
}

// Find gives the first dialog that an id names, nil when there is none.
func (s *Sidecar) Find(id string) *Pending {
	if s == nil || id == "" {
		return nil
	}
	if s.byID == nil {
		s.byID = make(map[string]int, 2*len(s.Pending))
		for i := len(s.Pending) - 1; i >= 0; i-- {
			s.byID[s.Pending[i].UUID], s.byID[s.Pending[i].Key] = i, i
		}
	}
	if i, ok := s.byID[id]; ok {
		return &s.Pending[i]
	}
	return nil
}

// Pending is the marker of a dialog that waits for its answer. It is no link of the conversation and opens no turn.
type Pending struct {
	Kind  string // AskUserQuestion, ExitPlanMode, mcp-elicitation; "" when not said
	Key   string // the call's id, or the server that asks; "unknown" when not said
	Stamp string // as written
	UUID  string
	Line  []byte // the marker itself, shaped like the record that Claude Code will write
}

// Is reports whether an id names the dialog: its uuid, or its key.
func (p *Pending) Is(id string) bool { return id != "" && (p.UUID == id || p.Key == id) }

// native reports whether the dialog is a call that Claude Code writes itself, sooner or later.
func (p *Pending) native() bool { return p.Kind == "AskUserQuestion" || p.Kind == "ExitPlanMode" }

// time gives the instant of the marker, in ms since 1970.
func (p *Pending) time() int64 {
	t, err := time.Parse(time.RFC3339Nano, p.Stamp)
	if err != nil {
		return chain.NoTime
	}
	return t.UnixMilli()
}

// ReadSidecar reads the sidecar of the top-level session whose transcript lies at path. Called before the transcript is
// opened it misses nothing: a dialog that is answered in between is then in both, and DropNative drops it.
func ReadSidecar(ctx context.Context, path string) *Sidecar {
	s := &Sidecar{}
	f, err := jsonl.Open(home.Elicitations(path))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return s
	}
	s.Present = true
	if err != nil {
		s.Err = err
		return s
	}
	defer f.Close()
	closed := map[string]bool{}
	open := map[string]int{} // per key the place of its dialog
	var rec record.Record
	_, s.Err = f.Head(ctx, func(off int64, line []byte) bool {
		if eachRecord(jsonl.Trim(line, off == 0), &rec, func(b []byte) { s.marker(b, open, closed) }) {
			s.Skipped++
		}
		return true
	})
	s.Pending = slices.DeleteFunc(s.Pending, func(p Pending) bool { return closed[p.Key] })
	slices.SortStableFunc(s.Pending, func(a, b Pending) int {
		switch ta, tb := a.time(), b.time(); {
		case ta == tb:
			return 0
		case tb == chain.NoTime, ta != chain.NoTime && ta < tb:
			return -1
		}
		return 1
	})
	return s
}

// eachRecord calls fn for the bytes of every whole record on a trimmed line, decoded in rec. damaged tells that some of
// the line belongs to none.
func eachRecord(line []byte, rec *record.Record, fn func(b []byte)) (damaged bool) {
	if len(line) == 0 {
		return false
	}
	if record.Decode(line, rec) {
		fn(line)
		return false
	}
	parts, damaged := record.Split(line)
	for _, b := range parts {
		if record.Decode(b, rec) {
			fn(b)
		}
	}
	return damaged
}

// marker takes one record of the sidecar. A later pending marker takes the place of an earlier one with its key.
func (s *Sidecar) marker(b []byte, open map[string]int, closed map[string]bool) {
	raw := record.Raw(b)
	if !raw.Get("csift").Str().Is(Marker) {
		return
	}
	word := func(key string) string { return raw.Get(key).Str().String() }
	p := Pending{Kind: word("csiftKind"), Key: word("csiftKey"), Stamp: word("timestamp"), UUID: word("uuid")}
	if p.Key == "" {
		p.Key = "unknown"
	}
	switch word("csiftPhase") {
	case "resolved":
		closed[p.Key] = true
	case "pending":
		p.Line = slices.Clone(b)
		if i, ok := open[p.Key]; ok {
			s.Pending[i] = p
		} else {
			open[p.Key] = len(s.Pending)
			s.Pending = append(s.Pending, p)
		}
	default:
		s.Skipped++ // older hooks wrote phase, kind and key
	}
}

// DropNative drops the questions and plans whose call or result stands in the transcript: a refused dialog closes
// without telling the hook. An id in prose does not count. The file is read only when there is such a dialog.
func (s *Sidecar) DropNative(ctx context.Context, f *jsonl.File) error {
	if s == nil {
		return nil
	}
	open := map[string]bool{}
	for i := range s.Pending {
		if p := &s.Pending[i]; p.native() {
			open[p.Key] = true
		}
	}
	if len(open) == 0 {
		return nil
	}
	there := map[string]bool{}
	see := func(id record.Str) {
		if key := id.String(); open[key] {
			there[key] = true
		}
	}
	var rec record.Record
	_, err := f.Head(ctx, func(off int64, line []byte) bool {
		if !bytes.Contains(line, []byte(`"tool_`)) {
			return true
		}
		eachRecord(jsonl.Trim(line, off == 0), &rec, func([]byte) {
			for i := range rec.Blocks {
				switch k := &rec.Blocks[i]; {
				case k.Type.Is("tool_use"):
					see(k.ID)
				case k.Type.Is("tool_result"):
					see(k.ToolUseID)
				}
			}
		})
		return len(there) < len(open)
	})
	s.Pending, s.byID = slices.DeleteFunc(s.Pending, func(p Pending) bool { return p.native() && there[p.Key] }), nil
	return err
}

// TurnOf gives the turn that a dialog belongs to: the last one that opened before it, or the last one of all when its
// time does not say.
func (s *Structure) TurnOf(p *Pending) int {
	last := max(0, len(s.res.Opener)-1)
	at := p.time()
	if at == chain.NoTime {
		return last
	}
	s.earliest.once.Do(func() {
		first := int64(math.MaxInt64)
		s.earliest.from = make([]int64, len(s.res.Opener))
		for turn := len(s.res.Opener) - 1; turn >= 0; turn-- {
			if o := s.res.Opener[turn]; o != chain.None && s.nodes[o].Time != chain.NoTime {
				first = min(first, s.nodes[o].Time)
			}
			s.earliest.from[turn] = first
		}
	})
	// Of the turns from here on one opened before the dialog, of those behind none.
	if turn := sort.Search(len(s.earliest.from), func(k int) bool { return s.earliest.from[k] > at }) - 1; turn >= 0 {
		return turn
	}
	return last
}

// earliest is, per turn, the least time at which it or one behind it opened; built when first asked for.
type earliest struct {
	once sync.Once
	from []int64
}

package record

import "csift/pkg/jsonl"

// Skimmer reads of records what places them in their transcript: the keys by which they are typed, linked, dated and told
// to open a turn, the message and the result of a tool call. All other fields of Record are left absent. It takes about a
// third of the time of Decode, and the same input is whole to both. A Skimmer serves one goroutine.
type Skimmer struct {
	Record Record // of the last line
	runs   [2]run
}

// Skim reads b as Decode does.
func (s *Skimmer) Skim(b []byte) bool {
	n, ok, _ := s.read(b)
	return ok && n == len(b)
}

// Prefix is Skim for bytes that go on behind the object: it gives the object's length. An object with a newline between its
// tokens, which no line holds, is none.
func (s *Skimmer) Prefix(b []byte) (n int, ok bool) {
	n, ok, oneLine := s.read(b)
	return n, ok && oneLine
}

func (s *Skimmer) read(b []byte) (n int, ok, oneLine bool) {
	s.Record.unplace()
	return s.Record.pull(b, &s.runs)
}

// place is field for what places a record.
func (r *Record) place(p *jsonl.Pull, k []byte) {
	switch string(k) {
	case "type":
		r.Type = pullWord(p)
	case "subtype":
		r.Subtype = pullWord(p)
	case "uuid":
		r.UUID = pullStr(p)
	case "parentUuid":
		r.ParentUUID = pullStr(p)
	case "timestamp":
		r.Timestamp = pullStr(p)
	case "sessionId":
		r.SessionID = pullStr(p)
	case "leafUuid":
		r.LeafUUID = pullStr(p)
	case "logicalParentUuid":
		r.LogicalParentUUID = pullStr(p)
	case "isMeta":
		r.IsMeta = pullTrue(p)
	case "isSidechain":
		r.IsSidechain = pullTrue(p)
	case "turnCompanion":
		r.TurnCompanion = pullTrue(p)
	case "isCompactSummary":
		r.IsCompactSummary = pullTrue(p)
	case "explicit":
		r.Explicit = pullTrue(p)
	case "compactMetadata":
		r.CompactMetadata = pullRaw(p, "{")
	case "summarizeMetadata":
		r.SummarizeMetadata = pullRaw(p, "{")
	case "message":
		r.message(p)
	case "toolUseResult":
		r.Result.decode(p, r.Raw)
	default:
		if k, ok := unescaped(k); ok {
			r.place(p, k)
			return
		}
		p.Skip()
	}
}

// unplace clears the fields that place sets.
func (r *Record) unplace() {
	if r.Skimmed {
		r.Type, r.Subtype, r.UUID, r.ParentUUID, r.Timestamp, r.SessionID, r.LeafUUID, r.LogicalParentUUID = nil, nil, nil, nil, nil, nil, nil, nil
		r.IsMeta, r.IsSidechain, r.TurnCompanion, r.IsCompactSummary, r.Explicit = false, false, false, false, false
		r.CompactMetadata, r.SummarizeMetadata = nil, nil
		r.HasMessage, r.Blocks = false, r.Blocks[:0]
		r.Role, r.MessageID, r.Model, r.StopReason, r.Usage, r.Text = nil, nil, nil, nil, nil, nil
		if r.Result.Raw != nil {
			r.Result = Result{}
		}
		return
	}
	blocks := r.Blocks[:0]
	*r = Record{}
	r.Blocks, r.Skimmed = blocks, true
}

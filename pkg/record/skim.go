package record

import "csift/pkg/jsonl"

// Skim is Decode for what places a record in its transcript: the keys by which it is typed, linked, dated and told to
// open a turn, its message and the result of a tool call. All other fields are left absent. It takes about half the time,
// and the same input is whole to both.
func Skim(b []byte, r *Record) bool {
	n, ok := SkimPrefix(b, r)
	return ok && n == len(b)
}

// SkimPrefix is Skim for bytes that go on behind the object: it gives the object's length.
func SkimPrefix(b []byte, r *Record) (n int, ok bool) {
	r.unplace()
	if len(b) == 0 || b[0] != '{' {
		return 0, false
	}
	p := jsonl.NewPull(b)
	p.Object()
	r.Raw = b
	for {
		k, ok := p.Key()
		if !ok {
			break
		}
		r.place(&p, k)
	}
	n = p.Pos()
	r.Raw = b[:n:n]
	return n, !p.Err()
}

// place reads the value of one key.
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

package record

// CompactMode names how a compaction summary came about: "compact", or which way a /rewind summarized. It is "" for a
// direction that is not known.
func (r *Record) CompactMode() string {
	if r.SummarizeMetadata == nil {
		return "compact"
	}
	switch d := r.SummarizeMetadata.Get("direction").Str(); {
	case d.Is("from"):
		return "summarize-from-here"
	case d.Is("up_to"):
		return "summarize-up-to-here"
	}
	return ""
}

package jsonl

// Key looks one key of the object line up without a record: its raw value, of the last one where the key stands twice.
// Only the object's own keys count, escaped ones too. ok is false when line is not one whole object or has no such key.
func Key(line []byte, key string) (raw []byte, ok bool) {
	p := NewPull(line)
	if !p.Object() {
		return nil, false
	}
	for {
		k, more := p.Key()
		if !more {
			break
		}
		v := p.Skip()
		if string(k) == key || HasEscape(k) && string(Unescape(nil, k)) == key {
			raw = v
		}
	}
	if p.Err() || !p.Done() {
		return nil, false
	}
	return raw, raw != nil
}

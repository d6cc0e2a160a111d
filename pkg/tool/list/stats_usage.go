package list

import (
	"bytes"
	"strconv"

	"csift/pkg/jsonl"
)

// usage is what one answer of the model cost, in tokens. A number that a record does not state is 0.
type usage struct {
	input, output, cacheRead int64
	cacheWrite               int64 // as the flat field has it
	cache5m, cache1h         int64 // as the split of it has it
}

// readUsage reads "usage" of a message: raw is nil or valid JSON. A value that is no whole number from 0 up counts as
// absent; some is false when nothing is left.
func readUsage(raw []byte) (u usage, some bool) {
	number := func(m *members, dst *int64) {
		var ok bool
		*dst, ok = m.number()
		some = some || ok
	}
	m, ok := membersOf(raw)
	for ok {
		key := m.key()
		if key == nil {
			break
		}
		switch string(key) {
		case "input_tokens":
			number(&m, &u.input)
		case "output_tokens":
			number(&m, &u.output)
		case "cache_read_input_tokens":
			number(&m, &u.cacheRead)
		case "cache_creation_input_tokens":
			number(&m, &u.cacheWrite)
		case "cache_creation":
			u.cache5m, u.cache1h = 0, 0
			split, ok := membersOf(m.value())
			for ok {
				key := split.key()
				if key == nil {
					break
				}
				switch string(key) {
				case "ephemeral_5m_input_tokens":
					number(&split, &u.cache5m)
				case "ephemeral_1h_input_tokens":
					number(&split, &u.cache1h)
				default:
					split.value()
				}
			}
		default:
			m.value()
		}
	}
	return u, some
}

// members walks an object whose JSON is known to be valid, which is a few times faster than finding that out again.
type members struct {
	b []byte
	i int
}

// membersOf starts to walk raw; ok is false when it is no object.
func membersOf(raw []byte) (m members, ok bool) {
	return members{raw, 1}, len(raw) > 1 && raw[0] == '{'
}

// key gives the text of the next key; nil at the end.
func (m *members) key() []byte {
	b, i := m.b, m.i
	for i < len(b) && b[i] != '"' {
		i++ // the comma, space, or the bracket at the end
	}
	i++
	if i >= len(b) {
		return nil
	}
	n := bytes.IndexByte(b[i:], '"')
	escaped := n >= 0 && jsonl.HasEscape(b[i:i+n])
	if escaped {
		n = stringLen(b[i:])
	}
	if n < 0 {
		return nil
	}
	key := b[i : i+n : i+n]
	for i += n + 1; i < len(b) && (b[i] == ':' || b[i] <= ' '); i++ {
	}
	m.i = i
	if escaped {
		return jsonl.Unescape([]byte{}, key)
	}
	return key
}

// stringLen gives the length of the string whose interior starts b, -1 when it has no end.
func stringLen(b []byte) int {
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			return i
		case '\\':
			i++
		}
	}
	return -1
}

// value passes over the next value and gives its bytes.
func (m *members) value() []byte {
	p := jsonl.NewPull(m.b[m.i:])
	raw := p.Skip()
	m.i += p.Pos()
	return raw
}

// number reads the next value; ok is false when it is no whole number from 0 up that fits.
func (m *members) number() (n int64, ok bool) {
	i := m.i
	for ; i < len(m.b) && m.b[i]-'0' <= 9; i++ {
		if i-m.i == 18 { // more digits may not fit
			if n, err := strconv.ParseInt(string(m.value()), 10, 64); err == nil {
				return n, true
			}
			return 0, false
		}
		n = n*10 + int64(m.b[i]-'0')
	}
	if i == m.i || i < len(m.b) && (m.b[i] == '.' || m.b[i]|0x20 == 'e') {
		m.value()
		return 0, false
	}
	m.i = i
	return n, true
}

// most takes the larger of each number: the records of one answer repeat its usage, and while it is streamed they state
// less than it comes to.
func (u *usage) most(o usage) {
	u.input, u.output, u.cacheRead = max(u.input, o.input), max(u.output, o.output), max(u.cacheRead, o.cacheRead)
	u.cacheWrite, u.cache5m, u.cache1h = max(u.cacheWrite, o.cacheWrite), max(u.cache5m, o.cache5m), max(u.cache1h, o.cache1h)
}

// tokens is what a model used. CacheCreation is the flat field or the sum of its split, whichever says more: some builds
// write 0 in one of them.
type tokens struct {
	Input           int64 `json:"input"`
	Output          int64 `json:"output"`
	CacheRead       int64 `json:"cache_read"`
	CacheCreation   int64 `json:"cache_creation"`
	CacheCreation5m int64 `json:"cache_creation_5m"`
	CacheCreation1h int64 `json:"cache_creation_1h"`
}

func (t *tokens) add(o tokens) {
	t.Input, t.Output, t.CacheRead = sum(t.Input, o.Input), sum(t.Output, o.Output), sum(t.CacheRead, o.CacheRead)
	t.CacheCreation = sum(t.CacheCreation, o.CacheCreation)
	t.CacheCreation5m = sum(t.CacheCreation5m, o.CacheCreation5m)
	t.CacheCreation1h = sum(t.CacheCreation1h, o.CacheCreation1h)
}

func (t *tokens) all() int64 {
	return sum(sum(t.Input, t.Output), sum(t.CacheRead, t.CacheCreation))
}

func (u *usage) tokens() tokens {
	return tokens{u.input, u.output, u.cacheRead, max(u.cacheWrite, sum(u.cache5m, u.cache1h)), u.cache5m, u.cache1h}
}

// bill is what each model used.
type bill struct {
	models []string
	at     map[string]int // where each stands in models
	used   []tokens
	open   []bool // an answer of that model never stated its final usage
}

// add enters what an answer cost. open says that its final usage was never written.
func (b *bill) add(model string, t tokens, open bool) {
	i, known := b.at[model]
	if !known {
		if b.at == nil {
			b.at = map[string]int{}
		}
		i = len(b.models)
		b.at[model] = i
		b.models, b.used, b.open = append(b.models, model), append(b.used, tokens{}), append(b.open, false)
	}
	b.used[i].add(t)
	b.open[i] = b.open[i] || open
}

func (b *bill) merge(o *bill) {
	for i, m := range o.models {
		b.add(m, o.used[i], o.open[i])
	}
}

func (b *bill) row() map[string]tokens {
	m := make(map[string]tokens, len(b.models))
	for i, name := range b.models {
		m[name] = b.used[i]
	}
	return m
}

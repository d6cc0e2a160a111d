package list

import (
	"slices"

	"csift/pkg/jsonl"
)

// usage is what one answer of the model cost, in tokens. A number that a record does not state is 0.
type usage struct {
	input, output, cacheRead int64
	cacheWrite               int64 // as the flat field has it
	cache5m, cache1h         int64 // as the split of it has it
}

// readUsage reads "usage" of a message. A value that is no whole number from 0 up counts as absent; some is false when
// nothing is left.
func readUsage(raw []byte) (u usage, some bool) {
	p := jsonl.NewPull(raw)
	if !p.Object() {
		return u, false
	}
	number := func(dst *int64) {
		v, ok := p.Int()
		if ok = ok && v >= 0; !ok {
			v = 0
		}
		*dst, some = v, some || ok
	}
	for {
		k, ok := usageKey(&p)
		if !ok {
			return u, some
		}
		switch string(k) {
		case "input_tokens":
			number(&u.input)
		case "output_tokens":
			number(&u.output)
		case "cache_read_input_tokens":
			number(&u.cacheRead)
		case "cache_creation_input_tokens":
			number(&u.cacheWrite)
		case "cache_creation":
			u.cache5m, u.cache1h = 0, 0
			if !p.Object() {
				p.Skip()
				continue
			}
			for {
				k, ok := usageKey(&p)
				if !ok {
					break
				}
				switch string(k) {
				case "ephemeral_5m_input_tokens":
					number(&u.cache5m)
				case "ephemeral_1h_input_tokens":
					number(&u.cache1h)
				default:
					p.Skip()
				}
			}
		default:
			p.Skip()
		}
	}
}

func usageKey(p *jsonl.Pull) ([]byte, bool) {
	k, ok := p.Key()
	if ok && jsonl.HasEscape(k) {
		k = jsonl.Unescape(nil, k)
	}
	return k, ok
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
	used   []tokens
	open   []bool // an answer of that model never stated its final usage
}

// add enters what an answer cost. open says that its final usage was never written.
func (b *bill) add(model string, t tokens, open bool) {
	i := slices.Index(b.models, model)
	if i < 0 {
		i = len(b.models)
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

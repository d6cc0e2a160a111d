package list

import (
	"bytes"
	"hash/maphash"
	"slices"
	"sync"

	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// reply is one answer of the model, put together from the records that carry its message id. It holds no pointer, since
// there may be very many.
type reply struct {
	usage
	hash     uint64
	from, to int   // its id in replies.ids
	model    model // noModel until a record names one
	priced   bool  // a record states a usage
	ended    bool  // a record states a stop_reason, so that its usage is the final one
}

// open reports whether the final usage of an answer was never written. What the harness says in the model's place has
// none.
func (r *reply) open() bool { return !r.ended && r.model != synthetic }

// replies finds answers by message id.
type replies struct {
	list  []reply
	slots []int32 // index in list plus 1, 0 is free; their number is a power of two
	ids   []byte
}

var replySeed = maphash.MakeSeed()

// of gives the answer with that id, a new one when there is none. It is valid until the next call.
func (m *replies) of(id []byte) *reply { return m.at(id, maphash.Bytes(replySeed, id)) }

func (m *replies) at(id []byte, hash uint64) *reply {
	if len(m.list) >= len(m.slots)/2 {
		m.grow()
	}
	mask := uint64(len(m.slots) - 1)
	k := hash & mask
	for ; m.slots[k] != 0; k = (k + 1) & mask {
		r := &m.list[m.slots[k]-1]
		if r.hash == hash && bytes.Equal(m.id(r), id) {
			return r
		}
	}
	m.list = append(m.list, reply{hash: hash, from: len(m.ids), to: len(m.ids) + len(id)})
	m.ids = append(m.ids, id...)
	m.slots[k] = int32(len(m.list))
	return &m.list[len(m.list)-1]
}

func (m *replies) id(r *reply) []byte { return m.ids[r.from:r.to] }

func (m *replies) grow() {
	n := 64
	for n < 4*len(m.list) {
		n *= 2
	}
	m.slots = make([]int32, n)
	mask := uint64(n - 1)
	for i := range m.list {
		k := m.list[i].hash & mask
		for m.slots[k] != 0 {
			k = (k + 1) & mask
		}
		m.slots[k] = int32(i + 1)
	}
}

// take gives the answers found so far in as little memory as they need, and starts anew.
func (m *replies) take() replies {
	out := replies{list: slices.Clone(m.list), ids: slices.Clone(m.ids)}
	clear(m.slots)
	m.list, m.ids = m.list[:0], m.ids[:0]
	return out
}

// merge takes in the answers of later lines.
func (m *replies) merge(o *replies) {
	if m.list == nil {
		*m = *o
		return
	}
	for i := range o.list {
		m.enter(o, &o.list[i])
	}
}

// enter takes in an answer of o.
func (m *replies) enter(o *replies, from *reply) {
	r := m.at(o.id(from), from.hash)
	r.most(from.usage)
	if r.model == noModel {
		r.model = from.model
	}
	r.priced, r.ended = r.priced || from.priced, r.ended || from.ended
}

// bill adds up what the answers cost, and reports whether one of them never stated its final usage.
func (m *replies) bill(b *bill, names *models) (unfinished bool) {
	for i := range m.list {
		unfinished = m.list[i].bill(b, names) || unfinished
	}
	return unfinished
}

func (r *reply) bill(b *bill, names *models) (unfinished bool) {
	if r.priced {
		b.add(names.name(r.model), r.usage.tokens(), r.open())
	}
	return r.open()
}

// once adds up what the answers of several transcripts cost, each message id once, and counts those that stand in more
// than one of them.
func once(all []*replies, b *bill, names *models) (shared int) {
	n := 0
	for _, m := range all {
		n += len(m.list)
	}
	several := severalTimes(all, n)
	var common replies
	for _, m := range all {
		for i := range m.list {
			if r := &m.list[i]; several[r.hash] {
				common.enter(m, r)
			} else {
				r.bill(b, names)
			}
		}
	}
	common.bill(b, names)
	return len(common.list)
}

// severalTimes gives the hashes that more than one of the answers has. There seldom are any, so that most answers need
// not be entered in one large table.
func severalTimes(all []*replies, n int) map[uint64]bool {
	size := 64
	for size < 2*n {
		size *= 2
	}
	var several map[uint64]bool
	seen := make([]uint64, size)
	mask := uint64(size - 1)
	for _, m := range all {
		for i := range m.list {
			h := m.list[i].hash
			k := h & mask
			for seen[k] != 0 && seen[k] != h {
				k = (k + 1) & mask
			}
			if seen[k] == h {
				if several == nil {
					several = map[uint64]bool{}
				}
				several[h] = true
			}
			seen[k] = h
		}
	}
	return several
}

// model stands for the name of a model.
type model int32

const (
	noModel   model = iota
	synthetic       // what the harness says in the model's place
)

// models knows the names of models. It serves several goroutines.
type models struct {
	mu    sync.Mutex
	names []string // index is the model
	at    map[string]model
}

func newModels() *models {
	return &models{names: []string{unnamed, "<synthetic>"}, at: map[string]model{unnamed: 0, "<synthetic>": 1}}
}

func (m *models) name(i model) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.names[i]
}

func (m *models) of(name string) model {
	m.mu.Lock()
	defer m.mu.Unlock()
	i, known := m.at[name]
	if !known {
		i = model(len(m.names))
		m.at[name] = i
		m.names = append(m.names, name)
	}
	return i
}

// modelReader gives the models of records. It serves one goroutine.
type modelReader struct {
	all   *models
	known map[string]model
}

func (m *modelReader) of(s record.Str) model {
	if len(s) == 0 {
		return noModel
	}
	if i, ok := m.known[string(s)]; ok {
		return i
	}
	if m.known == nil {
		m.known = map[string]model{}
	}
	i := m.all.of(string(jsonl.Unescape(nil, s)))
	m.known[string(s)] = i
	return i
}

package specimen

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A token of a notation line.
type token struct {
	kind byte   // 'w' bare word, 't' text, 'j' JSON, 'k' key=value, '-' key taken away
	s    string // the word, the decoded text, the JSON, the key
	val  json.RawMessage
}

// lex cuts the rest of a line into tokens.
func (p *parser) lex(s string) ([]token, error) {
	var all []token
	for {
		s = strings.TrimLeft(s, " \t")
		if s == "" {
			return all, nil
		}
		var t token
		var err error
		t, s, err = p.next(s)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
}

func (p *parser) next(s string) (t token, rest string, err error) {
	switch c := s[0]; {
	case c == '"' || c == '`':
		t.kind = 't'
		t.s, rest, err = p.text(s)
		return t, rest, err
	case c == '{' || c == '[':
		raw, rest, err := cutJSON(s)
		if err != nil {
			return t, "", err
		}
		x, err := p.expand(string(raw))
		return token{kind: 'j', s: x}, rest, err
	}
	word, rest, _ := strings.Cut(s, " ")
	if eq := strings.IndexByte(word, '='); eq > 0 {
		t.kind, t.s = 'k', word[:eq]
		t.val, rest, err = p.value(s[eq+1:])
		return t, rest, err
	}
	if len(word) > 1 && word[0] == '-' {
		return token{kind: '-', s: word[1:]}, rest, nil
	}
	x, err := p.expand(word)
	return token{kind: 'w', s: x}, rest, err
}

// text reads Go strings with their repeat counts, as many as touch each other.
func (p *parser) text(s string) (text, rest string, err error) {
	for rest = s; rest != "" && (rest[0] == '"' || rest[0] == '`'); {
		var part string
		if part, rest, err = p.quoted(rest); err != nil {
			return "", "", err
		}
		text += part
	}
	return text, rest, nil
}

func (p *parser) quoted(s string) (text, rest string, err error) {
	q, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", "", fmt.Errorf("unclosed text: %s", s)
	}
	text, err = strconv.Unquote(q)
	if err != nil {
		return "", "", err
	}
	if text, err = p.expand(text); err != nil {
		return "", "", err
	}
	rest = s[len(q):]
	if !strings.HasPrefix(rest, "*") {
		return text, rest, nil
	}
	digits := 1
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	times, err := strconv.Atoi(rest[1:digits])
	if err != nil {
		return "", "", fmt.Errorf("repeat count %q", rest[1:])
	}
	return strings.Repeat(text, times), rest[digits:], nil
}

// value reads what follows key=: text, JSON, or a bare word.
func (p *parser) value(s string) (json.RawMessage, string, error) {
	if s == "" || s[0] == ' ' {
		return quote(""), s, nil
	}
	switch s[0] {
	case '"', '`':
		text, rest, err := p.text(s)
		return quote(text), rest, err
	case '{', '[':
		raw, rest, err := cutJSON(s)
		if err != nil {
			return nil, "", err
		}
		x, err := p.expand(string(raw))
		return json.RawMessage(x), rest, err
	}
	word, rest, _ := strings.Cut(s, " ")
	word, err := p.expand(word)
	if err != nil {
		return nil, "", err
	}
	if json.Valid([]byte(word)) {
		return json.RawMessage(word), rest, nil
	}
	return quote(word), rest, nil
}

// cutJSON takes one JSON value off the front, byte for byte.
func cutJSON(s string) (raw json.RawMessage, rest string, err error) {
	dec := json.NewDecoder(strings.NewReader(s))
	if err := dec.Decode(&raw); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("unclosed JSON")
		}
		return nil, "", fmt.Errorf("%w: %s", err, s)
	}
	return raw, s[dec.InputOffset():], nil
}

// expand puts ids in place of ${name}.
func (p *parser) expand(s string) (string, error) {
	if !strings.Contains(s, "${") {
		return s, nil
	}
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(s, "${")
		b.WriteString(before)
		if !ok {
			return b.String(), nil
		}
		name, rest, ok := strings.Cut(after, "}")
		id, known := p.home.Names[name]
		if !ok || !known {
			return "", fmt.Errorf("${%s} names nothing here", name)
		}
		b.WriteString(id)
		s = rest
	}
}

// quote writes a JSON string as JSON.stringify does: no HTML escapes.
func quote(s string) json.RawMessage {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // strings always encode
	}
	return json.RawMessage(strings.TrimSuffix(b.String(), "\n"))
}

// An object is a JSON object whose members keep their order.
type object []member

type member struct {
	key string
	val any // object or json.RawMessage
}

func (o object) index(key string) int {
	for i, m := range o {
		if m.key == key {
			return i
		}
	}
	return -1
}

// set puts raw at a dotted path, making objects on the way.
func (o object) set(path string, raw json.RawMessage) (object, error) {
	key, below, deep := strings.Cut(path, ".")
	i := o.index(key)
	if i < 0 {
		i = len(o)
		o = append(o, member{key, object{}})
	}
	if !deep {
		o[i].val = raw
		return o, nil
	}
	inner, err := asObject(o[i].val)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	if o[i].val, err = inner.set(below, raw); err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	return o, nil
}

// drop takes the member at a dotted path away.
func (o object) drop(path string) (object, error) {
	key, below, deep := strings.Cut(path, ".")
	i := o.index(key)
	if i < 0 {
		return nil, fmt.Errorf("no key %q to take away", key)
	}
	if !deep {
		return append(o[:i:i], o[i+1:]...), nil
	}
	inner, err := asObject(o[i].val)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	if o[i].val, err = inner.drop(below); err != nil {
		return nil, err
	}
	return o, nil
}

// asObject gives v as an object, parsing raw JSON in order.
func asObject(v any) (object, error) {
	if o, ok := v.(object); ok {
		return o, nil
	}
	raw := v.(json.RawMessage)
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("not an object: %s", raw)
	}
	var o object
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var val json.RawMessage
		if err := dec.Decode(&val); err != nil {
			return nil, err
		}
		o = append(o, member{t.(string), val})
	}
	return o, nil
}

// appendTo writes the object as one line of JSON.
func (o object) appendTo(b []byte) []byte {
	b = append(b, '{')
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, quote(m.key)...), ':')
		switch v := m.val.(type) {
		case object:
			b = v.appendTo(b)
		case json.RawMessage:
			b = append(b, v...)
		}
	}
	return append(b, '}')
}

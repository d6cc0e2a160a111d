package specimen

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A parser holds the place that records are being written to.
type parser struct {
	home *Home
	path string
	out  []byte
	eol  string
	last string // uuid of the record before, "" for none
	torn int    // bytes to keep of the next record, -1 for all
	join bool   // the next record shares the line of the last

	keys    map[string]string // of the place: cwd, version, ...
	session string            // id that records carry as sessionId
	agent   string            // id that records carry as agentId
	now     time.Time
	step    time.Duration
}

// placeKeys are what session, agent and set take, with their first values.
var placeKeys = map[string]string{
	"cwd": "/home/u/app", "version": "2.1.332", "branch": "main", "model": "claude-opus-5-5",
	"entrypoint": "cli", "start": "2026-03-02T09:00:00.000Z", "step": "1s",
}

const stamp = "2006-01-02T15:04:05.000Z"

// declare takes the name of a line, if its word gives one.
func (p *parser) declare(line string) error {
	f := strings.Fields(line)
	for f[0] == "torn" || f[0] == "joined" {
		skip := 1
		if f[0] == "torn" {
			skip = 2
		}
		if len(f) <= skip {
			return fmt.Errorf("%s needs a record", f[0])
		}
		f = f[skip:]
	}
	if !slices.Contains(strings.Fields("session agent user assistant thinking tool_use tool_result system attachment boundary summary"), f[0]) {
		return nil
	}
	if len(f) < 2 {
		return fmt.Errorf("%s needs a name", f[0])
	}
	name := f[1]
	id := ID(name)
	if f[0] == "agent" {
		id = AgentID(name)
	}
	if f[0] == "session" || f[0] == "agent" {
		for _, w := range f[2:] {
			if v, ok := strings.CutPrefix(w, "id="); ok {
				id = v
			}
		}
	}
	if _, twice := p.home.Names[name]; twice && (f[0] == "session" || f[0] == "agent") {
		return fmt.Errorf("the name %s is taken", name)
	}
	p.home.Names[name] = id
	return nil
}

// line writes what one line says.
func (p *parser) line(line string) error {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimLeft(rest, " \t")
	switch word {
	case "raw":
		return p.raw(rest)
	case "torn":
		n, rest, _ := strings.Cut(rest, " ")
		var err error
		if p.torn, err = strconv.Atoi(n); err != nil {
			return err
		}
		return p.line(rest)
	case "joined":
		p.join = true
		return p.line(rest)
	}
	toks, err := p.lex(rest)
	if err != nil {
		return err
	}
	switch word {
	case "session", "agent", "file":
		return p.place(word, toks)
	}
	if p.path == "" {
		return errors.New("no session, agent or file yet")
	}
	switch word {
	case "set":
		return p.set(toks)
	case "at":
		return p.at(toks)
	case "blank":
		p.put("")
	case "bom":
		p.out = append(p.out, "\ufeff"...)
	case "crlf":
		p.eol = "\r\n"
	case "lf":
		p.eol = "\n"
	case "nonl":
		p.out = p.out[:len(p.out)-len(p.eol)]
	case "nul":
		if len(toks) != 1 {
			return errors.New("nul N")
		}
		n, err := strconv.Atoi(toks[0].s)
		if err != nil {
			return err
		}
		p.out = append(p.out, make([]byte, n)...)
	default:
		return p.record(word, toks)
	}
	return nil
}

// put ends the line that s is.
func (p *parser) put(s string) {
	if p.join {
		p.out = p.out[:len(p.out)-len(p.eol)]
		p.join = false
	}
	if p.torn > 0 && p.torn < len(s) {
		s = s[:p.torn]
	}
	p.torn = 0
	p.out = append(append(p.out, s...), p.eol...)
}

func (p *parser) raw(rest string) error {
	if p.path == "" {
		return errors.New("no session, agent or file yet")
	}
	text := rest
	if strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "`") {
		t, after, err := p.text(rest)
		if err != nil {
			return err
		}
		if strings.TrimSpace(after) != "" {
			return fmt.Errorf("after the text: %s", after)
		}
		text = t
	}
	p.put(text)
	return nil
}

func (p *parser) finish() {
	if p.path == "" {
		return
	}
	if _, ok := p.home.Files[p.path]; !ok {
		p.home.Order = append(p.home.Order, p.path)
	}
	p.home.Files[p.path] = append(p.home.Files[p.path], p.out...)
	p.out = nil
}

// place starts a file.
func (p *parser) place(word string, toks []token) error {
	p.finish()
	p.eol, p.last, p.torn, p.join = "\n", "", 0, false
	if len(toks) == 0 || toks[0].kind != 'w' {
		return fmt.Errorf("%s needs a name", word)
	}
	name := toks[0].s
	if word == "file" {
		p.path = name
		return nil
	}
	given := map[string]string{}
	for _, t := range toks[1:] {
		if t.kind != 'k' {
			return fmt.Errorf("%s takes key=value, not %q", word, t.s)
		}
		given[t.s] = plain(t.val)
	}
	p.keys = map[string]string{}
	for k, v := range placeKeys {
		p.keys[k] = v
	}
	if word == "session" {
		return p.startSession(name, given)
	}
	return p.startAgent(name, given)
}

func (p *parser) startSession(name string, given map[string]string) error {
	if err := p.take(given, "id", "project"); err != nil {
		return err
	}
	p.session, p.agent = p.home.Names[name], ""
	project := given["project"]
	if project == "" {
		project = encode(p.keys["cwd"])
	}
	p.path = "projects/" + project + "/" + p.session + ".jsonl"
	p.home.Paths[name] = p.path
	return nil
}

func (p *parser) startAgent(name string, given map[string]string) error {
	if err := p.take(given, "id", "of", "type", "in", "flat", "meta"); err != nil {
		return err
	}
	of, ok := p.home.Paths[given["of"]]
	if !ok {
		return fmt.Errorf("agent %s: of=%q is no session above", name, given["of"])
	}
	p.session, p.agent = p.home.Names[given["of"]], p.home.Names[name]
	dir := strings.TrimSuffix(of, ".jsonl") + "/subagents"
	if given["in"] != "" {
		dir += "/" + given["in"]
	}
	if given["flat"] != "" {
		dir = path.Dir(of)
	}
	p.path = dir + "/agent-" + p.agent + ".jsonl"
	p.home.Paths[name] = p.path
	if given["flat"] != "" {
		return nil // builds that write them beside the session write no meta file
	}
	kind := given["type"]
	if kind == "" {
		kind = "general-purpose"
	}
	meta := object{{"agentType", quote(kind)}}
	if m := given["meta"]; m != "" {
		more, err := asObject(json.RawMessage(m))
		if err != nil {
			return err
		}
		for _, x := range more {
			if meta, err = meta.set(x.key, x.val.(json.RawMessage)); err != nil {
				return err
			}
		}
	}
	at := dir + "/agent-" + p.agent + ".meta.json"
	p.home.Files[at] = meta.appendTo(nil)
	p.home.Order = append(p.home.Order, at)
	return nil
}

// take moves the place's keys out of given; others must be in also.
func (p *parser) take(given map[string]string, also ...string) error {
	for k, v := range given {
		if _, ok := placeKeys[k]; ok {
			p.keys[k] = v
		} else if !slices.Contains(also, k) {
			return fmt.Errorf("no such key: %s", k)
		}
	}
	var err error
	if p.now, err = time.Parse(time.RFC3339, p.keys["start"]); err != nil {
		return err
	}
	p.step, err = time.ParseDuration(p.keys["step"])
	return err
}

func (p *parser) set(toks []token) error {
	for _, t := range toks {
		if _, ok := placeKeys[t.s]; !ok || t.kind != 'k' || t.s == "start" {
			return fmt.Errorf("set takes cwd, version, branch, model, entrypoint or step, not %q", t.s)
		}
		p.keys[t.s] = plain(t.val)
	}
	var err error
	p.step, err = time.ParseDuration(p.keys["step"])
	return err
}

func (p *parser) at(toks []token) error {
	if len(toks) != 1 {
		return errors.New("at INSTANT or at +DURATION")
	}
	if d, ok := strings.CutPrefix(toks[0].s, "+"); ok {
		by, err := time.ParseDuration(d)
		p.now = p.now.Add(by)
		return err
	}
	var err error
	p.now, err = time.Parse(time.RFC3339, toks[0].s)
	return err
}

// plain gives a string value without its quotes, any other as it stands.
func plain(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// encode names a project directory as Claude Code does, for the short plain
// paths of specimens.
func encode(cwd string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, cwd)
}

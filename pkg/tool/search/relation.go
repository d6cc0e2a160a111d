package search

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"csift/pkg/addr"
	"csift/pkg/cli"
	"csift/pkg/scan"
	"csift/pkg/scope"
	"csift/pkg/target"
)

// forRecord is what --for names: a line of a transcript (Token, or the one in scope), or a record by its uuid.
type forRecord struct {
	word string
	file addr.Token // the transcript, of Kind 0 for the one in scope
	line int
	uuid string
}

// parseFor reads the value of --for.
func parseFor(word string) (r forRecord, err error) {
	r.word = word
	if n, err := strconv.Atoi(word); err == nil {
		if r.line = n; n < 1 {
			err = cli.Errorf("--for: lines are counted from 1")
			return r, err
		}
		return r, nil
	}
	if t, err := addr.Parse(word); err == nil && t.Range.Kind == addr.LineRange && t.Range.Spec.Single() && t.Range.Spec.Explicit() {
		lo, _, _ := t.Range.Spec.Resolve(math.MaxInt)
		r.file, r.line = t, lo
		r.file.Range = addr.Range{}
		return r, nil
	} else if _, no := addr.ParseSpec(word, 1); no == nil || word[0] == '@' || strings.Contains(word, ":") {
		if err == nil {
			err = errors.New("that is not one record")
		}
		return r, cli.WithHint(cli.Errorf("--for %s: %w", cli.Quote(word), err), "it takes the address of a record (@ID:120), its uuid, or its line where one session is in scope (120)")
	}
	r.uuid = word
	return r, nil
}

// scopeFor gives the target words: where none are given, an address names the transcript itself.
func (j *job) scopeFor(words []string) []string {
	if len(words) == 0 && j.opt.SessionsFrom == "" && j.about.file.Kind != 0 {
		return []string{j.about.file.String()}
	}
	return words
}

// relate narrows the search to the records that correspond to the one --for names.
func (j *job) relate() error {
	if j.opt.For == "" || len(j.files) == 0 {
		return nil
	}
	seed := scan.Seed{Line: j.about.line, UUID: j.about.uuid}
	if seed.UUID == "" {
		var err error
		if seed.File, err = j.fileFor(); err != nil {
			return err
		}
	}
	err := scan.Relate(j.ctx, j.files, seed, j.query)
	if errors.Is(err, scan.ErrNoRecord) {
		return cli.Errorf("--for: no such record: %s", j.about.word)
	}
	return err
}

// fileFor finds the transcript of a line among those in scope.
func (j *job) fileFor() (int, error) {
	if j.about.file.Kind == 0 {
		return j.onlySession()
	}
	set, err := target.Resolve(target.Request{Tokens: []string{j.about.file.String()}, Root: scope.Root(j.env), Cwd: j.env.Cwd, Getenv: j.env.Getenv})
	if err != nil {
		return 0, err
	}
	if n := len(set.Transcripts); n != 1 {
		return 0, cli.Errorf("--for %s: that names %d transcripts", cli.Quote(j.about.word), n)
	}
	for i := range j.files {
		if j.files[i].Transcript == set.Transcripts[0].Path {
			return i, nil
		}
	}
	return 0, cli.Errorf("--for %s: that transcript is not in scope", cli.Quote(j.about.word))
}

// onlySession gives the transcript that a bare line is one of: the only one in scope, or the only session with its
// subagents around it.
func (j *job) onlySession() (int, error) {
	at, sessions := 0, 0
	for i := range j.files {
		if !j.files[i].IsSubagent {
			at = i
			sessions++
		}
	}
	if sessions != 1 && len(j.files) != 1 {
		return 0, cli.WithHint(cli.Errorf("--for %d: %d sessions are in scope", j.about.line, sessions), "say which: @ID:"+itoa(j.about.line))
	}
	return at, nil
}

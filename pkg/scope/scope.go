// Package scope settles what a verb looks at: its target words, its --sessions-from list and what a pipe brings, resolved
// together. It is the one place where standard input, flags and the home meet; it reads no transcript itself.
//
// The invariant: an empty scope is only ever the answer to an input that was given and is empty.
package scope

import (
	"cmp"
	"context"
	"path/filepath"

	"csift/pkg/cli"
	"csift/pkg/row"
	"csift/pkg/target"
)

// Flags are the target flags of every verb that spans several transcripts. Embed them in the options.
type Flags struct {
	SessionsFrom string `long:"sessions-from" value-name:"FILE|-" description:"also take the sessions listed in FILE (- is stdin): ids, csift rows or csift text; an empty list is an empty scope"`
	Subagents    bool   `long:"subagents" description:"include the subagents of each session (this is the default)"`
	NoSubagents  bool   `long:"no-subagents" description:"leave the subagents of each session out"`

	Lanes bool // no flag: a session stands for its subagents however it was named, see target.Request
}

// Resolve gives the transcripts that the words, the flags and standard input name, tells the notes, and reports what
// could not be read. The Source says what was amiss in rows that were read, from stdin or from a list; it is nil when
// there were none.
func Resolve(ctx context.Context, env *cli.Env, words []string, f Flags) (*target.Set, *row.Source, error) {
	if f.Subagents && f.NoSubagents {
		return nil, nil, cli.Usagef("--subagents and --no-subagents contradict each other")
	}
	req := target.Request{Subagents: !f.NoSubagents, Lanes: f.Lanes, Root: Root(env), Cwd: env.Cwd, Getenv: env.Getenv}
	if f.SessionsFrom != "" {
		list, err := env.SessionList(ctx, f.SessionsFrom)
		if err != nil {
			return nil, nil, err
		}
		req.SessionsFrom, req.SessionsFromGiven = list, true
	}
	set, src, err := resolve(ctx, env, words, req)
	return set, together(src, env.Listed()), err
}

// together adds up what two inputs lost.
func together(a, b *row.Source) *row.Source {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	both := *a
	both.DroppedByCap += b.DroppedByCap
	both.Unnamed += b.Unnamed
	both.Torn = a.Torn || b.Torn
	both.Bad += b.Bad
	return &both
}

// One gives the single transcript that show reads, or those that addresses and rows name, in order of arrival.
func One(ctx context.Context, env *cli.Env, words []string) (*target.Set, *row.Source, error) {
	return resolve(ctx, env, words, target.Request{One: true, Root: Root(env), Cwd: env.Cwd, Getenv: env.Getenv})
}

// Root gives the home as a path that stays right when the next tool of a pipe runs in another directory.
func Root(env *cli.Env) string {
	if env.Home == "" || filepath.IsAbs(env.Home) || env.Cwd == "" {
		return env.Home
	}
	return filepath.Join(env.Cwd, env.Home)
}

func resolve(ctx context.Context, env *cli.Env, words []string, req target.Request) (*target.Set, *row.Source, error) {
	rest, src, err := env.Targets(ctx, words, req.SessionsFromGiven)
	if err != nil {
		return nil, nil, err
	}
	if req.One && len(rest) == 0 && src == nil {
		return nil, nil, cli.WithHint(cli.Usagef("a target is needed: one transcript, or addresses"),
			"an address that search printed will do: "+env.Command(env.Verb, "@5d0c1f3e:120"))
	}
	req.Tokens = rest
	if src != nil {
		req.Items, req.ItemsGiven = src.Items, true
	}
	set, err := target.Resolve(req)
	if err != nil {
		return nil, nil, err
	}
	for _, n := range set.Notes {
		env.Note("%s", n)
	}
	for _, f := range set.Failed {
		env.Unread(f.Path, f.Err)
	}
	return set, src, nil
}

// Header is the header row of a verb over several transcripts.
type Header struct {
	Kind    string `json:"kind"`
	Command string `json:"command"`
	target.Scope
}

// HeaderOf gives the header of a verb over a set.
func HeaderOf(command string, set *target.Set) Header {
	return Header{Kind: row.HeaderKind, Command: command, Scope: set.Scope()}
}

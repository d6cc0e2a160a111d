package list

import (
	"fmt"
	"io"
	"strings"

	"csift/pkg/addr"
	"csift/pkg/excerpt"
	"csift/pkg/lane"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/stdio"
	"csift/pkg/when"
)

// preview is how many characters of a returned message a text row shows.
const preview = 200

func (a *agentsAnswer) print() error {
	if a.env.Format == stdio.JSON {
		return a.json()
	}
	if _, err := io.WriteString(a.env.Banner, a.set.Banner()+a.set.CopiesLine()); err != nil {
		return err
	}
	mates := false
	for _, f := range a.families {
		a.heading("", "%s%s", row.AgentsHeading(f.id, len(f.runs), len(f.agents)), gone(f))
		run := ""
		members := byRun(f.agents)
		for i := range f.runs {
			if members[f.runs[i].ID] == nil {
				a.runLine(f, &f.runs[i])
			}
		}
		twice := doubled(f)
		for _, g := range f.agents {
			if g.Run != run && g.Run != "" && g.parent == nil {
				a.runLine(f, f.run(g.Run))
			}
			run = g.Run
			mates = mates || g.Shape == lane.ShapeTeammate
			if _, err := a.env.Out.Write(a.block(g, twice[g.ID])); err != nil {
				return err
			}
		}
	}
	a.foot(mates)
	return nil
}

func gone(f *family) string {
	if f.path == "" {
		return "  (its transcript is missing)"
	}
	return ""
}

// doubled gives the ids that several subagents have.
func doubled(f *family) map[string]bool {
	n, out := map[string]int{}, map[string]bool{}
	for _, g := range f.agents {
		if n[g.ID]++; n[g.ID] > 1 && g.ID != "" {
			out[g.ID] = true
		}
	}
	return out
}

// heading prints a line that is no row. In a pipe, where an answer consists of addresses and their bodies, the rows say
// the same.
func (a *agentsAnswer) heading(indent, format string, v ...any) {
	if !a.env.TextInFIFO {
		io.WriteString(a.env.Out, indent+excerpt.SafeLine(fmt.Sprintf(format, v...))+"\n")
	}
}

func (a *agentsAnswer) runLine(f *family, r *lane.Run) {
	if r == nil {
		return
	}
	n := 0
	for _, g := range f.agents {
		if g.Run == r.ID {
			n++
		}
	}
	a.heading("  ", "run %s  %s  %s  agents %d", r.ID, orDash(r.Name), orDash(r.Status), n)
}

// address gives the target that a row starts with.
func (a *agentsAnswer) address(g *member) string {
	if g.inline != nil {
		return addr.Line(g.script.Token(a.set.PrefixLen), g.inline.Line)
	}
	return g.script.Token(a.set.PrefixLen)
}

// deepest is how many levels are told apart by their indent; below it the parent line tells.
const deepest = 20

// block is the row of a subagent: a line with its address, the rest indented.
func (a *agentsAnswer) block(g *member, twice bool) []byte {
	b := append([]byte(nil), excerpt.SafeLine(a.address(g))...)
	depth := strings.Repeat("  ", min(g.level, deepest))
	if g.level > 0 {
		depth = depth[2:] + "└ "
	}
	b = fmt.Appendf(b, " %sAGENT %s\n", depth, excerpt.SafeLine(strings.Join([]string{g.Shape, orDash(g.agentType()), g.status}, " · ")))
	line := func(name, format string, v ...any) {
		b = fmt.Appendf(b, "  %-9s%s\n", name, excerpt.SafeLine(fmt.Sprintf(format, v...)))
	}
	if d := g.description(); d != "" {
		line("task", "%s", excerpt.At(excerpt.Fold(d), preview, 0, 0).Text)
	}
	switch {
	case g.ParentAgent != "" && g.ParentNode < 0:
		line("parent", "%s (not among the transcripts)", g.ParentAgent)
	case g.ParentAgent != "":
		line("parent", "%s", g.ParentAgent)
	}
	if id := g.Meta.Routing(); id != "" {
		line("routing", "%s", id)
	} else if g.Meta.Name != "" {
		line("name", "%s", g.Meta.Name)
	}
	switch {
	case g.script.ParentMissing:
		line("session", "%s (its transcript is missing)", orDash(g.script.ParentID))
	case a.env.TextInFIFO:
		line("session", "%s", g.script.ParentID)
	}
	if a.env.TextInFIFO && g.Run != "" {
		line("run", "%s", g.Run)
	}
	if e := g.Ends; e != nil && e.ForkParent != "" {
		line("forked", "at %s (context %d)", e.ForkParent, max(0, e.ForkLength))
	}
	if g.Ends != nil && g.Ends.Pending != nil {
		p := g.Ends.Pending
		class, reason, _ := forecast(p)
		line("PENDING", "%s %s since %s: %s", p.Tool, class, when.Text(stampOf(p.Stamp), false), reason)
	} else {
		line("trigger", "%s", when.Text(g.trigger, false))
		switch {
		case g.status == completed:
			d := ""
			if s := g.duration(); s != nil {
				d = "  (" + *s + ")"
			}
			line("done", "%s%s · %s", when.Text(g.last, false), d, g.evidence)
		case !g.last.IsZero():
			line("seen", "%s", when.Text(g.last, false))
		}
	}
	if twice {
		line("script", "%s", g.script.Path)
	}
	if a.opts.WithFiles {
		if g.files == nil {
			line("files", "not known")
		} else {
			line("files", "%d", len(g.files))
		}
		for _, path := range g.files {
			b = append(append(append(b, indent...), excerpt.SafeLine(path)...), '\n')
		}
	}
	if a.returned {
		a.returnedLine(g, line)
	}
	if e := g.Ends; e != nil && e.Skipped > 0 {
		line("damage", "%s skipped", scope.Count(e.Skipped, "malformed line"))
	}
	return b
}

func (a *agentsAnswer) returnedLine(g *member, line func(string, string, ...any)) {
	if g.returned == nil {
		line("returned", "nothing that is on disk")
		return
	}
	history := ""
	if g.status != completed {
		history = "[before the lane that is open now, not its outcome] "
	}
	line("returned", "%s%s   (%s)", history, excerpt.At(excerpt.Fold(*g.returned), preview, 0, 0).Text, g.returnedBy)
}

func (a *agentsAnswer) foot(mates bool) {
	w := a.env.Banner
	if a.count() == 0 {
		a.env.Nothing(row.NoAgents)
	}
	if mates {
		fmt.Fprintln(w, `teammates run inside their lead's process: SendMessage to the NAME steers one, {"type":"shutdown_request"} ends it`)
		fmt.Fprintln(w, "TaskStop takes a teammate's name or name@team from Claude Code 2.1.198 on; never kill a process for it")
		fmt.Fprintln(w, "the a<Name>-<hex> id is what csift targets and no task id; SendMessage takes the name, csift also @Name@Team")
	}
	if n := a.skipped(); n > 0 {
		fmt.Fprintf(w, "%s skipped; only the lines at both ends were read, all are counted by %s\n", scope.Count(n, "malformed line"), a.env.Command("stats", "@all"))
	}
	if words := scope.Unread(a.env); words != "" {
		fmt.Fprintln(w, words)
	}
}

func (a *agentsAnswer) skipped() (n int) {
	for _, f := range a.families {
		for _, g := range f.agents {
			if g.Ends != nil {
				n += g.Ends.Skipped
			}
		}
	}
	return n
}

// json prints the rows: of each session its own, its runs with their agents, then the other agents.
func (a *agentsAnswer) json() error {
	w := row.NewWriter(a.env.Out)
	if err := w.Write(scope.HeaderOf("agents", a.set)); err != nil {
		return err
	}
	runs := 0
	for _, f := range a.families {
		if err := w.Write(familyRow{"session", f.ref(), f.path == "", len(f.runs), len(f.agents)}); err != nil {
			return err
		}
		done, members := map[*member]bool{}, byRun(f.agents)
		emit := func(g *member) error {
			done[g] = true
			return w.Write(a.row(f, g))
		}
		for i := range f.runs {
			runs++
			if err := w.Write(runRowOf(f, &f.runs[i])); err != nil {
				return err
			}
			for _, g := range members[f.runs[i].ID] {
				if !done[g] {
					if err := emit(g); err != nil {
						return err
					}
				}
			}
		}
		for _, g := range f.agents {
			if !done[g] {
				if err := emit(g); err != nil {
					return err
				}
			}
		}
	}
	return w.Write(agentsSummary{row.SummaryKind, len(a.families), runs, a.count(), a.skipped(), a.env.UnreadFiles()})
}

package recover

import (
	"fmt"
	"time"

	"csift/pkg/excerpt"
	"csift/pkg/fileops"
	"csift/pkg/replay"
)

// account collects the shell commands of the story's window that may have changed the file in a way nobody states: those
// that name it, those of a kind that rewrites files it does not name, and all of PowerShell, whose words are not read.
func (s *story) account(cut *replay.Cutoff, windows map[string]*fileops.Window) {
	for i := range s.res.Boundaries {
		if b := &s.res.Boundaries[i]; b.Cause == replay.CauseBashMutation {
			s.loose = append(s.loose, command{at: b.At, class: b.Detail})
		}
	}
	for _, p := range s.group.parts {
		if p.recall == nil {
			continue
		}
		in := func(c *fileops.Command) bool { return windows[p.ID].Has(&c.At) && s.within(cut, &c.At) }
		for i := range p.recall.Opaque {
			if c := &p.recall.Opaque[i]; in(c) {
				s.opaque++
				s.loose = append(s.loose, command{at: c.At, class: c.Class, text: c.Text})
			}
		}
		for i := range p.recall.PowerShell {
			if c := &p.recall.PowerShell[i]; in(c) {
				s.power++
				s.loose = append(s.loose, command{at: c.At, class: c.Class, text: c.Text})
			}
		}
	}
}

// named counts the commands that name the file.
func (s *story) named() int { return len(s.loose) - s.opaque - s.power }

// suggested is a command line that shows the commands of the account, nil when there are none.
func (j *recoverJob) suggested(s *story) *string {
	if len(s.loose) == 0 {
		return nil
	}
	var first, last time.Time
	for i := range s.loose {
		t := s.loose[i].at.Time
		if t.IsZero() {
			continue
		}
		if first.IsZero() || t.Before(first) {
			first = t
		}
		if t.After(last) {
			last = t
		}
	}
	args := []string{`^(Bash|PowerShell)\b`, s.group.parts[0].Token(0), "-t", "agent.tool.use"}
	if !first.IsZero() {
		const layout = "2006-01-02T15:04:05.000Z"
		args = append(args, "--since", first.UTC().Format(layout), "--until", last.UTC().Format(layout))
	}
	line := j.env.Command("search", args...)
	return &line
}

// shownCommands is how many commands an answer names.
const shownCommands = 5

// accountText appends what the account says, indented, nothing where it is empty.
func (j *recoverJob) accountText(b []byte, s *story, indent string) []byte {
	if len(s.loose) == 0 {
		return b
	}
	b = fmt.Appendf(b, "%scommands of unknown effect: %d on the file · %d that may rewrite files unnamed · %d PowerShell\n", indent, s.named(), s.opaque, s.power)
	unnamed := s.loose[s.named():] // the others are boundaries
	for i := range unnamed[:min(shownCommands, len(unnamed))] {
		c := &unnamed[i]
		b = append(b, indent+"  "...)
		b = j.appendPlace(b, s, &c.at)
		b = append(b, "  "+c.class...)
		if b = append(b, "  "...); c.text != "" {
			b = appendExcerpt(b, excerpt.Fold(c.text))
		}
		b = append(b, '\n')
	}
	if more := len(unnamed) - shownCommands; more > 0 {
		b = fmt.Appendf(b, "%s  and %d more\n", indent, more)
	}
	return fmt.Appendf(b, "%s  look at them: %s\n", indent, *j.suggested(s))
}

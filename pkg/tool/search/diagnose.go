package search

import (
	"strings"

	"csift/pkg/label"
	"csift/pkg/scan"
	"csift/pkg/scope"
	"csift/pkg/stdio"
)

// after tells on stderr what belongs behind the data: what a payload mode left out, and why nothing matched.
func (j *job) after(dropped int) error {
	j.tellLost()
	t := j.totals()
	payload := j.opt.Raw || j.opt.CountBy != "" || j.opt.Count || j.opt.Sessions
	if payload && j.env.Format != stdio.JSON {
		j.accounts(dropped, t)
	}
	if j.nothing() {
		j.diagnose(t)
	}
	return nil
}

func (j *job) nothing() bool { return j.res.Matched == 0 && j.res.Records == 0 }

// accounts tells what a bare payload cannot say of itself.
func (j *job) accounts(dropped int, t totals) {
	switch {
	case j.opt.CountBy != "":
		j.env.Note("%s matched, %s%s", scope.Plural(j.res.Records, "record", "records"), scope.Plural(len(j.res.Counts), "key", "keys"), j.outside())
	case j.opt.Raw && j.res.Matched > 0:
		j.env.Note("%s in %s", scope.Plural(j.res.Matched, "matching exchange", "matching exchanges"), scope.Plural(len(j.transcripts()), "session", "sessions"))
	}
	if dropped > 0 && !j.opt.Count && j.opt.CountBy == "" {
		j.env.Note("%s dropped by --max-count; all: %s", scope.Plural(dropped, "exchange", "exchanges"), j.env.Again("--max-count", "0"))
	}
	if t.skipped > 0 {
		j.env.Note("%s skipped", scope.Plural(t.skipped, "malformed line", "malformed lines"))
	}
	if t.damaged > 0 {
		j.env.Note("the pattern also stands in %s: %s", scope.Plural(t.damaged, "damaged line", "damaged lines"), t.hurtWhere())
	}
	for _, s := range j.chain.Crossings() {
		j.env.Note("%s", s)
	}
	j.accountPending()
	for _, words := range j.persisted().words() {
		j.env.Note("%s", words)
	}
	if j.notRead > 0 {
		j.env.Note("the search before this one left %d out under its --max-count", j.notRead)
	}
}

func (j *job) outside() string {
	if j.res.Excluded == 0 {
		return ""
	}
	return ", " + scope.Plural(j.res.Excluded, "record", "records") + " outside the axis"
}

// diagnose tells why nothing matched.
func (j *job) diagnose(t totals) {
	what := "this is a definitive absence, not an error"
	if not := j.notReadWhy(t); len(not) > 0 {
		what = "not a definitive absence: " + strings.Join(not, ", ")
	}
	j.env.Note("0 matches in %s: %s; filters: %s", scope.Plural(len(j.files), "transcript", "transcripts"), what, j.filters())
	if t.skipped > 0 {
		j.env.Note("%s skipped", scope.Plural(t.skipped, "malformed line", "malformed lines"))
	}
	if t.damaged > 0 {
		j.env.Note("the pattern stands in %s: %s", scope.Plural(t.damaged, "damaged line", "damaged lines"), t.hurtWhere())
	}
	switch ex := j.probe(); {
	case !j.query.Filter.Any():
		j.env.Note("what there is to find: %s", j.census())
	case ex == nil:
		j.env.Note("the pattern matches nothing without the label filter either")
	default:
		var parts []string
		for _, l := range label.All() {
			if n := ex.ByLabel[l.String()]; n > 0 {
				parts = append(parts, l.String()+" ×"+itoa(n))
			}
		}
		j.env.Note("⚠ without the label filter %s matches %s: %s", quotePattern(j.pattern), scope.Plural(ex.Records, "record", "records"), strings.Join(parts, ", "))
	}
	if j.gatesShut() {
		j.env.Note("labels that are read only where -t names them: %s", strings.Join(selectors(j.query.Filter.Unread(false)), " "))
	}
}

// gatesShut reports whether no label was read of those that are left unread without a -t.
func (j *job) gatesShut() bool {
	return len(j.query.Filter.Unread(j.query.Attachments || j.query.Count == scan.ByAttachment)) == len(label.Filter{}.Unread(false))
}

// selectors gives what reaches the leaves, those of one category together.
func selectors(leaves []label.Leaf) (out []string) {
	for i := 0; i < len(leaves); {
		n := 1
		for i+n < len(leaves) && leaves[i+n].Category() == leaves[i].Category() {
			n++
		}
		if word := leaves[i].String(); n == 1 {
			out = append(out, word)
		} else {
			out = append(out, string(leaves[i].Category())+".*")
		}
		i += n
	}
	return out
}

// census says how to count what the scope holds: as a command where the scope stands in the arguments.
func (j *job) census() string {
	o := j.opt
	if j.piped {
		return "the empty pattern with --count-by label, on the same rows"
	}
	args := append([]string{""}, j.targets...)
	if len(j.targets) == 0 && o.SessionsFrom == "" {
		args = append(args, "@all")
	}
	for _, f := range []struct{ flag, word string }{{"--since", o.Since}, {"--until", o.Until}, {"--turn", o.Turn}, {"--for", o.For}, {"--sessions-from", o.SessionsFrom}} {
		if f.word != "" {
			args = append(args, f.flag+"="+f.word)
		}
	}
	if o.NoSubagents {
		args = append(args, "--no-subagents")
	}
	return j.env.Command("search", append(args, "--count-by", "label")...)
}

func quotePattern(p string) string {
	if p == "" {
		return "the empty pattern"
	}
	return "'" + p + "'"
}

// notReadWhy lists why the absence of a match proves nothing.
func (j *job) notReadWhy(t totals) []string {
	var out []string
	if t.skipped > 0 {
		out = append(out, scope.Plural(t.skipped, "malformed line", "malformed lines"))
	}
	if t.unreadable > 0 {
		out = append(out, scope.Plural(t.unreadable, "unreadable file", "unreadable files"))
	}
	if t.missing > 0 {
		out = append(out, scope.Plural(t.missing, "address that is not there", "addresses that are not there"))
	}
	if j.notRead > 0 {
		out = append(out, scope.Plural(j.notRead, "exchange", "exchanges")+" cut upstream")
	}
	if j.unnamed > 0 {
		out = append(out, scope.Plural(j.unnamed, "exchange", "exchanges")+" that the upstream did not name")
	}
	if n := j.leftOut(); n > 0 {
		out = append(out, scope.Plural(n, "pending dialog", "pending dialogs")+" of a sidecar left out")
	}
	out = append(out, j.persisted().notRead()...)
	if j.torn {
		out = append(out, "a torn or damaged upstream")
	}
	j.probe()
	for _, u := range j.unread {
		s := scope.Plural(u.Records, "line", "lines")
		if u.Leaf == label.None {
			s += " without a label (" + j.env.Command("show", j.address(u.File, u.Line)) + ")"
		} else {
			s += " of " + u.Leaf.String() + " (-t " + u.Leaf.String() + ")"
		}
		out = append(out, "the pattern stands in "+s)
	}
	return out
}

func (j *job) absence() *absence {
	not := j.notReadWhy(j.totals())
	a := &absence{DefinitiveAbsence: len(not) == 0, NotRead: not, ActiveFilters: j.filters()}
	if not == nil {
		a.NotRead = []string{}
	}
	shut := j.gatesShut()
	a.ExcludedByLabel, a.GatedLeavesUnreached = j.probe(), &shut
	return a
}

// probe counts what the pattern would match without the label filter; nil when that is nothing, or when there is no such
// filter. Then it looks for the pattern in what a search does not read.
func (j *job) probe() *excluded {
	if j.probed {
		return j.without
	}
	j.probed = true
	q, res := *j.query, j.res
	if q.Filter.Any() {
		var err error
		q.Filter, q.Count, q.Exchanges = label.Filter{}, scan.ByLabel, false
		if res, err = scan.Run(j.ctx, j.files, &q, nil); err != nil {
			return nil
		}
	}
	if res.Records == 0 {
		j.unread, _ = scan.Unread(j.ctx, j.files, &q, res)
		return nil
	}
	j.without = &excluded{Records: res.Records, ByLabel: map[string]int{}}
	for _, c := range res.Counts {
		j.without.ByLabel[c.Key] = c.Records
	}
	return j.without
}

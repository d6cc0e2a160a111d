package target

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"csift/pkg/addr"
	"csift/pkg/lane"
)

// How long the record that launched csift may take to reach its transcript. The client writes it when the answer that it
// is part of ends: up to 3.1 s after the tool began, in the main thread and in subagents (2.1.332).
var (
	trapEvery = 250 * time.Millisecond
	trapFor   = 4 * time.Second
)

// trapRecent is how far back the last change of a transcript may lie when the environment does not tell the session.
const trapRecent = 10 * time.Minute

// trap gives the lane that calls: the one transcript with a call of a shell that holds the marker.
func (r *resolver) trap(t addr.Token) (*known, error) {
	session, _ := r.session()
	seen := map[string]int64{} // how far each transcript was looked at
	found := map[string]bool{} // ids of lanes that hold the marker
	end := time.Now().Add(trapFor)
	for first := true; ; first = false {
		if !first {
			r.relist()
		}
		for _, f := range r.callers(session) {
			if hit, next, err := lane.Called(context.Background(), f.Path, t.ID, seen[f.Path]); err == nil {
				seen[f.Path] = next
				if hit {
					found[f.ID] = true
				}
			}
		}
		if len(found) > 0 || !time.Now().Before(end) {
			break
		}
		time.Sleep(min(trapEvery, time.Until(end)))
	}
	return r.trapped(t, found, len(seen), session)
}

// trapped settles what the lanes with the marker mean: the one subagent, else the one session.
func (r *resolver) trapped(t addr.Token, found map[string]bool, looked int, session string) (*known, error) {
	var agents, sessions []*known
	for id := range found {
		k := r.index.byID(id)
		switch {
		case k == nil || len(k.at) == 0:
		case k.at[0].Subagent:
			agents = append(agents, k)
		default:
			sessions = append(sessions, k)
		}
	}
	both := agents
	if len(agents) == 0 {
		both = sessions
	}
	switch len(both) {
	case 1:
		if len(agents) == 0 {
			r.note("@trap: the marker stands in the transcript of session %s itself: the caller is its main thread", both[0].id)
		}
		return both[0], nil
	case 0:
		if err := r.listed(); err != nil {
			return nil, err
		}
		where := fmt.Sprintf("%s of session %s", plural(looked, "transcript"), session)
		if session == "" {
			where = fmt.Sprintf("%s that changed in the last ten minutes", plural(looked, "transcript"))
		}
		return nil, fmt.Errorf("@trap: no call of a shell with %s is in the %s, after %s of looking: "+
			"the main thread is @main; the marker must stand literally in the command (no variable, no script that holds it); "+
			"otherwise run the same command once more, with the same marker, as a call of its own", t.ID, where, trapFor)
	}
	slices.SortFunc(both, func(a, b *known) int { return strings.Compare(a.id, b.id) })
	return nil, fmt.Errorf("@trap: %s is in %d lanes, so it does not tell which one calls; invent a fresh one:%s", t.ID, len(both), candidates(both))
}

// session gives the id of the calling session and the variable that tells it, "" when none does.
func (r *resolver) session() (id, variable string) { return Caller(r.req.Getenv) }

// Caller gives the session that the environment names, and the variable it stands in: "" when there is none. In every
// lane of a session, subagents included, that is the session itself; builds up to 2.0.77 give none.
func Caller(getenv func(string) string) (id, variable string) {
	for _, name := range sessionVars {
		if id := getenv(name); id != "" {
			return id, name
		}
	}
	return "", ""
}

// callers gives the transcripts that the calling lane may have.
func (r *resolver) callers(session string) (out []lane.File) {
	if session != "" {
		k := r.index.byID(session)
		if k == nil {
			return nil
		}
		for _, l := range k.at {
			out = append(out, l.File)
		}
		for _, g := range k.groups {
			out = append(out, g.Agents...)
		}
		return out
	}
	since := time.Now().Add(-trapRecent)
	recent := func(f lane.File) {
		if info, err := os.Stat(f.Path); err == nil && info.ModTime().After(since) {
			out = append(out, f)
		}
	}
	for i := range r.projects {
		p := &r.projects[i]
		for _, f := range p.Sessions {
			recent(f)
		}
		for _, f := range p.Flat {
			recent(f)
		}
		for _, g := range p.Groups {
			for _, f := range g.Agents {
				recent(f)
			}
		}
	}
	return out
}

// relist looks anew at what the home holds: a lane's file may have come since.
func (r *resolver) relist() {
	projects, failed, err := lane.List(r.dir)
	r.projects, r.failed, r.listErr = projects, failed, err
	r.index = newIndex(projects)
	clear(r.owned)
}

// teammate gives the subagent that SendMessage knows by Name@Team.
func (r *resolver) teammate(t addr.Token) (*known, error) {
	if err := r.listed(); err != nil {
		return nil, err
	}
	var named, plain []lane.File // a teammate's id holds its name; what it looks like is not relied on
	for i := range r.projects {
		for _, g := range r.projects[i].Groups {
			for _, f := range g.Agents {
				if strings.Contains(f.ID, "-") {
					named = append(named, f)
				} else {
					plain = append(plain, f)
				}
			}
		}
	}
	for _, files := range [...][]lane.File{named, plain} {
		hit := make([]bool, len(files))
		lane.Each(len(files), func(i int) {
			m := lane.ReadMeta(files[i].Path)
			hit[i] = m.Routing() == t.ID
		})
		var found []*known
		for i, f := range files {
			if k := r.index.byID(f.ID); hit[i] && k != nil && !slices.Contains(found, k) {
				found = append(found, k)
			}
		}
		switch len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return nil, fmt.Errorf("@%s is the address of %d teammates; name one by its transcript id:%s", t.ID, len(found), candidates(found))
		}
	}
	return nil, fmt.Errorf("no teammate has the address @%s (@<Name>@<Team>, spelled exactly as SendMessage takes it): looked in %s; "+
		"agents --shape teammate lists them", t.ID, r.where())
}

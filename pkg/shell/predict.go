package shell

import (
	"regexp"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A Verdict says whether Claude Code stops for the person before it runs a command,
// whatever its permission mode and rules allow.
type Verdict uint8

const (
	NoAsk     Verdict = iota // it does not
	Ask                      // it does
	Undecided                // that depends on what the transcript does not hold
)

func (v Verdict) String() string { return [...]string{"no-ask", "ask", "undecided"}[v] }

// Prediction is what Predict expects of a command.
type Prediction struct {
	Verdict    Verdict
	Checker    string // which check decided: Lexical, Structured or Census; "" when the command removes nothing
	Gen        int    // the generation of rules, 1 to 3
	GenAssumed bool   // the version did not tell which, the latest known was taken
	Reason     string // one sentence without a period; "" for a command that removes nothing
}

// The values of Prediction.Checker.
const (
	Lexical    = "lexical"    // the text, taken apart at separators
	Structured = "structured" // the arguments of each removal
	Census     = "census"     // the number of command substitutions
)

// A generation is how builds of Claude Code judge removalVerbs. What is not certain of it is
// in the tables below, one line each.
type generation struct {
	n        int
	from     [3]int // the first version
	lexical  func(g *generation, text string) string
	fixpoint bool // substitutions are taken out of a text until none is left, not once
	census   bool
}

// generations are in order; the last one is taken for versions that cannot be read,
// since the rules above were checked at a build of it.
var generations = [...]generation{
	{n: 1, lexical: (*generation).heads},
	{n: 1, from: [3]int{2, 1, 142}, lexical: (*generation).heads, fixpoint: true},
	{n: 2, from: [3]int{2, 1, 208}, lexical: (*generation).heads, fixpoint: true, census: true},
	{n: 3, from: [3]int{2, 1, 261}, lexical: (*generation).walk, fixpoint: true, census: true},
}

const (
	// maxParsed is the length in bytes above which a command is not taken apart.
	maxParsed = 10000
	// maxSubsts is how many command substitutions are looked into.
	maxSubsts = 64
	// maxReplace is how often the innermost substitutions are replaced.
	maxReplace = 16
	// substName stands in a text for a substitution.
	substName = "__CMDSUB__"
)

// Reasons. That of NeedsFiles is fixed: consumers compare it.
const (
	NeedsFiles    = "removal target needs the filesystem state at the time"
	needsInput    = "the removal takes its targets from another program's output"
	needsOldRules = "how builds before 2.1.208 judge a removal target with a command substitution is not known"
	manySubsts    = "a removal in a command with more than 64 command substitutions"
	noDanger      = "none of its removal targets is one that Claude Code stops for"
	assumed       = "its version is not known, the rules from 2.1.261 on are assumed"
)

// Predict says whether Claude Code stops a Bash command because of what it removes: a
// check that runs before permission rules and that no mode switches off. The rules are
// those of version, a record's "version"; cwd is the record's. It mirrors them and does
// not better them: variables that the lexical check cannot know stay unknown, and what
// the file system decides is Undecided.
//
// It is a forecast. A command that Claude Code stops for other reasons (no rule allows
// it, it is too complex) is no Ask.
func Predict(command, cwd, version string) Prediction {
	g, known := generationOf(version)
	p := g.predict(command, cwd)
	p.Gen, p.GenAssumed = g.n, !known
	if p.GenAssumed && p.Reason != "" {
		p.Reason += " (" + assumed + ")"
	}
	return p
}

// generationOf finds the rules of a version; known is false when it cannot be read.
func generationOf(version string) (g *generation, known bool) {
	last := &generations[len(generations)-1]
	v, ok := versionOf(version)
	if !ok {
		return last, false
	}
	for i := range generations {
		if earlier(v, generations[i].from) {
			break
		}
		g = &generations[i]
	}
	return g, true
}

// versionOf reads major.minor.patch; what follows a dash or plus is left out.
func versionOf(s string) (v [3]int, ok bool) {
	if i := strings.IndexAny(s, "-+ "); i >= 0 {
		s = s[:i]
	}
	parts := strings.Split(s, ".")
	if len(parts) != len(v) {
		return v, false
	}
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 31)
		if err != nil {
			return v, false
		}
		v[i] = int(n)
	}
	return v, true
}

func earlier(a, b [3]int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// predict judges a whole command.
func (g *generation) predict(command, cwd string) Prediction {
	p := g.judge(command, cwd)
	if !g.census {
		return p
	}
	all := commandSubsts(command)
	if len(all) == 0 {
		return p
	}
	if len(all) > maxSubsts {
		if rmWord.MatchString(command) {
			return Prediction{Verdict: Ask, Checker: Census, Reason: manySubsts}
		}
		return p
	}
	for _, s := range all {
		if p.Verdict == Ask {
			return p
		}
		p = graver(p, g.judge(s.body(command), cwd))
	}
	if p.Verdict == Ask {
		return p
	}
	if stmts, ok := taken(replaceSubsts(command, all, maxReplace)); ok {
		p = graver(p, g.structured(stmts, cwd))
	}
	return p
}

// judge runs the check that the shape of a command calls for.
func (g *generation) judge(command, cwd string) Prediction {
	if stmts, ok := taken(command); ok {
		return g.structured(stmts, cwd)
	}
	text := command
	if subs := commandSubsts(command); len(subs) > 0 {
		text = stripSubsts(command, subs, g.fixpoint)
	}
	if reason := g.lexical(g, text); reason != "" {
		return Prediction{Verdict: Ask, Checker: Lexical, Reason: reason}
	}
	if rmWord.MatchString(command) {
		return Prediction{Checker: Lexical, Reason: noDanger}
	}
	return Prediction{}
}

// graver gives the graver of two predictions of one command, the first one of equals.
func graver(a, b Prediction) Prediction {
	rank := func(p Prediction) int {
		switch {
		case p.Verdict == Ask:
			return 3
		case p.Verdict == Undecided:
			return 2
		case p.Reason != "":
			return 1
		}
		return 0
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}

// rmWord finds rm as a word of its own.
var rmWord = regexp.MustCompile(`(?:^|[^\w.-])rm(?:[^\w.-]|$)`)

// parsed is a command that Claude Code takes apart.
type parsed struct {
	src   string
	stmts []*syntax.Stmt
}

// taken parses a command as far as Claude Code does: what is long, does not parse or has
// a compound command, in a substitution too, is left to the lexical check.
func taken(command string) (parsed, bool) {
	if len(command) > maxParsed {
		return parsed{}, false
	}
	stmts, err := parse(command)
	if err != nil {
		return parsed{}, false
	}
	simple := true
	for _, s := range stmts {
		syntax.Walk(s, func(n syntax.Node) bool {
			simple = simple && !compound(n)
			return simple
		})
	}
	return parsed{command, stmts}, simple
}

// compound tells the commands that are too complex to be taken apart: for if while until
// case, a subshell, a block, a function. select is among the loops.
func compound(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.ForClause, *syntax.IfClause, *syntax.WhileClause, *syntax.CaseClause,
		*syntax.Subshell, *syntax.Block, *syntax.FuncDecl:
		return true
	}
	return false
}

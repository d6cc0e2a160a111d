package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// shell reads bash -c '...', and a script that stands on the input of a shell.
func (r *reading) shell(k *call, name string, args []word) {
	inline := false
	i := 0
	for ; i < len(args); i++ {
		w := args[i]
		if w.is("-") && name == "su" {
			continue
		}
		if w.is("--") || w.is("-") {
			i++
			break
		}
		if !isFlag(w) && !(len(w.text) > 1 && w.text[0] == '+') {
			if name == "su" && !inline { // su user -c '...'
				continue
			}
			break
		}
		if strings.HasPrefix(w.text, "--") {
			if w.text == "--rcfile" || w.text == "--init-file" {
				i++
			}
			if w.text == "--command" {
				inline = true
			}
			continue
		}
		inline = inline || w.text[0] == '-' && strings.Contains(w.text, "c")
		if strings.HasSuffix(w.text, "o") || strings.HasSuffix(w.text, "O") {
			i++
		}
	}
	c := k.ctx.child()
	switch {
	case inline && i < len(args):
		r.script(scriptText(args[i]), c)
	case i >= len(args) || typedFlag(args[:i], "-s"):
		if k.input != nil {
			r.script(k.input.word, c)
		}
	}
}

// scriptText gives the text of a script that stands in one word. The common
// "$(cat <<'EOF' ... EOF)" is the body of its document.
func scriptText(w word) word {
	if !strings.HasPrefix(w.text, "$(") || !strings.Contains(w.text, "<<") {
		return w
	}
	stmts, err := parse(w.text)
	if err != nil || len(stmts) != 1 {
		return w
	}
	call, ok := stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) != 1 || len(call.Args[0].Parts) != 1 {
		return w
	}
	sub, ok := call.Args[0].Parts[0].(*syntax.CmdSubst)
	if !ok || len(sub.Stmts) != 1 {
		return w
	}
	s := &script{src: w.text}
	if d := catDocument(s, sub.Stmts[0]); d != nil {
		return d.word
	}
	return w
}

// catDocument gives the document of a statement that is no more than
// cat <<EOF; nil for any other.
func catDocument(s *script, st *syntax.Stmt) *document {
	x, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(x.Args) == 0 || len(x.Args) > 2 || len(st.Redirs) != 1 {
		return nil
	}
	args := s.words(x.Args)
	if head(args[0]) != "cat" || len(args) == 2 && !args[1].is("-") {
		return nil
	}
	switch rd := st.Redirs[0]; rd.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		d := s.document(rd)
		return &d
	}
	return nil
}

// filters hand on names that they are given.
var filters = set("grep egrep fgrep rg sort uniq head tail tac tr sed awk tee")

// gives says what a member of a pipeline hands to the next: a text that stands
// in the command, or the names that find looks for.
func (r *reading) gives(s *syntax.Stmt, c ctx) (*document, []word) {
	if d := catDocument(c.in, s); d != nil {
		return d, nil
	}
	x, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(x.Args) == 0 {
		return nil, nil
	}
	args := c.in.words(x.Args)
	switch name := head(args[0]); {
	case name == "find" || name == "gfind":
		return nil, findNames(args[1:])
	case filters[name]:
		return nil, c.fed
	}
	return nil, nil
}

// findNames gives the patterns of find that its results have: those of its
// -name tests, never of a negated one.
func findNames(args []word) (names []word) {
	for i := 0; i+1 < len(args); i++ {
		switch args[i].text {
		case "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename":
			if i == 0 || !args[i-1].is("!") && !args[i-1].is("-not") {
				w := args[i+1].unknown()
				w.name = strings.HasSuffix(args[i].text, "name") && !strings.HasSuffix(args[i].text, "wholename") && !args[i+1].expands()
				names = append(names, w)
			}
			i++
		}
	}
	return names
}

// findTests are words of find that choose among the files, besides findNames.
var findTests = set("-type -xtype -mtime -mmin -atime -amin -ctime -cmin -newer -newermt -anewer -cnewer -size -empty -perm -user -group -uid -gid " +
	"-regex -iregex -name -iname -path -ipath -wholename -iwholename -lname -links -inum -samefile -readable -writable -executable " +
	"-mindepth -prune ! -not -nouser -nogroup")

// find reads the actions of find. The names of what they are done to are known
// only as far as its -name tests tell, and where there is no test at all.
func (r *reading) find(k *call, args []word) {
	starts, i := findStarts(args)
	names := findNames(args[i:])
	tested := false
	for _, w := range args[i:] {
		tested = tested || findTests[w.text]
	}
	for ; i < len(args); i++ {
		switch args[i].text {
		case "-delete":
			r.blind = append(r.blind, len(r.ops)+1)
			if tested {
				r.addAll("find-delete", Removes, names, k.at)
			} else {
				r.addAll("find-delete", Removes, starts, k.at)
			}
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			if i+1 < len(args) {
				i++
				r.output(args[i], Writes, k.at)
			}
		case "-exec", "-execdir", "-ok", "-okdir":
			end := i + 1
			for end < len(args) && !args[end].is(";") && !(args[end].is("+") && args[end-1].text == "{}") {
				end++
			}
			r.each(k, args[i+1:end], "{}", names)
			i = end
		}
	}
}

// findStarts gives the directories that find starts at, and where its
// expression begins.
func findStarts(args []word) (starts []word, i int) {
	for i < len(args) {
		w := args[i]
		switch {
		case w.is("-H"), w.is("-L"), w.is("-P"), strings.HasPrefix(w.text, "-O"):
		case w.is("-D"):
			i++
		case isFlag(w), w.is("!"), w.is("("), w.is(")"), w.is(","):
			return starts, i
		default:
			starts = append(starts, w)
		}
		i++
	}
	return starts, min(i, len(args))
}

// harmless commands change nothing whatever they are given.
var harmless = set("grep egrep fgrep rg cat wc ls echo printf head tail file du stat basename dirname md5sum sha1sum sha256sum shasum test [ realpath readlink diff cmp nm strings sort jq")

// each reads a command that is run for names that something else finds; mark is
// the word that stands for such a name.
func (r *reading) each(k *call, args []word, mark string, names []word) {
	if len(args) == 0 || r.forEach >= maxEach {
		return
	}
	r.forEach++
	defer func() { r.forEach-- }()
	sub := *k
	sub.ctx = k.ctx.unsure()
	sub.child = true
	sub.args = nil
	for _, w := range args {
		switch {
		case mark == "" || !strings.Contains(w.text, mark):
			sub.args = append(sub.args, w)
		case w.text == mark && len(names) > 0:
			sub.args = append(sub.args, names...)
		default:
			sub.args = append(sub.args, w.unknown())
		}
	}
	if mark == "" {
		sub.args = append(sub.args, names...)
	}
	if !harmless[head(sub.args[0])] {
		r.blind = append(r.blind, len(r.ops)+1)
	}
	r.command(&sub)
}

// xargs reads the command that xargs runs. What it adds to its words stands in
// no text, but for the names that a find before it looks for.
func (r *reading) xargs(k *call, args []word) {
	f := flagSet{"InPLsdEa", "replace max-args max-procs max-lines max-chars delimiter arg-file eof"}
	mark := ""
	for len(args) > 0 {
		w := args[0]
		if w.is("--") {
			args = args[1:]
			break
		}
		if !isFlag(w) {
			break
		}
		opts, used := readFlag(args, f)
		for _, o := range opts {
			switch {
			case o.name == "-I" && o.has, o.name == "--replace" && o.has:
				mark = o.value.text
			case o.name == "-i":
				mark = "{}"
			}
		}
		args = args[min(used, len(args)):]
	}
	r.each(k, args, mark, k.fed)
}

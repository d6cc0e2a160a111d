package shell

import (
	"strings"
)

// tool reads formatters, package managers, unpackers and commands that name
// their output in a flag; true when name is one and its words fit.
func (r *reading) tool(k *call, name string) bool {
	args := k.args[1:]
	return r.format(k, name, args) || r.manage(name, args) || r.unpack(name, args) || r.named(k, name, args)
}

// format adds the files of a formatter, or its marker when it names none.
func (r *reading) format(k *call, name string, args []word) bool {
	for _, f := range formatters[name] {
		rest := args
		if f.sub != "" {
			sub, after := firstOperand(args, flagSet{})
			if !listed(f.sub, sub) {
				continue
			}
			rest = after
		}
		if f.need != "" && !typedFlag(rest, f.need) {
			continue
		}
		if !typedFlag(rest, f.check) && !typedFlag(rest, "--help --version") {
			r.formatted(k, name, rest, f)
		}
		return true
	}
	return false
}

func (r *reading) formatted(k *call, name string, args []word, f formatter) {
	_, operands := options(args, f.flags)
	files := 0
	for _, w := range operands {
		if isFlag(w) {
			continue // behind --
		}
		if !fileLike(w) {
			files = -1
			break
		}
		files++
	}
	for _, w := range operands {
		if fileLike(w) && !isFlag(w) {
			r.add("fmt", Writes, w, k.at)
		}
	}
	if files <= 0 && !(len(operands) == 1 && operands[0].is("-")) {
		r.mark("fmt", name)
	}
}

// fileLike says whether w names one file as far as a name can tell: it has an
// extension, and neither the shell nor the tool takes it for a pattern.
func fileLike(w word) bool {
	text, ok := w.literal()
	if !ok || strings.ContainsAny(text, "*?[]{}!") {
		return false
	}
	base := text[strings.LastIndexAny(text, `/\`)+1:]
	return strings.LastIndexByte(base, '.') > 0 && strings.Trim(base, ".") != ""
}

// firstOperand gives the subcommand of a tool and the words behind it.
func firstOperand(args []word, f flagSet) (sub string, rest []word) {
	for i := 0; i < len(args); i++ {
		switch w := args[i]; {
		case isFlag(w):
			_, used := readFlag(args[i:], f)
			i += used - 1
		case strings.HasPrefix(w.text, "+"): // cargo +nightly
		default:
			sub, _ = w.literal()
			return sub, args[i+1:]
		}
	}
	return "", nil
}

// manage adds the marker of a package manager that installs or removes.
func (r *reading) manage(name string, args []word) bool {
	m, ok := managers[name]
	if !ok {
		return false
	}
	if typedFlag(args, "--dry-run --help") || typedFlag(args, m.dry) {
		return false
	}
	if m.name != "" {
		name = m.name
	}
	if !m.installs(args) {
		return false
	}
	r.mark("pkg", name)
	return true
}

func (m manager) installs(args []word) bool {
	if m.option != "" {
		for _, w := range args {
			if listed(m.option, w.text) {
				return true
			}
		}
		return false
	}
	sub, rest := m.sub(args)
	if sub == "workspace" { // yarn workspace web add x
		_, rest = firstOperand(rest, flagSet{})
		sub, rest = firstOperand(rest, flagSet{})
	}
	if sub == "" {
		return m.bare && !typedFlag(args, "-v -V -h --version")
	}
	next, _ := firstOperand(rest, flagSet{})
	return listed(m.subs, sub) || next != "" && (listed(m.subs, sub+":"+next) || listed(m.subs, sub+"+"))
}

// sub gives the subcommand behind a manager's own flags.
func (m manager) sub(args []word) (sub string, rest []word) {
	for len(args) > 1 && isFlag(args[0]) && listed(m.values, args[0].text) {
		args = args[2:]
	}
	for i, w := range args {
		if !isFlag(w) {
			return firstOperand(args[i:], flagSet{})
		}
		if i+1 < len(args) && listed(m.values, w.text) {
			return m.sub(args[i:])
		}
	}
	return "", nil
}

// unpack adds the marker of a command that writes what an archive names.
func (r *reading) unpack(name string, args []word) bool {
	u, ok := unpackers[name]
	if !ok || len(args) == 0 && u.need == "" && name != "patch" {
		return false
	}
	switch {
	case typedFlag(args, u.quiet), typedFlag(args, "--help --version"):
		return true
	case u.sub != "" && !listed(u.sub, args[0].text):
		return false
	case u.need != "" && !typedFlag(args, u.need):
		return false
	}
	r.mark("extract", name)
	return true
}

// named adds the file that an output flag names.
func (r *reading) named(k *call, name string, args []word) bool {
	f, ok := outputs[name]
	if !ok && len(args) > 0 {
		f, ok = outputs[name+" "+args[0].text]
	}
	if !ok {
		return false
	}
	if f.single {
		r.namedSingle(k, f, args)
		return true
	}
	fs := f.flags
	for o := range strings.FieldsSeq(f.out) {
		if strings.HasPrefix(o, "--") {
			fs.long += " " + o[2:]
		} else {
			fs.short += o[1:]
		}
	}
	opts, _ := options(args, fs)
	for _, o := range opts {
		if o.has && listed(f.out, o.name) {
			e := Writes
			if o.name == "--append-output" || name == "wget" && o.name == "-a" {
				e = Appends
			}
			r.output(o.value, e, k.at)
		}
	}
	return true
}

func (r *reading) namedSingle(k *call, f outputFlag, args []word) {
	for i, w := range args {
		flag, _, joined := strings.Cut(w.text, "=")
		switch {
		case !isFlag(w) || !listed(f.out, flag):
		case joined:
			r.output(w.from(len(flag)+1), Writes, k.at)
		case i+1 < len(args):
			r.output(args[i+1], Writes, k.at)
		}
	}
}

// git adds the one marker of a subcommand that changes something.
func (r *reading) git(k *call, args []word) {
	for len(args) > 0 && isFlag(args[0]) {
		_, used := readFlag(args, gitFlags)
		args = args[used:]
	}
	if len(args) == 0 {
		return
	}
	sub, _ := args[0].literal()
	if !mutatingGit[sub] {
		return
	}
	args = args[1:]
	q := quietGits[sub]
	first, _ := firstOperand(args, flagSet{})
	switch {
	case typedFlag(args, "-h --help"):
	case typedFlag(args, q.flags) && !typedFlag(args, "--apply"):
	case first != "" && listed(q.words, first), q.bare && first == "":
	default:
		r.mark("git", sub)
	}
}

// tar adds the marker of an extraction, or the archive that is written.
func (r *reading) tar(k *call, args []word) {
	mode := byte(0)
	var archive word
	letter := func(c byte) {
		switch c {
		case 'c', 'x', 't', 'r', 'u', 'A', 'd':
			if mode == 0 {
				mode = c
			}
		}
	}
	if len(args) > 0 && !isFlag(args[0]) { // tar xzf t.tgz
		bundle := args[0].text
		args = args[1:]
		for i := 0; i < len(bundle); i++ {
			letter(bundle[i])
			if strings.IndexByte(tarValues, bundle[i]) >= 0 && len(args) > 0 {
				if bundle[i] == 'f' {
					archive = args[0]
				}
				args = args[1:]
			}
		}
	}
	opts, _ := options(args, flagSet{tarValues, tarLongFlags})
	for _, o := range opts {
		switch o.name {
		case "--create":
			letter('c')
		case "--extract", "--get":
			letter('x')
		case "--list":
			letter('t')
		case "--append":
			letter('r')
		case "--update":
			letter('u')
		case "-f", "--file":
			archive = o.value
		default:
			if len(o.name) == 2 {
				letter(o.name[1])
			}
		}
	}
	switch mode {
	case 'x':
		if !given(opts, "-O --to-stdout") {
			r.mark("extract", "tar")
		}
	case 'c':
		if !remote(archive) {
			r.output(archive, Writes, k.at)
		}
	case 'r', 'u', 'A':
		r.output(archive, Appends, k.at)
	}
}

// sevenZip reads 7z x and 7z a.
func (r *reading) sevenZip(k *call, args []word) {
	if len(args) == 0 {
		return
	}
	_, operands := options(args[1:], flagSet{})
	switch args[0].text {
	case "x", "e":
		if !typedFlag(args, "-so") {
			r.mark("extract", "7z")
		}
	case "a", "u", "d":
		if len(operands) > 0 {
			r.output(operands[0], Writes, k.at)
		}
	}
}

// compress reads gzip and its like, which put a packed file in the place of
// each they are given.
func (r *reading) compress(k *call, name string, args []word) {
	opts, operands := options(args, flagSet{short: "S", long: "suffix"})
	switch {
	case given(opts, stdoutFlags):
	case given(opts, decompress):
		r.mark("extract", name)
	case name == "zstd" && !given(opts, "--rm"), given(opts, keepsSource):
	default:
		r.addAll(name, Removes, operands, k.at)
	}
}

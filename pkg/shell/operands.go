package shell

import (
	"strings"
)

// verb reads the operands of a command that names its files.
func (r *reading) verb(k *call, name string, v verb) {
	args := k.args[1:]
	switch v.kind {
	case eachOperand, destination, moving:
		opts, operands := options(args, v.flags)
		if !given(opts, v.dry) && !given(opts, "--help --version") {
			r.operands(k, name, v, opts, operands)
		}
	case sedInPlace:
		r.sed(k, args)
	case perlInPlace:
		r.perl(k, "perl-i", args)
	case rubyCode:
		if !r.perl(k, "ruby-i", args) {
			r.code(k, &ruby, args)
		}
	case awkInPlace:
		r.awk(k, args)
	case yqInPlace:
		r.yq(k, args)
	case ddOperands:
		for _, w := range args {
			if strings.HasPrefix(w.text, "of=") {
				r.add("dd", Writes, w.from(3), k.at)
			}
		}
	case findFiles:
		r.find(k, args)
	case xargsCommand:
		r.xargs(k, args)
	case shellScript:
		r.shell(k, name, args)
	case pythonCode:
		r.code(k, &python, args)
	case nodeCode:
		r.code(k, &node, args)
	case gitCommand:
		r.git(k, args)
	case tarArchive:
		r.tar(k, args)
	case zipArchive:
		_, operands := options(args, flagSet{short: "btPn"})
		if len(operands) > 1 {
			r.output(operands[0], Writes, k.at)
		}
	case sevenZip:
		r.sevenZip(k, args)
	case compress:
		r.compress(k, name, args)
	case editScript:
		r.editScript(k, name, args)
	}
}

// operands adds the files of a command of one of the three plain kinds.
func (r *reading) operands(k *call, name string, v verb, opts []option, operands []word) {
	switch {
	case v.kind == eachOperand:
		e := v.effect
		if given(opts, v.appends) {
			e = Appends
		}
		r.addAll(name, e, operands, k.at)
		return
	case v.dirs != "" && given(opts, v.dirs):
		r.addAll(name, MakesDir, operands, k.at)
		return
	}
	var dest word
	for _, o := range opts {
		if o.has && (o.name == "-t" || o.name == "--target-directory") {
			dest = o.value
		}
	}
	if dest.text == "" {
		if len(operands) < 2 {
			if len(operands) == 1 && v.effect != None && strings.Contains(operands[0].text, "{") { // cp f{,.bak}
				r.add(name, v.effect, operands[0], k.at)
			}
			return
		}
		dest = operands[len(operands)-1]
		operands = operands[:len(operands)-1]
	}
	if v.kind == moving {
		r.addAll(name, Moves, operands, k.at)
		r.add(name, Writes, dest, k.at)
		return
	}
	if !v.remote || !remote(dest) {
		r.add(name, v.effect, dest, k.at)
	}
}

// remote says whether w names something on another machine: host:path, or a
// URL. A Windows drive is no host.
func remote(w word) bool {
	if windows(w.text) {
		return false
	}
	for i := 0; i < len(w.text); i++ {
		switch {
		case w.mask[i] == expand:
		case w.text[i] == ':':
			return true
		case w.text[i] == '/':
			return false
		}
	}
	return false
}

// output adds a file that a flag, or a place among the operands, names as the
// output of a command.
func (r *reading) output(w word, e Effect, p place) {
	if w.text != "-" && !strings.HasPrefix(w.text, "/dev/") {
		r.add("output", e, w, p)
	}
}

// unknown makes w a name that is never resolved: what find or xargs put in its
// place is not in the text.
func (w word) unknown() word {
	return word{text: w.text, mask: []byte(strings.Repeat(string(expand), len(w.text))), pos: w.pos}
}

// sed adds the files of sed -i.
func (r *reading) sed(k *call, args []word) {
	var operands []word
	inPlace, scripted := false, false
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case w.is("--"):
			operands = append(operands, args[i+1:]...)
			i = len(args)
		case !isFlag(w):
			operands = append(operands, w)
		case strings.HasPrefix(w.text, "--"):
			o := longOption(w)
			switch o.name {
			case "--in-place":
				inPlace = true
			case "--expression", "--file":
				scripted = true
				if !o.has {
					i++
				}
			case "--line-length":
				if !o.has {
					i++
				}
			}
		default:
			flag, last := sedCluster(w.text)
			switch flag {
			case 'i':
				inPlace = true
				if last && i+1 < len(args) && bsdSuffix(args[i+1], args[i+2:]) {
					i++
				}
			case 'e', 'f':
				scripted = true
			}
			if last && strings.IndexByte("efl", flag) >= 0 {
				i++
			}
		}
	}
	if !inPlace {
		return
	}
	if !scripted && len(operands) > 0 {
		operands = operands[1:]
	}
	r.addAll("sed-i", Writes, operands, k.at)
}

// sedCluster finds the letter of a cluster that takes the rest of it; last says
// that nothing is left. A cluster such as -ne ends in one too.
func sedCluster(s string) (flag byte, last bool) {
	for j := 1; j < len(s); j++ {
		if strings.IndexByte("iefl", s[j]) >= 0 {
			return s[j], j == len(s)-1
		}
	}
	return s[1], false
}

// bsdSuffix says whether the word behind a bare -i is the suffix that BSD's sed
// wants there: nothing at all, or a dot and a few letters, which no script is.
func bsdSuffix(w word, rest []word) bool {
	switch {
	case w.text == "":
		return true
	case w.text[0] != '.' || len(rest) == 0:
		return false
	}
	return strings.Trim(w.text[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_~-") == ""
}

// perl adds the files of perl -i (or ruby -i); false when the command does not
// edit in place.
func (r *reading) perl(k *call, verb string, args []word) bool {
	var operands []word
	inPlace, scripted := false, false
	for i := 0; i < len(args); i++ {
		w := args[i]
		if !isFlag(w) || w.is("--") || len(operands) > 0 {
			if !w.is("--") {
				operands = append(operands, w)
			}
			continue
		}
	cluster:
		for j := 1; j < len(w.text); j++ {
			switch w.text[j] {
			case 'i':
				inPlace = true
				break cluster // the rest is the suffix
			case 'e', 'E':
				scripted = true
				if j == len(w.text)-1 {
					i++
				}
				break cluster
			case 'M', 'I', 'm', 'F', 'x', 'C', 'D', 'V', 'r', '-':
				if j == len(w.text)-1 && (w.text[j] == 'I' || w.text[j] == 'r') {
					i++
				}
				break cluster
			}
		}
	}
	if !inPlace {
		return false
	}
	if !scripted && len(operands) > 0 {
		operands = operands[1:]
	}
	r.addAll(verb, Writes, operands, k.at)
	return true
}

// awk adds the files of gawk -i inplace.
func (r *reading) awk(k *call, args []word) {
	opts, operands := options(args, flagSet{"ivFfeE", "include assign field-separator file source"})
	inPlace, scripted := false, false
	for _, o := range opts {
		switch o.name {
		case "-i", "--include":
			inPlace = inPlace || o.value.text == "inplace"
		case "-f", "--file", "-e", "--source", "-E":
			scripted = true
		}
	}
	if !inPlace {
		return
	}
	if !scripted && len(operands) > 0 {
		operands = operands[1:]
	}
	for _, w := range operands {
		if !assignment(w) {
			r.add("awk-i", Writes, w, k.at)
		}
	}
}

// yq adds the files of yq -i.
func (r *reading) yq(k *call, args []word) {
	opts, operands := options(args, flagSet{"oIps", "output-format input-format indent split-exp arg argjson"})
	if !given(opts, "-i --inplace --in-place") {
		return
	}
	if len(operands) > 0 && (operands[0].is("eval") || operands[0].is("e")) {
		operands = operands[1:]
	}
	if len(operands) > 1 {
		r.addAll("yq-i", Writes, operands[1:], k.at)
	}
}

// editScript adds the file that ed or ex is told, on its input, to write.
func (r *reading) editScript(k *call, name string, args []word) {
	_, operands := options(args, flagSet{short: "p"})
	if k.input == nil || len(operands) != 1 {
		return
	}
	for line := range strings.Lines(k.input.text) {
		switch strings.TrimRight(line, "\r\n") {
		case "w", "wq", "x", "wq!", "w!", "x!":
			r.add(name, Writes, operands[0], k.at)
			return
		}
	}
}

package shell

import "testing"

func TestOpsPython(t *testing.T) {
	py := func(code string) string { return "python3 - <<'PY'\n" + code + "\nPY" }
	checkRows(t, []opRow{
		{py("open('a','w').write(x)"), ops("interp-write /w/a j")},
		{py("with open('a', mode='a') as f:\n    f.write(x)"), ops("interp-write /w/a j")},
		{py("open('a','rb+'); open('b','x'); io.open('c','wt')"), ops("interp-write /w/a j", "interp-write /w/b j", "interp-write /w/c j")},
		{py("open('a'); open('b','r'); open('c','rb'); tarfile.open('d','r:xz')"), nil},
		{py("p='src/x.py'; s=open(p).read()\ns=s.replace('a','b')\nopen(p,'w').write(s)"), ops("interp-write /w/src/x.py j")},
		{py("p='a'\nopen(p,'w')\np='b'\nopen(p,'w')"), ops("interp-write /w/a j", "interp-write /w/b j")},
		{py("if x:\n    p='a'\nelse:\n    p='b'\nopen(p,'w')"), ops("interp:python")},
		{py("p='a'\ndef f(p):\n    open(p,'w')\nf('b')"), ops("interp:python")},
		{py("p='a'+x\nopen(p,'w')"), ops("interp:python")},
		{py("p='a'\np+='b'\nopen(p,'w')"), ops("interp:python")},
		{py("for f in ['a.py', 'b.py']:\n    open(f,'w')"), ops("interp-write /w/a.py j", "interp-write /w/b.py j")},
		{py("for f in glob.glob('*'):\n    open(f,'w')\n    open(f,'a')"), ops("interp:python")},
		{py("from pathlib import Path\nPath('a').write_text(x)\npathlib.Path('b').write_bytes(y)"), ops("interp-write /w/a j", "interp-write /w/b j")},
		{py("p=Path('a')\ns=p.read_text()\np.write_text(s.replace('x','y'))"), ops("interp-write /w/a j")},
		{py("(Path('d') / 'a').write_text(x)"), ops("interp:python")},
		{py("Path('a').unlink(); Path('d').mkdir(parents=True); Path('t').touch(); Path('m').rename('n')"),
			ops("interp-write /w/a j", "interp-write /w/d j", "interp-write /w/t j", "interp-write /w/m j", "interp-write /w/n j")},
		{py("os.remove('a'); os.rename('b','c'); os.makedirs('d', exist_ok=True)"),
			ops("interp-write /w/a j", "interp-write /w/b j", "interp-write /w/c j", "interp-write /w/d j")},
		{py("shutil.copy('a','b'); shutil.move('c','d'); shutil.rmtree('e')"),
			ops("interp-write /w/b j", "interp-write /w/c j", "interp-write /w/d j", "interp-write /w/e j")},
		{py("json.dump(d, open('a.json','w'))"), ops("interp-write /w/a.json j")},
		{py("open(f'{x}.txt','w')"), ops("interp:python")},
		{py("open(f'plain.txt','w'); open(r'raw\\x','w')"), ops("interp-write /w/plain.txt j", `interp-write /w/raw\x j`)},
		{py("s = \"open('a','w')\"\n# open('b','w')\nx = '''\nopen('c','w')\n'''"), nil},
		{py("'it''s'.replace('a','b'); df.rename(columns={}); s.replace('x','y')"), nil},
		{py("os.chdir('/q')\nopen('a','w')"), ops("interp-write /q/a t")},
		{py("os.chdir(d)\nopen('a','w')"), ops("interp-write a u")},
		{py("open('/abs/../a','w'); open('~/b','w')"), ops("interp-write /a a", "interp-write ~/b u")},
		{py("print(open)\nopen\nopen(\nopen('a',"), nil},
		{py("zipfile.ZipFile('a.zip','w'); z.extractall()"), ops("interp-write /w/a.zip j", "interp:python")},
		{py("def write_text(p):\n    pass"), nil},
		{`python3 -c "open('a','w').write('x')"`, ops("interp-write /w/a j")},
		{`python3 -c 'import sys; open("a","w")' > log`, ops("interp-write /w/a j", "redirect /w/log j")},
		{`python3 -uc "open(\"a\",\"w\")" x y`, ops("interp-write /w/a j")},
		{`python3.11 -c "open('a','w')"; /usr/bin/python -c "open('b','w')"; poetry run python -c "open('c','w')"`,
			ops("interp-write /w/a j", "interp-write /w/b j", "interp-write /w/c j")},
		{`python3 -c "open('$F','w'); open('lit','w')"`, ops("interp-write $F u", "interp-write /w/lit j")},
		{"python3 <<PY\nopen('$F','w')\nPY", ops("interp-write $F u")},
		{"python3 <<'PY'\nopen('$F','w')\nPY", ops("interp-write /w/$F j")},
		{"cat <<'PY' | python3 -\nopen('a','w')\nPY", ops("interp-write /w/a j")},
		{"python3 script.py <<'PY'\nopen('a','w')\nPY", nil},
		{"python3 -m pytest -q; python3 -m json.tool a b", ops("output /w/b j")},
		{"python3 -c \"$(cat <<'PY'\nopen('a','w')\nPY\n)\"", ops("interp-write /w/a j")},
		{"python3 - a.txt <<'PY'\nopen('b','w')\nPY", ops("interp-write /w/b j")},
		{"cd sub && python3 -c \"open('a','w')\"", ops("interp-write /w/sub/a t")},
		{"ssh h python3 - <<'PY'\nopen('a','w')\nPY", nil},
	})
}

func TestOpsNode(t *testing.T) {
	js := func(code string) string { return "node <<'JS'\n" + code + "\nJS" }
	checkRows(t, []opRow{
		{js("fs.writeFileSync('a', x)"), ops("interp-write /w/a j")},
		{js("const p = \"a\";\nfs.writeFileSync(p, fs.readFileSync(p,'utf8').replace(/it's/g, 'x'))"), ops("interp-write /w/a j")},
		{js("require('fs').appendFileSync(`a`, x)"), ops("interp-write /w/a j")},
		{js("fs.writeFileSync(`${d}/a`, x)"), ops("interp:node")},
		{js("fs.writeFileSync(path.join(d,'a'), x)"), ops("interp:node")},
		{js("await fs.promises.rename('a','b'); fs.rm('c',()=>{}); require('node:fs').unlink('d',cb)"),
			ops("interp-write /w/a j", "interp-write /w/b j", "interp-write /w/c j", "interp-write /w/d j")},
		{js("map.rm('c'); list.rename('d'); router.unlink('x'); open('e','w')"), nil},
		{js("fs.createWriteStream('a'); fs.openSync('b','w'); fs.openSync('c','r')"), ops("interp-write /w/a j", "interp-write /w/b j")},
		{js("// fs.writeFileSync('a')\n/* fs.writeFileSync('b') */ const s = \"fs.writeFileSync('c')\""), nil},
		{js("function writeFile(p) {}\nconst f = (p) => fs.writeFileSync(p, x)"), ops("interp:node")},
		{js("const r = /['\"]/; fs.writeFileSync('a', 4 / 2 / 1)"), ops("interp-write /w/a j")},
		{js("process.chdir('/q'); fs.writeFileSync('a', x)"), ops("interp-write /q/a t")},
		{js("fs.readFileSync('a'); console.log('x > y')"), nil},
		{`node -e "require('fs').writeFileSync('a','x')"`, ops("interp-write /w/a j")},
		{`node --eval="fs.writeFileSync('a','x')"; node -p "1"; node -pe "fs.mkdirSync('d')"`, ops("interp-write /w/a j", "interp-write /w/d j")},
		{`node --input-type=module -e "writeFileSync('a','x')"`, ops("interp-write /w/a j")},
		{"node app.js; node -r x app.js < in", nil},
		{`bun -e "Bun.write('a','x')"; deno eval "Deno.writeTextFileSync('b','x')"; npx tsx -e "fs.rmSync('c')"`,
			ops("interp-write /w/a j", "interp-write /w/b j", "interp-write /w/c j")},
	})
}

func TestOpsRuby(t *testing.T) {
	checkRows(t, []opRow{
		{`ruby -e "File.write('a', 'x')"`, ops("interp-write /w/a j")},
		{`ruby -e 'File.open("a", "w") { |f| f.puts 1 }; File.open("b")'`, ops("interp-write /w/a j")},
		{`ruby -e 'File.write "a", "x"'`, ops("interp-write /w/a j")},
		{`ruby -e 'File.delete("a", "b"); FileUtils.mv("c", "d"); FileUtils.rm_rf "e"'`,
			ops("interp-write /w/a j", "interp-write /w/b j", "interp-write /w/c j", "interp-write /w/d j", "interp-write /w/e j")},
		{`ruby -rjson -e 'P = "a"; File.write(P, 1)'`, ops("interp-write /w/a j")},
		{`ruby -e 'File.write("#{x}", 1)'`, ops("interp:ruby")},
		{"ruby <<'R'\nx = <<~EOS\n  File.write('no', 1)\nEOS\nFile.write('a', x)\nR", ops("interp-write /w/a j")},
		{"ruby script.rb; ruby -v; ruby -e 'puts File.read(\"a\")'", nil},
	})
}

func TestOpsCodeEffects(t *testing.T) {
	for cmd, want := range map[string]Effect{
		`python3 -c "open('f','a')"`:                 Appends,
		`python3 -c "open('f','w'); open('f','a')"`:  Writes,
		`python3 -c "open('f','w'); os.remove('f')"`: Removes,
		`python3 -c "os.rename('f','/g')"`:           Moves,
		`python3 -c "Path('f').touch()"`:             Touches,
		`python3 -c "Path('f').open('a')"`:           Appends,
		`python3 -c "os.mkdir('f')"`:                 MakesDir,
		`node -e "fs.appendFileSync('f', x)"`:        Appends,
		`ruby -e "File.open('f','a')"`:               Appends,
		"echo > f; echo >> f":                        Writes,
		"echo >> f":                                  Appends,
		"echo >> f; echo > f":                        Writes,
		"tee -a f":                                   Appends,
		"wget -a f u":                                Appends,
		"sed -i 1d f":                                Writes,
		"tar rf f x":                                 Appends,
	} {
		got := Ops(cmd, "/w")
		if len(got) == 0 || got[0].Path != "/w/f" || got[0].Effect != want {
			t.Errorf("%s: %+v, want %v", cmd, got, want)
		}
	}
}

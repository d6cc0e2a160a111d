package shell

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// opRow is a command that starts in /w, and what is expected of it: one string
// for each op, "verb path" and a letter for the resolution (a absolute, j
// cwd-joined, t cd-tracked, u unresolved); a marker stands alone.
type opRow struct {
	cmd  string
	want []string
}

func show(ops []Op) []string {
	var all []string
	for _, o := range ops {
		if o.Marker {
			all = append(all, o.Path)
			continue
		}
		letter := map[string]string{Absolute: "a", CwdJoined: "j", CdTracked: "t", Unresolved: "u"}[o.Resolution]
		all = append(all, o.Verb+" "+o.Path+" "+letter)
	}
	return all
}

func checkRows(t *testing.T, rows []opRow) {
	t.Helper()
	for _, r := range rows {
		if diff := cmp.Diff(r.want, show(Ops(r.cmd, "/w"))); diff != "" {
			t.Errorf("%s\n(-want +got)\n%s", r.cmd, diff)
		}
	}
}

func ops(list ...string) []string { return list }

func TestOpsWorkedRows(t *testing.T) {
	checkRows(t, []opRow{
		{"echo hi >> logs/a.log 2>&1", ops("redirect /w/logs/a.log j")},
		{"cd /srv && rm -rf old && cd - && touch back", ops("rm /srv/old t", "touch /w/back t")},
		{`cd "$ROOT" && touch x`, ops("touch x u")},
		{"sed -i '' 's/a/b/' f1 f2", ops("sed-i /w/f1 j", "sed-i /w/f2 j")},
		{"python3 - <<'P'\nOUT=\"o.json\"\nopen(OUT,\"w\").write(x)\nP", ops("interp-write /w/o.json j")},
		{"python3 - <<'P'\nimport sys\nopen(sys.argv[1],\"w\")\nP", ops("interp:python")},
		{"npm ci && npx prettier --write src/a.ts", ops("pkg:npm", "fmt /w/src/a.ts j")},
		{"tar xzf t.tgz", ops("extract:tar")},
		{"tar tzf t.tgz", nil},
		{`cat notes > /dev/null; echo "a > b"`, nil},
		{"ssh host 'rm -rf /x'", nil},
		{"cd src && echo x > a.txt", ops("redirect /w/src/a.txt t")},
		{"touch b.txt; (cd /q; touch c); touch d", ops("touch /w/b.txt j", "touch /q/c t", "touch /w/d j")},
		{`rm "$D/x" ~/y /z`, ops("rm $D/x u", "rm ~/y u", "rm /z a")},
		{"cat > f <<'EOF'\nrm -rf g > h\nEOF", ops("redirect /w/f j")},
		{"cargo fmt", ops("fmt:cargo")},
		{"cargo fmt --check", nil},
		{"git clean -n", nil},
		{"git commit -m 'a > b'", ops("git:commit")},
		{"rm a; false", ops("rm /w/a j")},
		{"cat > F <<'E'\nprint(1)\nE\npython F", ops("redirect /w/F j")},
	})
}

func TestOpsRedirects(t *testing.T) {
	checkRows(t, []opRow{
		{"a > f", ops("redirect /w/f j")},
		{"a >f", ops("redirect /w/f j")},
		{"a >| f", ops("redirect /w/f j")},
		{"a &> f", ops("redirect /w/f j")},
		{"a &>> f", ops("redirect /w/f j")},
		{"a >& f", ops("redirect /w/f j")},
		{"a 2> f", ops("redirect /w/f j")},
		{"a 2>>f", ops("redirect /w/f j")},
		{"a {fd}> f", ops("redirect /w/f j")},
		{"> f", ops("redirect /w/f j")},
		{": > f", ops("redirect /w/f j")},
		{"a > f 2> g", ops("redirect /w/f j", "redirect /w/g j")},
		{"> log rm a", ops("redirect /w/log j", "rm /w/a j")},
		{"rm a > log", ops("rm /w/a j", "redirect /w/log j")},
		{"a 2>&1", nil},
		{"a >&2", nil},
		{"a 2>&-", nil},
		{"a >&$fd", nil},
		{"a > /dev/null 2> /dev/stderr", nil},
		{"a > /dev/tty; b > /dev/stdout; c > /dev/fd/3", nil},
		{"a > /dev/tcp/host/80", nil},
		{"a < in", nil},
		{"a <<< 'x > y'", nil},
		{"a <> both", nil},
		{"a > >(tee log)", ops("tee /w/log j")},
		{"make | tee >(grep x > y) z", ops("redirect /w/y j", "tee /w/z j")},
		{"rm a \\\n  b c\\\nd", ops("rm /w/a j", "rm /w/b j", "rm /w/cd j")},
		{"sh -c \"rm a \\\n b\"; `touch \\`rm e\\``", ops("rm /w/a j", "rm /w/b j", "rm /w/e j", "touch `rm e\\` u")},
		{"rm a\r\nrm b\r\n", ops("rm /w/a j", "rm /w/b j")},
		{"diff <(sort a) <(sort -o b c)", ops("output /w/b j")},
		{"echo 'a > b' \"c > d\" e\\>f # > g", nil},
		{"[ 1 -gt 0 ] && [[ a > b ]] && (( x > y )) && echo $(( 3 > 2 ))", nil},
		{"echo a > \"with space.txt\"", ops("redirect /w/with space.txt j")},
		{"echo a > 'it'\"'\"'s'", ops("redirect /w/it's j")},
		{"echo a > f\\ g", ops("redirect /w/f g j")},
		{"echo a > ./x/../y", ops("redirect /w/y j")},
		{"echo a > /x//y/./z", ops("redirect /x/y/z a")},
		{"echo a > \"$OUT\"", ops("redirect $OUT u")},
		{"echo a > ${OUT:-x}/y", ops("redirect ${OUT:-x}/y u")},
		{"echo a > `date`.log", ops("redirect `date`.log u")},
		{"echo a > log-$(date +%F).txt", ops("redirect log-$(date +%F).txt u")},
		{"echo a > *.txt", ops("redirect *.txt u")},
		{"echo a > '*.txt'", ops("redirect /w/*.txt j")},
		{"echo a > 'app/[id]/page.tsx'", ops("redirect /w/app/[id]/page.tsx j")},
		{"echo a > '~/x'", ops("redirect /w/~/x j")},
		{"make 2>&1 | tee -a build.log", ops("tee /w/build.log j")},
		{"nohup ./server >> server.log 2>&1 &", ops("redirect /w/server.log j")},
		{"{ echo a; echo b; } > both.txt", ops("redirect /w/both.txt j")},
		{"for i in 1 2; do echo $i; done >> list", ops("redirect /w/list j")},
		{"while read l; do echo $l > o; done < in", ops("redirect /w/o j")},
		{"(echo a) 2> err", ops("redirect /w/err j")},
		{"echo a > f; echo b >> f; echo c > g", ops("redirect /w/f j", "redirect /w/g j")},
		{"echo a > C:/x/y.txt", ops("redirect C:/x/y.txt a")},
		{`echo a > 'C:\x\..\y.txt'`, ops(`redirect C:\y.txt a`)},
		{`echo a > C:\Users\u\y.txt`, ops(`redirect C:\Users\u\y.txt a`)},
		{`echo a > '\\srv\share\y.txt'`, ops(`redirect \\srv\share\y.txt a`)},
	})
}

func TestOpsHeredocs(t *testing.T) {
	checkRows(t, []opRow{
		{"cat <<EOF > f\nrm x\nEOF", ops("redirect /w/f j")},
		{"cat <<\\EOF > f\nrm x\nEOF\nrm y", ops("redirect /w/f j", "rm /w/y j")},
		{"cat <<\"E O F\" > f\nrm x\nE O F\nrm y", ops("redirect /w/f j", "rm /w/y j")},
		{"cat <<-EOF > f\n\trm x\n\tEOF\nrm y", ops("redirect /w/f j", "rm /w/y j")},
		{"cat > a <<A; cat > b <<B\nrm 1\nA\nrm 2\nB\nrm c", ops("redirect /w/a j", "redirect /w/b j", "rm /w/c j")},
		{"cat <<'A' <<'B' > f\nx\nA\ny\nB", ops("redirect /w/f j")},
		{"cat > f <<'EOF'\nit's \"open\nEOF\ntouch g", ops("redirect /w/f j", "touch /w/g j")},
		{"cat > f <<'EOF'\nnever closed, it's\nrm x", ops("redirect /w/f j")},
		{"touch z; cat > f <<EOF", ops("touch /w/z j", "redirect /w/f j")},
		{"cat > f <<EOF\n$(rm gone)\nEOF", ops("rm /w/gone j", "redirect /w/f j")},
		{"git commit -F - <<'EOF'\nfix > all\nEOF", ops("git:commit")},
		{"git add -A && git commit -m \"$(cat <<'EOF'\nIt's done; rm x > y\n\nCo-Authored-By: A <a@b.c>\nEOF\n)\" && git push", ops("git:add", "git:commit")},
		{"gh pr create --body \"$(cat <<'EOF'\n## It's (a) `summary`\nEOF\n)\" > out", ops("redirect /w/out j")},
		{"bash <<'EOF'\ncd sub\nrm x\nEOF\nrm y", ops("rm /w/sub/x t", "rm /w/y j")},
		{"sudo tee /etc/x.conf > /dev/null <<'EOF'\na=b\nEOF", ops("tee /etc/x.conf a")},
		{"tee a b <<EOF\nx\nEOF", ops("tee /w/a j", "tee /w/b j")},
		{"cat <<'EOF' | tee x.txt\nrm y\nEOF", ops("tee /w/x.txt j")},
		{"cat <<'EOF' | sudo tee -a /etc/hosts\n1 a\nEOF", ops("tee /etc/hosts a")},
		{"ssh host bash <<'EOF'\nrm -rf /x\nEOF\nrm y", ops("rm /w/y j")},
		{"docker exec -i db sh <<EOF\nrm /x\nEOF", nil},
		{"psql <<SQL\nselect 1 > 0;\nSQL", nil},
		{"ed f <<'E'\n1d\nw\nq\nE", ops("ed /w/f j")},
		{"echo $((1 << 2)) > f; rm g", ops("redirect /w/f j", "rm /w/g j")},
		{"cat <<'EOF' > f && rm g\nx\nEOF", ops("redirect /w/f j", "rm /w/g j")},
	})
}

func TestOpsVerbs(t *testing.T) {
	checkRows(t, []opRow{
		{"rm -rf a -- -b", ops("rm /w/a j", "rm /w/-b j")},
		{"/bin/rm a; \\rm b; 'rm' c", ops("rm /w/a j", "rm /w/b j", "rm /w/c j")},
		{"rmdir d; unlink f", ops("rmdir /w/d j", "unlink /w/f j")},
		{"rm *.o $X build/", ops("rm *.o u", "rm $X u", "rm /w/build j")},
		{"mkdir -p -m 755 a/b c", ops("mkdir /w/a/b j", "mkdir /w/c j")},
		{"mkdir --mode=700 a", ops("mkdir /w/a j")},
		{"mkdir -p a/{b,c}", ops("mkdir a/{b,c} u")},
		{"touch -r ref -t 202001010000 -d now f", ops("touch /w/f j")},
		{"touch 'a b' c\\ d", ops("touch /w/a b j", "touch /w/c d j")},
		{"x | tee -a a b", ops("tee /w/a j", "tee /w/b j")},
		{"x | tee /dev/stderr f | y", ops("tee /w/f j")},
		{"cp a b", ops("cp /w/b j")},
		{"cp -r a b c/", ops("cp /w/c j")},
		{"cp -t dst a b; cp --target-directory=d2 a", ops("cp /w/dst j", "cp /w/d2 j")},
		{"cp a", nil},
		{"cp f{,.bak}; mv {a,b}.txt", ops("cp f{,.bak} u", "mv {a,b}.txt u")},
		{"mv a b", ops("mv /w/a j", "mv /w/b j")},
		{"mv -v -t dst a b", ops("mv /w/a j", "mv /w/b j", "mv /w/dst j")},
		{"ln -sf ../t link; ln -s only", ops("ln /w/link j")},
		{"install -m 755 -o root a /usr/bin/a", ops("install /usr/bin/a a")},
		{"install -d x y", ops("install /w/x j", "install /w/y j")},
		{"rsync -av src/ dst/", ops("rsync /w/dst j")},
		{"rsync -av src/ host:/dst; rsync a u@h:b; rsync a rsync://h/m", nil},
		{"rsync -avn src/ dst/; rsync --dry-run a b", nil},
		{"rsync -e 'ssh -p 2' h:/x ./local", ops("rsync /w/local j")},
		{"scp h:/x y; scp y h:", ops("scp /w/y j")},
		{"scp x \"$HOST:/y\"", nil},
		{"truncate -s 0 a b", ops("truncate /w/a j", "truncate /w/b j")},
		{"dd if=/dev/zero of=img bs=1M count=1", ops("dd /w/img j")},
		{"dd if=a of=/dev/null", nil},
		{"curl -sSL -o out.json https://h/x", ops("output /w/out.json j")},
		{"curl -sSLo out https://h", ops("output /w/out j")},
		{"curl --output=o https://h; curl --output o2 -H 'a: > b' h", ops("output /w/o j", "output /w/o2 j")},
		{"curl -o /dev/null -w '%{http_code}' h; curl -o - h; curl -O https://h/f", nil},
		{"wget -qO- h; wget -qO f h; wget --output-document=g h", ops("output /w/f j", "output /w/g j")},
		{"sort -u -o f f; sort -of g", ops("output /w/f j")},
		{"gcc -O2 -fopenmp -o prog a.c", ops("output /w/prog j")},
		{"go build -o bin/x ./cmd/x", ops("output /w/bin/x j")},
		{"go test ./... -coverprofile=c.out", ops("output /w/c.out j")},
		{"rustc a.rs -o a", ops("output /w/a j")},
		{"tar czf out.tgz dir; tar -cf - dir; tar -C /x --file=b.tar -c y", ops("output /w/out.tgz j", "output /w/b.tar j")},
		{"zip -r out.zip dir", ops("output /w/out.zip j")},
		{"gzip big.log; gzip -k b; gzip -c c > d", ops("gzip /w/big.log j", "redirect /w/d j")},
		{"git archive -o x.tar HEAD; git diff --output=p.diff", ops("output /w/x.tar j", "output /w/p.diff j")},
		{"echo rm a; printf 'rm b'; grep rm c; man rm", nil},
		{"rm --help; mkdir --version", nil},
		{"\"$CMD\" a b; $RM c", nil},
	})
}

func TestOpsInPlace(t *testing.T) {
	checkRows(t, []opRow{
		{"sed 's/a/b/' f", nil},
		{"sed -n '1,5p' f", nil},
		{"sed -i 's/a/b/' f", ops("sed-i /w/f j")},
		{"sed -i.bak 's/a/b/' f", ops("sed-i /w/f j")},
		{"sed -i .bak 's/a/b/' f", ops("sed-i /w/f j")},
		{"sed -i \"\" -e 's/a/b/' -e 's/c/d/' f g", ops("sed-i /w/f j", "sed-i /w/g j")},
		{"sed -i'' -e 's/a/b/' f", ops("sed-i /w/f j")},
		{"sed --in-place=.orig --expression='s/a/b/' f", ops("sed-i /w/f j")},
		{"sed --in-place 's/a/b/' f", ops("sed-i /w/f j")},
		{"sed -ni '/x/p' f", ops("sed-i /w/f j")},
		{"sed -E -i 's/(a)/\\1/' f", ops("sed-i /w/f j")},
		{"sed -Ei -f script.sed f", ops("sed-i /w/f j")},
		{"sed 's/a/b/' -i f", ops("sed-i /w/f j")},
		{"sed -i -- 's/a/b/' f", ops("sed-i /w/f j")},
		{"sed -i '/^foo/d;s/x/y/' src/*.go", ops("sed-i src/*.go u")},
		{"gsed -i 1d f", ops("sed-i /w/f j")},
		{"for f in *.go; do sed -i 's/a/b/' \"$f\"; done", ops("sed-i $f u")},
		{"perl -pi -e 's/a/b/' f g", ops("perl-i /w/f j", "perl-i /w/g j")},
		{"perl -i.bak -pe 's/a/b/' f", ops("perl-i /w/f j")},
		{"perl -0777 -i -pe 's/a/b/' f", ops("perl-i /w/f j")},
		{"perl -pe 's/a/b/' f > g", ops("redirect /w/g j")},
		{"perl -i script.pl f", ops("perl-i /w/f j")},
		{"ruby -i -pe '$_.upcase!' f", ops("ruby-i /w/f j")},
		{"gawk -i inplace '{print}' f", ops("awk-i /w/f j")},
		{"awk '{print > \"x\"}' f", nil},
		{"yq -i '.a = 1' c.yaml; yq '.a' c.yaml", ops("yq-i /w/c.yaml j")},
		{"jq . a > a.tmp && mv a.tmp a", ops("redirect /w/a.tmp j", "mv /w/a.tmp j", "mv /w/a j")},
		{"sort f | sponge f", ops("sponge /w/f j")},
	})
}

func TestOpsGit(t *testing.T) {
	var rows []opRow
	for _, sub := range strings.Fields("add commit checkout switch restore reset clean stash merge rebase pull cherry-pick revert apply am mv rm clone init") {
		rows = append(rows, opRow{"git " + sub + " x", ops("git:" + sub)})
	}
	for _, sub := range strings.Fields("status log diff show branch fetch push blame grep rev-parse ls-files remote config tag describe") {
		rows = append(rows, opRow{"git " + sub + " x", nil})
	}
	checkRows(t, append(rows,
		opRow{"git", nil},
		opRow{"git -C sub -c user.name=x --git-dir=.git --no-pager commit -m y", ops("git:commit")},
		opRow{"git clean --dry-run; git clean -nfd; git clean -xdn; git clean -fd", ops("git:clean")},
		opRow{"git apply --check p; git apply --stat p; git apply p", ops("git:apply")},
		opRow{"git add -n .; git add --dry-run .; git commit --dry-run; git mv -n a b; git rm --dry-run a", nil},
		opRow{"git commit -n -m x", ops("git:commit")},
		opRow{"git stash; git stash list; git stash show -p; git stash pop", ops("git:stash")},
		opRow{"git worktree list; git worktree add ../x", ops("git:worktree")},
		opRow{"git submodule status; git submodule; git submodule update --init", ops("git:submodule")},
		opRow{"git checkout -- f > log", ops("git:checkout", "redirect /w/log j")},
		opRow{"git commit --help; git rebase -h", nil},
		opRow{"git commit -m x; git commit -m y", ops("git:commit")},
		opRow{"git \"$sub\" x", nil},
	))
}

func TestOpsClasses(t *testing.T) {
	checkRows(t, []opRow{
		{"rustfmt src/a.rs; rustfmt --check src/a.rs; cargo +nightly fmt -- --check", ops("fmt /w/src/a.rs j")},
		{"cargo clippy --fix --allow-dirty; cargo clippy", ops("fmt:cargo")},
		{"prettier a.ts; prettier --check .; npx prettier -l .", nil},
		{"npx prettier@3 --write .", ops("fmt:prettier")},
		{"npx prettier --write 'src/**/*.ts'", ops("fmt:prettier")},
		{"pnpm prettier --write a.ts; yarn eslint --fix .", ops("fmt /w/a.ts j", "fmt:eslint")},
		{"black .; black --check a.py; black a.py b.py -l 100", ops("fmt:black", "fmt /w/a.py j", "fmt /w/b.py j")},
		{"ruff format; ruff format --diff; ruff check; ruff check --fix src/x.py", ops("fmt:ruff", "fmt /w/src/x.py j")},
		{"uv run ruff check --fix . && uvx black a.py", ops("fmt:ruff", "fmt /w/a.py j")},
		{"python -m black a.py && python3 -m isort --check .", ops("fmt /w/a.py j")},
		{"gofmt -w a.go; gofmt -l .; gofmt -l -w pkg; goimports -w -local x b.go", ops("fmt /w/a.go j", "fmt:gofmt", "fmt /w/b.go j")},
		{"go fmt ./...; go vet ./...; go test ./...", ops("fmt:go")},
		{"eslint --fix-dry-run .; eslint .", nil},
		{"clang-format -i a.cc; clang-format a.cc; clang-format -n -i b.cc", ops("fmt /w/a.cc j")},
		{"biome format --write src; biome check .; dprint fmt; dprint check", ops("fmt:biome", "fmt:dprint")},
		{"shfmt -w -i 2 a.sh; terraform fmt; terraform fmt -check", ops("fmt /w/a.sh j", "fmt:terraform")},
		{"black a.py src", ops("fmt /w/a.py j", "fmt:black")},
		{"black - < a.py", nil},

		{"npm i; npm ls; npm audit; npm audit fix; npm run build; npm test", ops("pkg:npm")},
		{"npm install --dry-run; npm --prefix web install", ops("pkg:npm")},
		{"pnpm -C web add x; pnpm build; pnpm list", ops("pkg:pnpm")},
		{"yarn; yarn build; yarn workspace web add x; yarn --version", ops("pkg:yarn")},
		{"bun add x; bun run dev; bun test", ops("pkg:bun")},
		{"pip install -r r.txt; pip3 uninstall -y x; pip list; pip freeze > r.txt", ops("pkg:pip", "redirect /w/r.txt j")},
		{"python -m pip install x; python3 -m venv .venv", ops("pkg:pip", "venv /w/.venv j")},
		{"uv pip install x; uv add y; uv tree; poetry add x; poetry show", ops("pkg:uv", "pkg:poetry")},
		{"cargo add serde; cargo build; cargo test; cargo tree; go get x; go mod tidy; go build ./...", ops("pkg:cargo", "pkg:go")},
		{"gem install x; gem list; bundle; bundle exec rake; bundle install", ops("pkg:gem", "pkg:bundle")},
		{"brew install x; brew list; sudo apt-get install -y x; apt list; apt-get -s install y", ops("pkg:brew", "pkg:apt-get")},
		{"composer require x; composer show; pacman -Syu; pacman -Qi x", ops("pkg:composer", "pkg:pacman")},

		{"tar -xf a.tar -C d; tar --extract -f b.tar; tar xOf c.tar m", ops("extract:tar")},
		{"unzip a.zip; unzip -l a.zip; unzip -p a.zip m; unzip -qo b.zip -d x", ops("extract:unzip")},
		{"gunzip a.gz; gunzip -c b.gz > c; gzip -d d.gz", ops("extract:gunzip", "redirect /w/c j", "extract:gzip")},
		{"7z x a.7z; 7z l a.7z; 7z a b.7z d", ops("extract:7z", "output /w/b.7z j")},
		{"patch -p1 < a.diff; patch --dry-run -p1 < a.diff", ops("extract:patch")},
	})
}

func TestOpsNesting(t *testing.T) {
	checkRows(t, []opRow{
		{"sudo -u bob -E rm a; sudo -n --user=x touch b", ops("rm /w/a j", "touch /w/b j")},
		{"env A=b C=d rm a; env -i -u X rm b; A=b rm c", ops("rm /w/a j", "rm /w/b j", "rm /w/c j")},
		{"env -C sub rm a; env -C /abs rm b > log", ops("rm /w/sub/a t", "rm /abs/b t", "redirect /w/log j")},
		{"nohup nice -n 5 timeout -k 5 -s KILL 10s stdbuf -oL ionice -c2 -n7 rm a", ops("rm /w/a j")},
		{"time rm a; time -p rm b; command rm c; exec rm d", ops("rm /w/a j", "rm /w/b j", "rm /w/c j", "rm /w/d j")},
		{"command -v rm; command -V rm; which rm; type rm; sudo -l rm", nil},
		{"timeout 5 bash -c 'rm x'", ops("rm /w/x j")},
		{"bash -c 'cd sub && rm x'; rm y", ops("rm /w/sub/x t", "rm /w/y j")},
		{"bash -lc \"cd sub; touch 'a b' > \\\"$LOG\\\"\"", ops("touch /w/sub/a b t", "redirect $LOG u")},
		{"bash -euo pipefail -c 'rm x'; sh -c 'rm $1' _ y; zsh -ic 'touch z'", ops("rm /w/x j", "rm $1 u", "touch /w/z j")},
		{"su - bob -c 'rm x'; su -c 'rm y' bob", ops("rm /w/x j", "rm /w/y j")},
		{"eval 'cd sub; rm a'; rm b", ops("rm /w/sub/a t", "rm /w/sub/b t")},
		{"bash -c \"bash -c 'bash -c \\\"rm deep\\\"'\"", ops("rm /w/deep j")},
		{"bash -c \"$(cat <<'EOF'\nrm it\nEOF\n)\"", ops("rm /w/it j")},
		{"bash script.sh 'rm x'; ./run.sh > out", ops("redirect /w/out j")},
		{"echo 'rm x' | bash", nil},
		{"cat <<'EOF' | bash\nrm x\nEOF", ops("rm /w/x j")},
		{"x=$(mktemp) && y=$(rm a) && echo \"$(touch b)\" `rm c`", ops("rm /w/a j", "touch /w/b j", "rm /w/c j")},
		{"if [ -f a ]; then rm a; elif x; then rm b; else touch c; fi", ops("rm /w/a j", "rm /w/b j", "touch /w/c j")},
		{"while true; do rm a; done; until x; do touch b; done", ops("rm /w/a j", "touch /w/b j")},
		{"case $x in a) rm a;; *) touch b;; esac", ops("rm /w/a j", "touch /w/b j")},
		{"! rm a; { rm b; }; [ x ] || rm c & rm d", ops("rm /w/a j", "rm /w/b j", "rm /w/c j", "rm /w/d j")},
		{"f() { rm \"$1\" log; }; cd sub; f x", ops("rm $1 u", "rm /w/sub/log t")},
		{"function f { rm a; }; echo never", nil},
		{"cleanup() { rm -f tmp.x; }; trap cleanup EXIT; touch tmp.x", ops("touch /w/tmp.x j", "rm /w/tmp.x j")},
		{"trap 'rm -f \"$T\"' EXIT; touch a", ops("touch /w/a j", "rm $T u")},
		{"f() { f; rm a; }; f", ops("rm /w/a j")},
		{"find . -name '*.tmp' -delete", ops("find-delete *.tmp u")},
		{"find build -delete", ops("find-delete /w/build j")},
		{"find . -type f -mtime +7 -delete", nil},
		{"find src -exec touch {} +", ops("touch {} u")},
		{"find . -not -name keep -name 'x*' -delete", ops("find-delete x* u")},
		{"find . -name '*.pyc' -exec rm -f {} +", ops("rm *.pyc u")},
		{"find . -name '*.go' -exec sed -i 's/a/b/' {} \\;", ops("sed-i *.go u")},
		{"find . -type f -exec rm {} \\; -print > log", ops("rm {} u", "redirect /w/log j")},
		{"find . -name '*.c' -exec sh -c 'mv \"$1\" \"$1.bak\"' _ {} \\;", ops("mv $1 u", "mv $1.bak u")},
		{"find . -name a -o -name b | xargs rm -f", ops("rm a u", "rm b u")},
		{"find . -name '*.ts' | grep -v node_modules | xargs -n1 sed -i 's/a/b/'", ops("sed-i *.ts u")},
		{"grep -rl foo src | xargs sed -i 's/foo/bar/g'", nil},
		{"ls | xargs -I{} mv {} {}.bak; ls | xargs -I % cp % dst/%", ops("mv {} u", "mv {}.bak u", "cp dst/% u")},
		{"git ls-files '*.go' | xargs gofmt -w", ops("fmt:gofmt")},
		{"xargs -0 rm < list", nil},
		{"ls | xargs rm known.txt", ops("rm /w/known.txt j")},
	})
}

// TestOpsLongScript finds what a script within quotes does, however long it is.
func TestOpsLongScript(t *testing.T) {
	long := strings.Repeat("print(1, [2], {3})\n", 5000)
	checkRows(t, []opRow{
		{"rm a; python3 -c 'open(\"q\",\"w\")\n" + long + "'", ops("rm /w/a j", "interp-write /w/q j")},
		{"rm a; python3 -c \"open('q','w')\n" + long + "\" && sed -i s/a/b/ c", ops("rm /w/a j", "interp-write /w/q j", "sed-i /w/c j")},
	})
}

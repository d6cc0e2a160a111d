package shell

// The tables of this file say which commands change which files. They are data:
// a wrong row is corrected here and nowhere else. Lists are words with spaces
// between them. "Takes a value" means a value in the next word; one that is
// joined to its flag is never an operand anyway.

// A flagSet names the flags of a command that take a value.
type flagSet struct {
	short string // letters
	long  string // names without the dashes
}

// A verbKind says which operands of a command are its files.
type verbKind uint8

const (
	eachOperand verbKind = iota // all of them
	destination                 // the last of several, or the value of -t
	moving                      // the sources go, the destination comes
	sedInPlace
	perlInPlace
	rubyCode
	awkInPlace
	yqInPlace
	ddOperands
	findFiles
	xargsCommand
	shellScript
	pythonCode
	nodeCode
	gitCommand
	tarArchive
	zipArchive
	sevenZip
	compress
	editScript // ed: a document on its input that writes
)

// A verb is a command that names the files it changes.
type verb struct {
	kind    verbKind
	effect  Effect
	flags   flagSet
	appends string // flags that make it append
	dry     string // flags with which it changes nothing
	dirs    string // flags with which its operands are directories to be made
	remote  bool   // host:path is somewhere else
}

var verbs = map[string]verb{
	"rm":        {effect: Removes},
	"rmdir":     {effect: Removes},
	"unlink":    {effect: Removes},
	"rimraf":    {effect: Removes},
	"trash":     {effect: Removes},
	"trash-put": {effect: Removes},
	"shred":     {effect: Removes, flags: flagSet{short: "ns", long: "iterations size random-source"}},
	"mkdir":     {effect: MakesDir, flags: flagSet{short: "m", long: "mode"}},
	"touch":     {effect: Touches, flags: flagSet{short: "rtdA", long: "reference date time"}},
	"tee":       {effect: Writes, appends: "-a --append"},
	"sponge":    {effect: Writes, appends: "-a"},
	"truncate":  {effect: Writes, flags: flagSet{short: "rs", long: "reference size"}},

	"cp": {kind: destination, effect: Writes, flags: flagSet{short: "tS", long: "target-directory suffix"}},
	"ln": {kind: destination, effect: Writes, flags: flagSet{short: "tS", long: "target-directory suffix"}},
	"install": {kind: destination, effect: Writes, dirs: "-d --directory",
		flags: flagSet{short: "mogtS", long: "mode owner group target-directory suffix"}},
	"rsync": {kind: destination, effect: Writes, remote: true, dry: "-n --dry-run --list-only",
		flags: flagSet{short: "eTBfM", long: "rsh exclude include filter files-from exclude-from include-from chmod chown " +
			"log-file partial-dir temp-dir backup-dir suffix port bwlimit timeout max-size min-size " +
			"compare-dest copy-dest link-dest out-format info block-size rsync-path password-file"}},
	"scp": {kind: destination, effect: Writes, remote: true, flags: flagSet{short: "cDFiJloPSX"}},
	"mv":  {kind: moving, effect: Moves, flags: flagSet{short: "tS", long: "target-directory suffix"}},

	"sed": {kind: sedInPlace}, "gsed": {kind: sedInPlace},
	"perl": {kind: perlInPlace},
	"awk":  {kind: awkInPlace}, "gawk": {kind: awkInPlace},
	"yq": {kind: yqInPlace},
	"dd": {kind: ddOperands}, "gdd": {kind: ddOperands},
	"find": {kind: findFiles}, "gfind": {kind: findFiles},
	"xargs": {kind: xargsCommand}, "gxargs": {kind: xargsCommand},
	"ed": {kind: editScript}, "ex": {kind: editScript},

	"bash": {kind: shellScript}, "sh": {kind: shellScript}, "zsh": {kind: shellScript},
	"dash": {kind: shellScript}, "ksh": {kind: shellScript}, "su": {kind: shellScript},

	"python": {kind: pythonCode}, "python2": {kind: pythonCode}, "python3": {kind: pythonCode},
	"pypy": {kind: pythonCode}, "pypy3": {kind: pythonCode}, "py": {kind: pythonCode},
	"node": {kind: nodeCode}, "nodejs": {kind: nodeCode}, "tsx": {kind: nodeCode},
	"ts-node": {kind: nodeCode}, "bun": {kind: nodeCode}, "deno": {kind: nodeCode},
	"ruby": {kind: rubyCode},

	"git": {kind: gitCommand},
	"tar": {kind: tarArchive}, "gtar": {kind: tarArchive}, "bsdtar": {kind: tarArchive},
	"zip": {kind: zipArchive},
	"7z":  {kind: sevenZip}, "7za": {kind: sevenZip}, "7zz": {kind: sevenZip},
	"gzip": {kind: compress}, "bzip2": {kind: compress}, "xz": {kind: compress}, "zstd": {kind: compress},
}

// remoteHeads run their words on another machine or in another file system:
// nothing they are given is a file here.
var remoteHeads = set("ssh mosh sshpass autossh docker podman nerdctl kubectl oc vagrant multipass lxc adb chroot nsenter wsl")

// A prefix is a command that runs the command in its words.
type prefix struct {
	flags    flagSet
	operands int    // words of its own before the command
	assigns  bool   // NAME=value may stand before the command
	query    string // flags with which it runs nothing
	chdir    string // flags whose value is the directory the command runs in
	inShell  bool   // runs in this very shell: a cd behind it counts
	package_ bool   // the command may carry a version: prettier@3
}

// prefixes are keyed by a command, or by a command and its subcommand.
var prefixes = map[string]prefix{
	"sudo": {flags: flagSet{"ugpCDhrRTtU", "user group prompt close-from chdir host role chroot command-timeout type other-user"},
		assigns: true, query: "-l -v -V -k -K -e --list --validate --edit", chdir: "-D --chdir"},
	"doas":       {flags: flagSet{short: "uC"}},
	"env":        {flags: flagSet{"uCS", "unset chdir split-string"}, assigns: true, chdir: "-C --chdir", query: "-S --split-string"},
	"command":    {query: "-v -V", inShell: true},
	"builtin":    {inShell: true},
	"exec":       {flags: flagSet{short: "a"}},
	"nohup":      {},
	"setsid":     {},
	"time":       {flags: flagSet{"fo", "format output"}},
	"gtime":      {flags: flagSet{"fo", "format output"}},
	"nice":       {flags: flagSet{"n", "adjustment"}},
	"ionice":     {flags: flagSet{"cnpPu", "class classdata"}},
	"timeout":    {flags: flagSet{"ks", "kill-after signal"}, operands: 1},
	"gtimeout":   {flags: flagSet{"ks", "kill-after signal"}, operands: 1},
	"stdbuf":     {flags: flagSet{"ioe", "input output error"}},
	"unbuffer":   {},
	"caffeinate": {flags: flagSet{short: "tw"}},
	"chrt":       {operands: 1},
	"taskset":    {operands: 1},
	"busybox":    {},
	"xcrun":      {flags: flagSet{long: "sdk toolchain"}},
	"xvfb-run":   {flags: flagSet{short: "enfsp"}},
	"cross-env":  {assigns: true, package_: true},
	"dotenv":     {flags: flagSet{short: "ev"}},

	"npx":           {flags: flagSet{"p", "package"}, query: "-c --call", package_: true},
	"bunx":          {flags: flagSet{"p", "package"}, package_: true},
	"uvx":           {flags: flagSet{"p", "from with python"}, package_: true},
	"npm exec":      {flags: flagSet{long: "package"}, query: "-c --call", package_: true},
	"npm x":         {flags: flagSet{long: "package"}, query: "-c --call", package_: true},
	"pnpm exec":     {package_: true},
	"pnpm dlx":      {flags: flagSet{long: "package"}, package_: true},
	"yarn dlx":      {flags: flagSet{"p", "package"}, package_: true},
	"yarn exec":     {package_: true},
	"bun x":         {package_: true},
	"uv run":        {flags: flagSet{"p", "with with-editable with-requirements python extra group project directory env-file package"}},
	"uv tool run":   {flags: flagSet{"p", "from with python"}, package_: true},
	"poetry run":    {},
	"pdm run":       {},
	"pipenv run":    {},
	"pipx run":      {flags: flagSet{long: "spec"}, package_: true},
	"rye run":       {},
	"hatch run":     {},
	"conda run":     {flags: flagSet{"np", "name prefix cwd"}},
	"mamba run":     {flags: flagSet{"np", "name prefix cwd"}},
	"bundle exec":   {},
	"rbenv exec":    {},
	"pyenv exec":    {},
	"asdf exec":     {},
	"mise exec":     {flags: flagSet{short: "c"}},
	"mise x":        {flags: flagSet{short: "c"}},
	"direnv exec":   {operands: 1},
	"rustup run":    {operands: 1},
	"volta run":     {flags: flagSet{long: "node npm yarn pnpm"}},
	"dotnet tool":   {operands: 1},
	"op run":        {flags: flagSet{long: "env-file"}},
	"doppler run":   {flags: flagSet{short: "pc"}},
	"composer exec": {},
}

// mutatingGit are the subcommands that change the repository or its work tree
// in a way that may be seen in files.
var mutatingGit = set("add commit checkout switch restore reset clean stash merge rebase pull cherry-pick revert apply am mv rm " +
	"worktree submodule clone init bisect sparse-checkout checkout-index read-tree")

// gitKeepsTree are those of them that leave the files of the work tree alone.
var gitKeepsTree = set("add commit init clone")

// gitFlags are the flags of git itself, before the subcommand.
var gitFlags = flagSet{"Cc", "git-dir work-tree namespace super-prefix config-env exec-path"}

// A quietGit says which forms of a subcommand change nothing.
type quietGit struct {
	flags string // any of these
	words string // one of these as the first operand
	bare  bool   // no operand at all
}

var quietGits = map[string]quietGit{
	"add":             {flags: "-n --dry-run"},
	"am":              {flags: "--show-current-patch"},
	"apply":           {flags: "--check --stat --numstat --summary"},
	"bisect":          {words: "log view visualize terms help", bare: true},
	"clean":           {flags: "-n --dry-run"},
	"commit":          {flags: "--dry-run"},
	"mv":              {flags: "-n --dry-run"},
	"pull":            {flags: "--dry-run"},
	"read-tree":       {flags: "-n --dry-run"},
	"rebase":          {flags: "--show-current-patch"},
	"rm":              {flags: "-n --dry-run"},
	"sparse-checkout": {words: "list check-rules", bare: true},
	"stash":           {words: "list show"},
	"submodule":       {words: "status summary", bare: true},
	"worktree":        {words: "list", bare: true},
}

// A formatter rewrites source files.
type formatter struct {
	sub   string // its subcommand, any of these; "" = none
	need  string // it writes only with one of these flags; "" = always
	check string // flags with which it only looks
	flags flagSet
}

var lineLength = flagSet{"lt", "line-length target-version config exclude include extend-exclude force-exclude workers " +
	"select ignore extend-select extend-ignore profile src skip max-line-length style"}

var formatters = map[string][]formatter{
	"cargo": {{sub: "fmt", check: "--check", flags: flagSet{"p", "package config edition manifest-path"}},
		{sub: "fix"}, {sub: "clippy", need: "--fix"}},
	"rustfmt": {{check: "--check", flags: flagSet{long: "edition config config-path emit color"}}},
	"prettier": {{need: "-w --write", check: "-c --check", flags: flagSet{long: "config ignore-path parser plugin tab-width " +
		"print-width log-level loglevel end-of-line trailing-comma"}}},
	"black":        {{check: "--check --diff", flags: lineLength}},
	"blue":         {{check: "--check --diff", flags: lineLength}},
	"ruff":         {{sub: "format", check: "--check --diff", flags: lineLength}, {sub: "check", need: "--fix --fix-only --add-noqa", check: "--diff", flags: lineLength}, {need: "--fix", flags: lineLength}},
	"isort":        {{check: "-c --check --check-only -d --diff", flags: lineLength}},
	"autopep8":     {{need: "-i --in-place", flags: lineLength}},
	"yapf":         {{need: "-i --in-place", flags: lineLength}},
	"autoflake":    {{need: "-i --in-place", check: "-c --check"}},
	"pyupgrade":    {{}},
	"docformatter": {{need: "-i --in-place"}},

	"gofmt":         {{need: "-w", flags: flagSet{long: "r cpuprofile"}}},
	"goimports":     {{need: "-w", flags: flagSet{long: "local srcdir"}}},
	"gofumpt":       {{need: "-w", flags: flagSet{long: "lang modpath"}}},
	"golines":       {{need: "-w"}},
	"gci":           {{sub: "write", flags: flagSet{short: "s", long: "section"}}},
	"go":            {{sub: "fmt"}, {sub: "fix", check: "-diff"}},
	"golangci-lint": {{sub: "run", need: "--fix"}, {sub: "fmt", check: "--diff"}},

	"eslint":            {{need: "--fix", flags: flagSet{"cf", "config ext rule ignore-path ignore-pattern format max-warnings rulesdir plugin parser env output-file"}}},
	"stylelint":         {{need: "--fix", flags: flagSet{long: "config ignore-path formatter"}}},
	"standard":          {{need: "--fix"}},
	"xo":                {{need: "--fix"}},
	"oxlint":            {{need: "--fix"}},
	"biome":             {{sub: "format check lint", need: "--write --apply --apply-unsafe --fix", flags: flagSet{long: "config-path"}}},
	"dprint":            {{sub: "fmt", flags: flagSet{"c", "config"}}},
	"deno":              {{sub: "fmt", check: "--check"}, {sub: "lint", need: "--fix"}},
	"markdownlint":      {{need: "-f --fix", flags: flagSet{"c", "config"}}},
	"markdownlint-cli2": {{need: "--fix"}},
	"lint-staged":       {{}},

	"clang-format":       {{need: "-i", check: "-n --dry-run", flags: flagSet{long: "style assume-filename"}}},
	"cmake-format":       {{need: "-i --in-place"}},
	"shfmt":              {{need: "-w --write", flags: flagSet{"i", "ln language-dialect indent"}}},
	"terraform":          {{sub: "fmt", check: "-check -write=false"}},
	"tofu":               {{sub: "fmt", check: "-check -write=false"}},
	"swiftformat":        {{check: "--lint --dryrun"}},
	"swift-format":       {{need: "-i --in-place"}},
	"ktlint":             {{need: "-F --format"}},
	"ktfmt":              {{check: "--dry-run -n"}},
	"google-java-format": {{need: "-i -r --replace", check: "-n --dry-run"}},
	"scalafmt":           {{check: "--check --test --list"}},
	"rubocop":            {{need: "-a -A -x --autocorrect --autocorrect-all --auto-correct --auto-correct-all --fix-layout", flags: flagSet{"cf", "config only except format"}}},
	"standardrb":         {{need: "--fix"}},
	"mix":                {{sub: "format", check: "--check-formatted --dry-run"}},
	"zig":                {{sub: "fmt", check: "--check"}},
	"gleam":              {{sub: "format", check: "--check"}},
	"dart":               {{sub: "format", check: "--output=none --output=show -o"}, {sub: "fix", need: "--apply"}},
	"dotnet":             {{sub: "format", check: "--verify-no-changes"}},
	"csharpier":          {{check: "--check"}},
	"stylua":             {{check: "-c --check"}},
	"nixfmt":             {{check: "-c --check"}},
	"alejandra":          {{check: "-c --check"}},
	"buf":                {{sub: "format", need: "-w --write"}},
	"taplo":              {{sub: "fmt format", check: "--check"}},
	"yamlfmt":            {{check: "-lint -dry"}},
	"mdformat":           {{check: "--check"}},
	"djlint":             {{need: "--reformat", check: "--check"}},
	"sqlfluff":           {{sub: "fix format", flags: flagSet{long: "dialect"}}},
	"php-cs-fixer":       {{sub: "fix", check: "--dry-run"}},
	"phpcbf":             {{}},
	"pint":               {{check: "--test"}},
	"ormolu":             {{need: "-i"}},
	"ocamlformat":        {{need: "-i --inplace", check: "--check"}},
	"elm-format":         {{need: "--yes", check: "--validate"}},
	"buildifier":         {{check: "-mode=check -mode=diff --mode=check --mode=diff"}},
	"pre-commit":         {{sub: "run"}},
}

// A manager installs packages: into the project, into lock files, somewhere.
type manager struct {
	name string // of the marker, when it is not the command's
	// subs are the subcommands that change something; "pip:install" is two
	// words, and "version+" does so only when an operand follows.
	subs   string
	bare   bool   // no subcommand at all installs
	option string // the subcommands are flags: pacman -S
	values string // flags that take a value and stand before the subcommand
	dry    string // flags with which nothing changes, besides --dry-run
}

const pipSubs = "install uninstall download wheel"

var managers = map[string]manager{
	"npm": {subs: "install i in ins isntall ci clean-install add uninstall un remove rm r unlink update up upgrade udpate dedupe ddp prune " +
		"link ln rebuild rb init create version+ shrinkwrap install-test it install-ci-test cit audit:fix pkg:set pkg:delete pkg:fix",
		values: "--prefix -C -w --workspace --registry"},
	"pnpm": {subs: "install i ci add remove rm uninstall un update up upgrade dedupe prune import link ln unlink rebuild rb init create patch-commit version+",
		values: "-C --dir --filter -F --prefix"},
	"yarn": {subs: "install add remove upgrade up upgrade-interactive import dedupe init create set link unlink autoclean version rebuild global:add global:remove",
		bare: true, values: "--cwd"},
	"bun": {subs: "install i ci add a remove rm update link unlink init create c patch", values: "--cwd"},

	"pip":        {subs: pipSubs},
	"pip2":       {name: "pip", subs: pipSubs},
	"pip3":       {name: "pip", subs: pipSubs},
	"pipx":       {subs: "install uninstall upgrade upgrade-all inject reinstall install-all"},
	"uv":         {subs: "add remove sync lock init venv pip:install pip:uninstall pip:sync pip:compile tool:install tool:uninstall tool:upgrade python:install version+", values: "--directory --project", dry: "--check"},
	"poetry":     {subs: "add remove install update lock init new sync", values: "-C --directory -P --project"},
	"pdm":        {subs: "add remove install update lock sync init"},
	"pipenv":     {subs: "install uninstall update upgrade lock sync clean"},
	"conda":      {subs: "install create remove uninstall update upgrade env:create env:update env:remove"},
	"mamba":      {name: "conda", subs: "install create remove uninstall update upgrade env:create env:update env:remove"},
	"micromamba": {name: "conda", subs: "install create remove uninstall update upgrade env:create env:update env:remove"},

	"cargo": {subs: "add remove rm install uninstall update init new vendor generate-lockfile fetch", values: "--manifest-path --config -C -Z"},
	"go":    {subs: "get install mod:tidy mod:init mod:edit mod:vendor mod:download work:init work:use work:sync work:edit", values: "-C", dry: "-print"},

	"gem":      {subs: "install uninstall update cleanup"},
	"bundle":   {subs: "install update add remove lock init clean", bare: true},
	"bundler":  {name: "bundle", subs: "install update add remove lock init clean", bare: true},
	"composer": {subs: "install i update u upgrade require r remove rm create-project init dump-autoload dumpautoload global:require", values: "-d --working-dir"},
	"mix":      {subs: "deps.get deps.update deps.clean deps.unlock new"},
	"dotnet":   {subs: "add remove restore new", dry: ""},
	"pod":      {subs: "install update init deintegrate"},
	"flutter":  {subs: "pub:get pub:add pub:remove pub:upgrade create"},
	"dart":     {subs: "pub:get pub:add pub:remove pub:upgrade create"},

	"brew":    {subs: "install uninstall remove rm upgrade update reinstall tap untap link unlink cleanup autoremove", dry: "-n"},
	"apt":     {subs: "install remove purge upgrade full-upgrade dist-upgrade update autoremove", dry: "-s --simulate --just-print", values: "-o -t -c"},
	"apt-get": {subs: "install remove purge upgrade dist-upgrade update autoremove build-dep", dry: "-s --simulate --just-print", values: "-o -t -c"},
	"dnf":     {subs: "install remove upgrade update reinstall autoremove groupinstall"},
	"yum":     {subs: "install remove upgrade update reinstall autoremove groupinstall"},
	"apk":     {subs: "add del update upgrade fix", dry: "-s --simulate"},
	"zypper":  {subs: "install in remove rm update up dist-upgrade dup"},
	"pacman":  {option: "-S -R -U -Sy -Su -Syu -Syyu -Rs -Rns -Rn --sync --remove --upgrade"},
	"choco":   {subs: "install uninstall upgrade"},
	"winget":  {subs: "install uninstall upgrade"},
	"scoop":   {subs: "install uninstall update"},
	"rustup":  {subs: "install update toolchain:install component:add target:add"},
}

// An unpacker writes files that an archive (or a diff) names.
type unpacker struct {
	sub   string // its subcommand; "" = none
	need  string // only with one of these flags
	quiet string // flags with which it only looks, or writes to its output
	flags flagSet
}

var unpackers = map[string]unpacker{
	"unzip":      {quiet: "-l -t -v -Z -z -p -c"},
	"gunzip":     {quiet: "-c -t -l --stdout --test --list"},
	"bunzip2":    {quiet: "-c -t --stdout --test"},
	"unxz":       {quiet: "-c -t -l --stdout --test --list"},
	"unzstd":     {quiet: "-c -t -l --stdout --test --list"},
	"uncompress": {quiet: "-c"},
	"unrar":      {sub: "x e"},
	"unar":       {},
	"jar":        {sub: "xf xvf -xf x xfv"},
	"ar":         {sub: "x xv -x"},
	"cpio":       {need: "-i --extract", quiet: "-t --list"},
	"patch":      {quiet: "--dry-run -C --check", flags: flagSet{"pidDorBzF", "input strip directory"}},
}

// decompress are the flags that turn a compressor around, stdoutFlags those
// that leave its files alone.
const (
	decompress   = "-d --decompress --uncompress"
	stdoutFlags  = "-c -t -l --stdout --to-stdout --test --list"
	keepsSource  = "-k --keep"
	tarValues    = "fCTXbIKNHLVgF"
	tarLongFlags = "file directory files-from exclude exclude-from transform strip-components use-compress-program owner group mode mtime newer format label blocking-factor"
)

// An outputFlag is a command that names its output file in a flag.
type outputFlag struct {
	out    string  // the flags, as typed
	flags  flagSet // other flags that take a value, so that letters can stand together
	single bool    // flags have one dash and many letters (gcc -fopenmp): nothing stands together
}

// outputs are keyed by a command, or by a command and its subcommand.
var outputs = map[string]outputFlag{
	"curl": {out: "-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr",
		flags: flagSet{short: "AbCdeEFHKmPQrtTuUwxXyYz"}},
	"wget": {out: "-O --output-document -o --output-file -a --append-output", flags: flagSet{short: "eiBtTwQPUDARIXl"}},
	"sort": {out: "-o --output", flags: flagSet{short: "ktST"}},
	"shuf": {out: "-o --output", flags: flagSet{short: "ni"}},

	"gcc": oneDash, "g++": oneDash, "cc": oneDash, "c++": oneDash, "clang": oneDash, "clang++": oneDash,
	"ld": oneDash, "as": oneDash, "rustc": oneDash, "ghc": oneDash, "nvcc": oneDash, "gfortran": oneDash,
	"swiftc": oneDash, "ocamlfind": oneDash, "ocamlopt": oneDash, "ocamlc": oneDash, "tcc": oneDash, "nasm": oneDash,
	"emcc": oneDash, "dot": oneDash, "fpc": oneDash,
	"zig": {out: "-femit-bin", single: true},
	"tsc": {out: "--outFile -outFile", single: true},

	"go build":     {out: "-o", single: true},
	"go test":      {out: "-o -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace", single: true},
	"go tool":      {out: "-o", single: true},
	"git archive":  {out: "-o --output", single: true},
	"git diff":     {out: "--output", single: true},
	"git log":      {out: "--output", single: true},
	"git show":     {out: "--output", single: true},
	"docker save":  {out: "-o --output", single: true},
	"bun build":    {out: "--outfile", single: true},
	"deno compile": {out: "-o --output", single: true},

	"esbuild":   {out: "--outfile", single: true},
	"rollup":    {out: "-o --file", single: true},
	"pandoc":    {out: "-o --output", single: true},
	"openssl":   {out: "-out -keyout", single: true},
	"xmllint":   {out: "-o --output", single: true},
	"protoc":    {out: "-o --descriptor_set_out", single: true},
	"pg_dump":   {out: "-f --file", single: true},
	"mysqldump": {out: "-r --result-file", single: true},
	"iconv":     {out: "-o --output", single: true},
	"gs":        {out: "-sOutputFile", single: true},
}

var oneDash = outputFlag{out: "-o", single: true}

// notFiles are names that no file stands behind.
var notFiles = set("/dev/null /dev/stdout /dev/stderr /dev/stdin /dev/tty /dev/zero /dev/full")

// notFileDirs are directories of such names.
var notFileDirs = []string{"/dev/fd/", "/dev/tcp/", "/dev/udp/", "/proc/self/fd/"}

// silentFailures are commands whose exit status 1 is how they say no. A client
// may know that, and not call their result an error.
var silentFailures = set("grep egrep fgrep rg find diff test [")

// loudHeads say on stderr why they failed: when stderr stayed empty, they did
// not. test, grep and diff do not.
var loudHeads = set("cd mkdir cp mv rm rmdir touch ln cat tee chmod chown install echo printf pwd ls pushd popd true : export set")

package shell

// The ways in which a piece of Python, JavaScript or Ruby writes files. Data,
// as in verbs.go.

// An idiom is a call that changes files.
type idiom struct {
	// on is what stands before the dot: names of which any will do, "-" for
	// nothing, "*" for anything or nothing, "Path" for a path object, which is
	// then what the call changes.
	on    string
	paths []Effect // what is done to each argument; None: it is no path
	mode  int      // the argument that opens the file in a mode; 0 = none
	rest  bool     // all further arguments are as the last of paths
}

// A lang is a language whose code a command line may carry.
type lang struct {
	name      string
	lineNote  string // starts a comment
	blockNote bool   // /* ... */
	triple    bool   // """ strings
	template  bool   // `...` strings, expressions in ${ }
	hashBrace bool   // expressions in #{ } of a double-quoted string
	bareCalls bool   // File.write "x", y
	chdir     string
	idioms    map[string][]idiom
}

var (
	writes  = []Effect{Writes}
	removes = []Effect{Removes}
	makes   = []Effect{MakesDir}
	moves   = []Effect{Moves, Writes}
	second  = []Effect{None, Writes}
)

var python = lang{
	name: "python", lineNote: "#", triple: true, chdir: "os.chdir",
	idioms: map[string][]idiom{
		"open": {{on: "- io codecs gzip bz2 lzma aiofiles tarfile", paths: writes, mode: 1},
			{on: "Path", mode: 1}},
		"ZipFile":        {{on: "- zipfile", paths: writes, mode: 1}},
		"TarFile":        {{on: "- tarfile", paths: writes, mode: 1}},
		"write_text":     {{on: "Path"}, {on: "*"}},
		"write_bytes":    {{on: "Path"}, {on: "*"}},
		"touch":          {{on: "Path", paths: []Effect{Touches}}},
		"unlink":         {{on: "Path", paths: removes}, {on: "os", paths: removes}},
		"rmdir":          {{on: "Path", paths: removes}, {on: "os", paths: removes}},
		"mkdir":          {{on: "Path", paths: makes}, {on: "os", paths: makes}},
		"makedirs":       {{on: "os -", paths: makes}},
		"remove":         {{on: "os", paths: removes}},
		"removedirs":     {{on: "os", paths: removes}},
		"rename":         {{on: "os", paths: moves}, {on: "Path", paths: []Effect{Moves, Writes}}},
		"renames":        {{on: "os", paths: moves}},
		"replace":        {{on: "os", paths: moves}, {on: "Path", paths: []Effect{Moves, Writes}}},
		"truncate":       {{on: "os", paths: writes}},
		"symlink":        {{on: "os", paths: second}},
		"link":           {{on: "os", paths: second}},
		"symlink_to":     {{on: "Path"}},
		"copy":           {{on: "shutil", paths: second}},
		"copy2":          {{on: "shutil -", paths: second}},
		"copyfile":       {{on: "shutil -", paths: second}},
		"copytree":       {{on: "shutil -", paths: second}},
		"move":           {{on: "shutil", paths: moves}},
		"rmtree":         {{on: "shutil -", paths: removes}},
		"urlretrieve":    {{on: "*", paths: second}},
		"extractall":     {{on: "*"}},
		"unpack_archive": {{on: "shutil"}},
	},
}

var node = lang{
	name: "node", lineNote: "//", blockNote: true, template: true, chdir: "process.chdir",
	idioms: map[string][]idiom{
		"writeFileSync":     {{on: "*", paths: writes}},
		"writeFile":         {{on: "*", paths: writes}},
		"appendFileSync":    {{on: "*", paths: []Effect{Appends}}},
		"appendFile":        {{on: "*", paths: []Effect{Appends}}},
		"createWriteStream": {{on: "*", paths: writes}},
		"unlinkSync":        {{on: "*", paths: removes}},
		"rmSync":            {{on: "*", paths: removes}},
		"rmdirSync":         {{on: "*", paths: removes}},
		"mkdirSync":         {{on: "*", paths: makes}},
		"renameSync":        {{on: "*", paths: moves}},
		"copyFileSync":      {{on: "*", paths: second}},
		"copyFile":          {{on: "*", paths: second}},
		"cpSync":            {{on: "*", paths: second}},
		"truncateSync":      {{on: "*", paths: writes}},
		"symlinkSync":       {{on: "*", paths: second}},
		"openSync":          {{on: "*", paths: writes, mode: 1}},
		"outputFileSync":    {{on: "*", paths: writes}},
		"outputFile":        {{on: "*", paths: writes}},
		"writeJsonSync":     {{on: "*", paths: writes}},
		"writeJson":         {{on: "*", paths: writes}},
		"unlink":            {{on: nodeFS, paths: removes}},
		"rm":                {{on: nodeFS, paths: removes}},
		"rmdir":             {{on: nodeFS, paths: removes}},
		"mkdir":             {{on: nodeFS, paths: makes}},
		"rename":            {{on: nodeFS, paths: moves}},
		"cp":                {{on: nodeFS, paths: second}},
		"truncate":          {{on: nodeFS, paths: writes}},
		"symlink":           {{on: nodeFS, paths: second}},
		"open":              {{on: nodeFS, paths: writes, mode: 1}},
		"write":             {{on: "Bun", paths: writes}},
		"writeTextFile":     {{on: "Deno", paths: writes}},
		"writeTextFileSync": {{on: "Deno", paths: writes}},
		"remove":            {{on: "Deno", paths: removes}},
		"removeSync":        {{on: "Deno fse fs", paths: removes}},
	},
}

const nodeFS = "fs fsp fse promises fsPromises Deno"

var ruby = lang{
	name: "ruby", lineNote: "#", hashBrace: true, bareCalls: true, chdir: "Dir.chdir",
	idioms: map[string][]idiom{
		"write":    {{on: "File IO", paths: writes}},
		"binwrite": {{on: "File IO", paths: writes}},
		"open":     {{on: "File IO -", paths: writes, mode: 1}},
		"new":      {{on: "File", paths: writes, mode: 1}},
		"delete":   {{on: "File", paths: removes, rest: true}},
		"unlink":   {{on: "File", paths: removes, rest: true}},
		"rename":   {{on: "File", paths: moves}},
		"truncate": {{on: "File", paths: writes}},
		"symlink":  {{on: "File", paths: second}},
		"rm":       {{on: "FileUtils", paths: removes}},
		"rm_f":     {{on: "FileUtils", paths: removes}},
		"rm_r":     {{on: "FileUtils", paths: removes}},
		"rm_rf":    {{on: "FileUtils", paths: removes}},
		"mkdir":    {{on: "FileUtils Dir", paths: makes}},
		"mkdir_p":  {{on: "FileUtils", paths: makes}},
		"touch":    {{on: "FileUtils", paths: []Effect{Touches}}},
		"mv":       {{on: "FileUtils", paths: moves}},
		"cp":       {{on: "FileUtils", paths: second}},
		"cp_r":     {{on: "FileUtils", paths: second}},
	},
}

// pythonTools are modules that python -m runs and that are commands of these
// tables.
var pythonTools = set("black isort ruff autopep8 yapf autoflake pyupgrade docformatter blue pip pipx poetry pipenv pdm uv pre_commit")

package shell

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a path that cannot be told may stand for.
func TestPatterns(t *testing.T) {
	for command, want := range map[string][]string{
		"sed -i s/a/b/ src/*.py":         {"/w/src/*.py"},
		"sed -i s/a/b/ ./src/../x?.py":   {"/w/x?.py"},
		"rm *":                           {"/w/*"},
		"rm -f [ab].txt":                 {"/w/*.txt"},
		"cd /q && rm *.o":                {"/q/*.o"},
		"cd $D && rm *.o":                {"**/*.o"},
		"cd $D && rm *":                  {""},
		"cd $D && touch src/x.py":        {"**/src/x.py"},
		"cd $D && touch ../x.py":         {"**/x.py"},
		"echo > $ROOT/src/app.py":        {"**/src/app.py"},
		"echo > ${ROOT}/app.py":          {"**/app.py"},
		"echo > $ROOT":                   {""},
		"echo > out/$i.txt":              {"/w/out/*.txt"},
		"echo > /a/$i/b.txt":             {"/a/**/b.txt"},
		"echo > ~/notes.md":              {"**/notes.md"},
		"echo > ~u/notes.md":             {"**/notes.md"},
		"touch {f,g}":                    {"/w/{f,g}"},
		"touch {f,{g,h*}}":               {"/w/{f,{g,h*}}"},
		"touch f{1..3}":                  {"/w/f*"},
		"touch f{":                       {"/w/f\\{"},
		"touch {$x,g}":                   {"/w/{**,g}"},
		"touch {f,g}.txt":                {"/w/{f,g}.txt"},
		`rm "a*" b`:                      {"", ""},
		`rm "$D/a*b,c"`:                  {`**/a\*b\,c`},
		"echo > `date`.log":              {"/w/*.log"},
		"cd /a && rm *.o; cd /b; rm *.o": {"{/a/*.o,/b/*.o}"},

		// Loops.
		`for f in a.py src/*.py; do sed -i s/a/b/ "$f"; done`: {"{/w/a.py,/w/src/*.py}"},
		"for i in 1 2; do echo > out/${i}.txt; done":          {"{/w/out/1.txt,/w/out/2.txt}"},
		"for i in $(ls); do rm $i; done":                      {""},
		"for i in a; do rm $ib; done":                         {""},
		"for i in a; do :; done; rm $i":                       {""},
		"for i in a; do for i in b; do rm $i; done; done":     {"/w/b"},
		"for d in a b; do cd $d; rm x; done":                  {"**/x"},

		// What find hands on.
		"find . -name '*.py' -exec sed -i s/a/b/ {} +": {"**/*.py"},
		"find . -name '*.py' | xargs rm":               {"**/*.py"},
		"find . -name 'a[0-9].c' -delete":              {"**/a*.c"},
		"find . -name '*' -delete":                     {""},
		"find . -path './a/*' -delete":                 {""},
	} {
		var got []string
		for _, o := range Ops(command, "/w") {
			if !o.Marker {
				got = append(got, o.Pattern)
			}
			if o.Pattern != "" && o.Resolution != Unresolved {
				t.Errorf("%s: %+v", command, o)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", command, diff)
		}
	}
	for _, o := range Ops("rm *.py", `C:\w`) {
		if o.Pattern != "C:/w/*.py" {
			t.Errorf("on Windows: %q", o.Pattern)
		}
	}
}

package fileops

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestNear(t *testing.T) {
	unix := newNear([]Target{NewTarget("/home/u/app/src/main.go")})
	bare := newNear([]Target{NewTarget("main.go")})
	win := newNear([]Target{NewTarget(`C:\app\Main.go`)})
	for _, tc := range []struct {
		n    near
		line string
		want bool
	}{
		{unix, `{"file_path":"/home/u/app/src/main.go"}`, true},
		{unix, `{"file_path":"\/home\/u\/app\/src\/main.go"}`, true},
		{unix, `{"file_path":"/home/u/app/cmd/main.go"}`, false},
		{unix, `{"file_path":"/home/u/app/src/domain.go"}`, false},
		{unix, `{"file_path":"/home/u/app/src/main.gob"}`, false},
		{unix, `{"command":"vi main.go"}`, true},
		{unix, `{"command":"vi ./main.go"}`, true},
		{unix, `{"command":"vi ../src/../main.go"}`, true},
		{unix, `{"command":"vi $D/main.go"}`, true},
		{unix, `{"command":"vi ${D}/main.go"}`, true},
		{unix, `{"command":"vi \"src\"/main.go"}`, true},
		{unix, `{"command":"cc -omain.go"}`, true},
		{unix, `{"command":"a\nmain.go"}`, true},
		{unix, `{"command":"a\u000amain.go"}`, true},
		{unix, `{"text":"see cmd/main.go. Or lib/main.go:12"}`, false},
		{unix, `{"file_path":"/home/u/app/cmd/m\u0061in.go"}`, true},
		{unix, `{"text":"\u001b[0m cmd/main.go \u003c"}`, false},
		{bare, `{"file_path":"/home/u/app/cmd/main.go"}`, true},
		{bare, `{"file_path":"/home/u/app/cmd/domain.go"}`, false},
		{win, `{"file_path":"c:\\app\\main.go"}`, true},
		{win, `{"file_path":"c:\\lib\\main.go"}`, false},
		{nil, `{}`, true},
		{newNear([]Target{NewTarget("/tmp/größe.txt")}), `{}`, true},
	} {
		if got := tc.n.mention([]byte(tc.line)); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.line, got, tc.want)
		}
	}
}

// TestNearMissesNothing: whatever spelling of a path matches a target when it is resolved goes through.
func TestNearMissesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	parts := []string{"a", "main.go", "src", "b c", ".", "..", "ma", "in.go", "$X", "n", "-o"}
	for range 20000 {
		var words []string
		for range 1 + r.IntN(4) {
			words = append(words, parts[r.IntN(len(parts))])
		}
		p := strings.Join(words, "/")
		if r.IntN(2) == 0 {
			p = "/" + p
		}
		target := NewTarget([]string{"/w/src/main.go", "src/main.go", "main.go", "/main.go", "/w/b c/main.go"}[r.IntN(5)])
		if !target.Matches(resolved(p, "/w/src")) && !target.Matches(resolved(p, "/w")) && !target.Matches(p) {
			continue
		}
		raw, err := json.Marshal(map[string]string{"command": []string{"touch %s", "x\n%s\n", "cat >%s", "'%s'"}[r.IntN(4)]})
		if err != nil {
			t.Fatal(err)
		}
		path, _ := json.Marshal(p)
		line := fmt.Sprintf(strings.ReplaceAll(string(raw), `\u003e`, ">"), path[1:len(path)-1])
		if !newNear([]Target{target}).mention([]byte(line)) {
			t.Fatalf("%s is turned away for %s", line, target.Text)
		}
	}
}

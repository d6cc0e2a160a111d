package match

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

var benchFile = flag.String("jsonl", "", "a file to take the lines of the benchmarks from")

// benchLines is about n bytes of whole JSONL lines.
func benchLines(b *testing.B, n int) []byte {
	b.Helper()
	if *benchFile != "" {
		f, err := os.Open(*benchFile)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		buf := make([]byte, n)
		k, err := f.ReadAt(buf, 50<<20)
		if err != nil && k == 0 {
			b.Fatal(err)
		}
		return buf[bytes.IndexByte(buf, '\n')+1 : bytes.LastIndexByte(buf[:k], '\n')+1]
	}
	r := rand.New(rand.NewPCG(1, 2))
	var out []byte
	for i := 0; len(out) < n; i++ {
		out = fmt.Appendf(out, `{"parentUuid":"%08x-1111-4222-8333-444455556666","isSidechain":false,"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"`, i)
		for range 400 {
			out = append(out, pick(r, "the", "session", "handler", "returns", "error", "func(x)", "wait", "time", "value", "of", "index", "is", "a",
				"line", "path/to/file.go", "12", "return err", "not found", "x := y", "0x7f")...)
			out = append(out, pick(r, " ", " ", " ", `\n`, `\t`, ", ", ". ", `\"`)...)
		}
		out = append(out, "\"}]},\"uuid\":\"77777777-1111-4222-8333-444455556666\",\"timestamp\":\"2026-03-02T09:12:05.478Z\"}\n"...)
	}
	return out
}

func BenchmarkPrefilter(b *testing.B) {
	lines := benchLines(b, 1<<20)
	for _, pattern := range []string{
		"Zanzibar", "zanzibar", "kakistos", "the", "ошибка", "超时处理",
		"zanzibar|quokka|xylophone|wombat|narwhal", "Zanzibar|Quokka|Xylophone|Wombat|Narwhal",
		`\bfunc\s+\w+\(`, `[A-Z]{3}-\d{4}`, "error.*timeout", `\p{Han}{4,}`,
	} {
		for _, extra := range [][]string{nil, {`turn_duration`, "AskUserQuestion", "<task-notification>", "<command-name>"}} {
			m, err := Compile(pattern, Options{})
			if err != nil {
				b.Fatal(err)
			}
			p := m.Prefilter(extra)
			if p == nil {
				continue
			}
			b.Run(fmt.Sprintf("%s+%d", pattern, len(extra)), func(b *testing.B) {
				b.SetBytes(int64(len(lines)))
				found := 0
				for range b.N {
					found = 0
					for l := lines; ; {
						i := p.Index(l)
						if i < 0 {
							break
						}
						found++
						l = l[i+bytes.IndexByte(l[i:], '\n')+1:]
					}
				}
				b.ReportMetric(float64(found)/float64(bytes.Count(lines, []byte("\n"))), "lines")
				b.Log(p)
			})
		}
	}
}

// BenchmarkEngine runs the automaton over whole lines as if each were a text.
func BenchmarkEngine(b *testing.B) {
	lines := bytes.SplitAfter(benchLines(b, 1<<20), []byte("\n"))
	for _, pattern := range []string{
		"x.?y", `\p{Han}{4,}`, "Zanzibar", "zanzibar", `\bfunc\s+\w+\(`, `[A-Z]{3}-\d{4}z`, "error.*timeout", "e.?q", `\w+@\w+\.zz`,
		"zanzibar|quokka|xylophone|wombat|narwhal", `a.{10}zq`, `(?s)the.*zqx`, `^zq`, `\d+\.\d+\.\d+z`,
	} {
		m, err := Compile(pattern, Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(pattern, func(b *testing.B) {
			size, found := 0, 0
			b.ReportAllocs()
			for range b.N {
				size, found = 0, 0
				for _, l := range lines {
					size += len(l)
					if m.automaton().match(l, true) {
						found++
					}
				}
			}
			b.SetBytes(int64(size))
			b.ReportMetric(float64(found)/float64(len(lines)), "lines")
		})
	}
}

func BenchmarkFind(b *testing.B) {
	lines := bytes.SplitAfter(benchLines(b, 1<<20), []byte("\n"))
	for _, pattern := range []string{"Zanzibar", "zanzibar", "the", "tasks", "x.?y", "error.*timeout", `\w+\(`} {
		m, err := Compile(pattern, Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(pattern, func(b *testing.B) {
			size := 0
			for range b.N {
				size = 0
				for _, l := range lines {
					size += len(l)
					m.Find(l)
				}
			}
			b.SetBytes(int64(size))
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, pattern := range []string{"foo", `\bfunc\s+\w+\(`, `(\w+\s?){30}!`, "zanzibar|quokka|xylophone|wombat|narwhal", `[^\W\d]+`} {
		b.Run(pattern, func(b *testing.B) {
			for range b.N {
				m, err := Compile(pattern, Options{})
				if err != nil {
					b.Fatal(err)
				}
				m.Prefilter(nil)
			}
		})
	}
}

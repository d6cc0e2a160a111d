package jsonl

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// benchText is transcript lines of 2.5 KB on average, or the file CSIFT_BENCH names.
func benchText(b *testing.B) []byte {
	if path := os.Getenv("CSIFT_BENCH"); path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		return text
	}
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields(`the file was read and func main() { fmt.Println(\"done\") } error: exit status 1\n \t return nil naïve`)
	var out bytes.Buffer
	for i := range 4000 {
		fmt.Fprintf(&out, `{"parentUuid":"%08x-1111-4222-8333-444455556666","isSidechain":false,"userType":"external","cwd":"/home/u/app",`+
			`"sessionId":"5d0c1f3e-aaaa-4bbb-8ccc-ddddeeeeffff","version":"2.1.332","gitBranch":"main","type":"assistant","uuid":"%08x-1111-4222-8333-444455556666",`+
			`"timestamp":"2026-03-02T09:12:%02d.478Z","message":{"id":"msg_01","type":"message","role":"assistant","content":[{"type":"text","text":"`, i, i+1, i%60)
		for range r.IntN(600) {
			out.WriteString(words[r.IntN(len(words))])
			out.WriteByte(' ')
		}
		out.WriteString(`"}],"stop_reason":null,"usage":{"input_tokens":12,"cache_read_input_tokens":34567,"output_tokens":8}}}` + "\n")
	}
	return out.Bytes()
}

func benchLines(b *testing.B, fn func(line []byte)) {
	text := benchText(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for rest := text; len(rest) > 0; {
			n := bytes.IndexByte(rest, '\n')
			fn(rest[:n])
			rest = rest[n+1:]
		}
	}
}

func BenchmarkSkip(b *testing.B) {
	benchLines(b, func(line []byte) {
		if !pullValid(line) {
			b.Fatal("not valid")
		}
	})
}

func BenchmarkWalk(b *testing.B) {
	benchLines(b, func(line []byte) {
		if !walkValid(line) {
			b.Fatal("not valid")
		}
	})
}

func BenchmarkKey(b *testing.B) {
	benchLines(b, func(line []byte) { Key(line, "type") })
}

func BenchmarkUnescape(b *testing.B) {
	var buf []byte
	benchLines(b, func(line []byte) { buf = Unescape(buf[:0], line) })
}

func BenchmarkCensus(b *testing.B) {
	text := benchText(b)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Census(text, true)
	}
}

func benchChunks(b *testing.B, mapped bool, workers int) {
	text := strings.Repeat(string(benchText(b)), 4)
	f := openText(b, text, chunkSize, mapped)
	b.SetBytes(f.Size())
	for b.Loop() {
		err := f.Chunks(context.Background(), workers, func(_ int, c Chunk) error {
			Census(c.B, c.First)
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkChunksMapped(b *testing.B) { benchChunks(b, true, 2) }
func BenchmarkChunksRead(b *testing.B)   { benchChunks(b, false, 2) }

func BenchmarkHeadTail(b *testing.B) {
	f := openText(b, string(benchText(b)), chunkSize, false)
	for b.Loop() {
		n := 0
		three := func(int64, []byte) bool { n++; return n%3 != 0 }
		f.Head(context.Background(), three)
		f.Tail(context.Background(), three)
	}
}

// Mkcorpus writes an invented corpus of transcripts to measure on: one big
// session and many small ones, in the mix of line types and sizes that a
// census of public transcripts showed (2.5 to 3 KB a line, a third of the
// lines progress where the client wrote them). The same flags give the same
// bytes on every machine.
//
//	go run ./scripts/mkcorpus -out DIR [-seed 42] [-big 400] [-many 2000]
//
// DIR/big.jsonl is the big session; DIR/projects/ holds the small ones
// (0.1 to 2 MB, even on a log scale), so that DIR is a Claude home. Every
// fourth file has compactions, every tenth a rewind. The word Quokkafjord
// stands once in the big session, in a prompt half way.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A job is one file to write.
type job struct {
	path    string
	seed    uint64
	bytes   int
	compact int // bytes between compactions, 0 for none
	rewinds bool
	plant   string // a word for one prompt half way
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("mkcorpus: ")
	out := flag.String("out", "", "directory to write into")
	seed := flag.Uint64("seed", 42, "seed")
	big := flag.Int("big", 400, "MB (1e6 bytes) of the one big session; 0 for none")
	many := flag.Int("many", 2000, "number of small sessions")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := write(plan(*out, *seed, *big, *many)); err != nil {
		log.Fatal(err)
	}
}

// plan lists the files, the big one first so that it is not waited for last.
func plan(out string, seed uint64, bigMB, many int) []job {
	var jobs []job
	if bigMB > 0 {
		jobs = append(jobs, job{filepath.Join(out, "big.jsonl"), seed, bigMB * 1000000, 45000000, true, "Quokkafjord"})
	}
	r := rand.New(rand.NewPCG(seed, 7))
	for i := range many {
		dir := filepath.Join(out, "projects", fmt.Sprintf("-home-dev-src-p%02d", i%40))
		j := job{
			path:    filepath.Join(dir, uuid(r)+".jsonl"),
			seed:    seed*1000003 + uint64(i),
			bytes:   int(100000 * math.Pow(20, r.Float64())),
			rewinds: i%10 == 5,
		}
		if i%4 == 3 {
			j.compact = j.bytes / 3
		}
		jobs = append(jobs, j)
	}
	return jobs
}

func write(jobs []job) error {
	work := make(chan job)
	errs := make(chan error, len(jobs))
	var wg sync.WaitGroup
	for range runtime.NumCPU() {
		wg.Go(func() {
			for j := range work {
				if err := j.write(); err != nil {
					errs <- err
				}
			}
		})
	}
	for _, j := range jobs {
		work <- j
	}
	close(work)
	wg.Wait()
	close(errs)
	return <-errs
}

func (j job) write() error {
	if err := os.MkdirAll(filepath.Dir(j.path), 0o777); err != nil {
		return err
	}
	f, err := os.Create(j.path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	s := newSession(j)
	s.w = w
	s.run()
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

func newSession(j job) *session {
	s := &session{writer: newWriter(j.seed), job: j}
	s.id = strings.TrimSuffix(filepath.Base(j.path), ".jsonl")
	s.cwd = "/home/dev/src/" + pick(s.r, techWords)
	s.version = pick(s.r, versions)
	if j.compact > 10000000 {
		s.version = versions[0]
	}
	s.now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(j.seed%300) * 24 * time.Hour)
	return s
}

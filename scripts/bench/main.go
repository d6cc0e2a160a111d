// Bench measures csift against ripgrep on the same bytes and prints the speed
// contract with today's figures.
//
//	go run ./scripts/bench [-corpus DIR] [-bin DIR] [-rounds 5] [-rows 1a,2] [-goal]
//
// Every round runs csift and its partner one after the other, output into a
// pipe that is read; a figure is the median of the rounds' ratios, so that what
// else the machine does hits both alike. The corpus (scripts/mkcorpus, seed 42) is made on
// the first run. Memory is the peak of private pages (RssAnon), sampled in a
// run of its own. Patterns are case-sensitive unless the row says -i.
//
// Exits 1 when a row misses its first column (the goal column with -goal). It
// is a measurement, never a test: figures of a busy machine mean little.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench: ")
	corpus := flag.String("corpus", "", "directory of the corpus (default: in the user's cache directory)")
	bin := flag.String("bin", "", "directory of built binaries (default: built into a temporary one)")
	rounds := flag.Int("rounds", 5, "rounds")
	only := flag.String("rows", "", "rows to run, comma-separated (default: all)")
	goal := flag.Bool("goal", false, "measure against the goal column")
	bigMB := flag.Int("big", 400, "MB of the big session, when the corpus is made")
	many := flag.Int("many", 2000, "number of small sessions, when the corpus is made")
	flag.Parse()

	t, err := tools(*bin)
	if err != nil {
		log.Fatal(err)
	}
	defer t.cleanup()
	dir, err := makeCorpus(*corpus, *bigMB, *many)
	if err != nil {
		log.Fatal(err)
	}
	rows := contract(t, dir)
	if *only != "" {
		names := strings.Split(*only, ",")
		rows = slices.DeleteFunc(rows, func(r row) bool { return !slices.Contains(names, r.name) })
	}
	short := measure(rows, *rounds, *goal)
	t.cleanup()
	if short {
		os.Exit(1)
	}
}

// measure prints one line a row and reports whether any fell short.
func measure(rows []row, rounds int, goal bool) (short bool) {
	fmt.Printf("%-4s %-44s %9s %9s %7s %6s %6s %8s\n", "row", "workload", "csift ms", "other ms", "ratio", "first", "goal", "priv MB")
	var peak int64
	for _, r := range rows {
		if r.skip != "" {
			fmt.Printf("%-4s %-44s skipped: %s\n", r.name, r.what, r.skip)
			continue
		}
		m, err := r.run(rounds)
		if err != nil {
			fmt.Printf("%-4s %-44s FAILED: %v\n", r.name, r.what, err)
			short = true
			continue
		}
		peak = max(peak, m.private)
		limit := r.first
		if goal {
			limit = r.goal
		}
		mark := ""
		if m.figure > limit {
			mark, short = "  SHORT", true
		}
		fmt.Printf("%-4s %-44s %9.1f %9.1f %7.2f %6.2f %6.2f %8.1f%s\n", r.name, r.what,
			ms(m.csift), ms(m.other), m.figure, r.first, r.goal, float64(m.private)/1e6, mark)
	}
	limit := 96.0
	if goal {
		limit = 32
	}
	mark := ""
	if float64(peak)/1e6 > limit {
		mark, short = "  SHORT", true
	}
	fmt.Printf("%-4s %-44s %9s %9s %7s %6.0f %6.0f %8.1f%s\n", "16", "peak private memory of the above, MB", "", "", "", 96.0, 32.0, float64(peak)/1e6, mark)
	return short
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

// A figure is what the rounds of one row gave.
type figures struct {
	csift, other time.Duration // medians
	figure       float64       // the median ratio, or milliseconds
	private      int64         // bytes
}

// run measures one row. The first runs warm the page cache and are the ones
// whose memory is sampled.
func (r row) run(rounds int) (f figures, err error) {
	if f.private, err = sampled(r.csift); err != nil {
		return f, err
	}
	if r.other != nil {
		if _, err := timed(r.other, true); err != nil {
			return f, err
		}
	}
	var ours, theirs []time.Duration
	var ratios []float64
	for range rounds {
		a, err := timed(r.csift, false)
		if err != nil {
			return f, err
		}
		ours = append(ours, a)
		if r.other == nil {
			ratios = append(ratios, ms(a))
			continue
		}
		b, err := timed(r.other, true)
		if err != nil {
			return f, err
		}
		theirs = append(theirs, b)
		ratios = append(ratios, float64(a)/float64(b))
	}
	f.csift, f.other, f.figure = median(ours), median(theirs), median(ratios)
	return f, nil
}

func median[T time.Duration | float64](all []T) T {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// makeCorpus gives the directory of the corpus, making it when it is not there.
func makeCorpus(dir string, bigMB, many int) (string, error) {
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(cache, "csift-bench", fmt.Sprintf("corpus-42-%d-%d", bigMB, many))
	}
	done := filepath.Join(dir, "complete")
	if _, err := os.Stat(done); err == nil {
		return dir, nil
	}
	log.Printf("making the corpus in %s", dir)
	if err := goRun("./scripts/mkcorpus", "-out", dir, "-seed", "42", "-big", fmt.Sprint(bigMB), "-many", fmt.Sprint(many)); err != nil {
		return "", err
	}
	return dir, os.WriteFile(done, nil, 0o666)
}

package search

import (
	"maps"
	"slices"
	"sync"

	"csift/pkg/cli"
)

// lost is what was found and could not be printed: its file was written anew, or went away, between the search and the
// printing. Several goroutines print.
type lost struct {
	mu        sync.Mutex
	files     map[int]error // by index, the first error of each
	exchanges int
}

func (l *lost) add(file int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.files == nil {
		l.files = map[int]error{}
	}
	if l.files[file] == nil {
		l.files[file] = err
	}
	l.exchanges++
}

// tellLost names the files behind the data.
func (j *job) tellLost() {
	for _, i := range slices.Sorted(maps.Keys(j.lost.files)) {
		j.env.Fail(cli.CannotRead(j.files[i].Transcript, j.lost.files[i]))
	}
}

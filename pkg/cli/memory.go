package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// quietHeap is how large the heap may grow before the collector runs. Most answers need less, and collecting a heap of a
// few megabytes again and again costs a tenth of their time.
const quietHeap = 32 << 20

// patient keeps the collector from running until the heap is worth it; a heap that is larger in earnest is collected as it
// is by default. It does nothing where the environment says how the collector should run.
func patient() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	const least = 4 << 20 // where the first collection starts at 100 percent
	debug.SetGCPercent(100 * quietHeap / least)
	afterCollection(func() {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		percent := 100
		if n := live[0].Value.Uint64(); n > 0 && n < quietHeap/2 {
			percent = int(100 * (quietHeap - n) / n)
		}
		debug.SetGCPercent(percent)
	})
}

// afterCollection calls fn after each collection.
func afterCollection(fn func()) {
	type sentinel struct{ self *sentinel }
	runtime.SetFinalizer(&sentinel{}, func(*sentinel) {
		fn()
		afterCollection(fn)
	})
}

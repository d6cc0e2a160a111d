package cli

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
)

// quietHeap is how much memory a tool may take before the collector runs for the first time. Most answers need less, and
// collecting a heap of a few megabytes again and again costs a tenth of their time.
const quietHeap = 40 << 20

// patient keeps the collector from running until the heap is worth it, then leaves it as it is by default. It does nothing
// where the environment says how the collector should run.
func patient() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(quietHeap)
	runtime.SetFinalizer(&[16]byte{}, func(*[16]byte) { // runs after the first collection
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(math.MaxInt64)
	})
}

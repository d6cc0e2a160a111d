// Package stdio knows the three standard streams: what each of them is, which
// format standard output deserves, and how to write to it so that no error is lost.
// It knows nothing of rows, transcripts or verbs.
//
// The one invariant: everything csift prints on standard output goes through one
// Out, and its Flush is the last word on whether the output arrived.
package stdio

import "os"

// Kind says what a stream is connected to.
type Kind uint8

// The kinds of stream. A descriptor that was closed before the program started is
// Null on unix, where the Go runtime opens the null device in its place.
const (
	Closed   Kind = iota // no file behind the descriptor
	Terminal             // a terminal, a Windows console or an msys/cygwin pty
	File                 // a regular file
	FIFO                 // a pipe, with a name or without
	Socket               // a socket, such as Claude Code gives to hooks (seen at 2.1.332)
	Null                 // the null device
	Other                // a directory, a block device, another character device
)

// String returns the kind in one lower-case word.
func (k Kind) String() string {
	switch k {
	case Closed:
		return "closed"
	case Terminal:
		return "terminal"
	case File:
		return "file"
	case FIFO:
		return "fifo"
	case Socket:
		return "socket"
	case Null:
		return "null"
	}
	return "other"
}

// KindOf says what f is. A nil f is Closed. It never changes the descriptor's
// blocking mode, which another process may share.
func KindOf(f *os.File) Kind {
	if f == nil {
		return Closed
	}
	return kindOf(f)
}

// SameStream reports whether a and b are one and the same pipe, as after 2>&1. It
// is false for everything that is no FIFO.
func SameStream(a, b *os.File) bool {
	if KindOf(a) != FIFO || KindOf(b) != FIFO {
		return false
	}
	return sameFIFO(a, b)
}

// Unread reports how many bytes of a regular file lie before its reader: its size
// when f is a regular file at offset 0, and 0 for everything else. It reads nothing.
func Unread(f *os.File) int64 {
	if KindOf(f) != File {
		return 0
	}
	at, err := f.Seek(0, 1)
	if err != nil || at != 0 {
		return 0
	}
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

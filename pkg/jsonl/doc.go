// Package jsonl is a transcript file as lines, and a line as JSON tokens: files are mapped or read, split into chunks of
// whole lines, counted, looked at from both ends; a line is trimmed, its shape told, its values pulled.
//
// It is not a record model: it knows no field of a transcript, keeps nothing and never fails on damage; a line is data
// whatever its length. The one invariant for callers: every []byte that a callback gets or a Pull returns belongs to the
// input and is valid only as long as that is, during the callback for a file. Copy what must live longer.
package jsonl

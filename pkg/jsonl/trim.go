package jsonl

import "bytes"

// Shape tells what a line is before anybody parses it.
type Shape uint8

const (
	Blank   Shape = iota // nothing but white space and NULs
	Framed               // starts with { and ends with }: a record as far as its frame tells
	Damaged              // anything else: torn, or not a record
)

// byteOrderMark starts a file that was edited on Windows.
const byteOrderMark = "\xef\xbb\xbf"

// Trim returns line without what may surround a record: line end, carriage return, blanks, the NULs that a crash leaves,
// and on the first line of a file its byte order mark.
func Trim(line []byte, first bool) []byte {
	if first && len(line) >= len(byteOrderMark) && string(line[:len(byteOrderMark)]) == byteOrderMark {
		line = line[len(byteOrderMark):]
	}
	for len(line) > 0 && isPadding(line[0]) {
		line = line[1:]
	}
	for len(line) > 0 && isPadding(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	return line
}

// isPadding: JSON white space and NUL.
func isPadding(c byte) bool { return c <= ' ' && (c == 0 || class[c]&isSpace != 0) }

// ShapeOf tells the shape of a line that went through Trim.
func ShapeOf(trimmed []byte) Shape {
	switch n := len(trimmed); {
	case n == 0:
		return Blank
	case n > 1 && trimmed[0] == '{' && trimmed[n-1] == '}':
		return Framed
	}
	return Damaged
}

// Census counts the lines of b, a run of whole lines whose last may lack its newline, and among them those that are
// Blank and Damaged. first says that b starts the file.
func Census(b []byte, first bool) (lines, blank, damaged int) {
	for len(b) > 0 {
		end := bytes.IndexByte(b, '\n')
		line, rest := b, b[len(b):]
		if end >= 0 {
			line, rest = b[:end], b[end+1:]
		}
		lines++
		switch n := len(line); {
		case n > 1 && line[0] == '{' && line[n-1] == '}':
		default:
			switch ShapeOf(Trim(line, first)) {
			case Blank:
				blank++
			case Damaged:
				damaged++
			}
		}
		b, first = rest, false
	}
	return lines, blank, damaged
}

// CountLines counts the lines of b; bytes after the last newline are a line.
func CountLines(b []byte) int {
	n := bytes.Count(b, []byte{'\n'})
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

package jsonl

import (
	"bytes"
	"strings"
	"testing"
)

func TestTrim(t *testing.T) {
	tests := []struct {
		line  string
		first bool
		want  string
		shape Shape
	}{
		{"", false, "", Blank},
		{"\n", false, "", Blank},
		{" \t\r\n", false, "", Blank},
		{"\x00\x00\x00", false, "", Blank},
		{"\xef\xbb\xbf", true, "", Blank},
		{"\xef\xbb\xbf{}", true, "{}", Framed},
		{"\xef\xbb\xbf{}", false, "\xef\xbb\xbf{}", Damaged},
		{"{}\r\n", false, "{}", Framed},
		{"{}\x00\x00\r\n", false, "{}", Framed},
		{"{}\r\x00 \x00", false, "{}", Framed},
		{"\x00\x00{\"a\":1}", false, "{\"a\":1}", Framed},
		{"  {\"a\":1}\t", false, "{\"a\":1}", Framed},
		{"{", false, "{", Damaged},
		{"}", false, "}", Damaged},
		{"{\"a\":", false, "{\"a\":", Damaged},
		{"\"a\"}", false, "\"a\"}", Damaged},
		{"[{}]", false, "[{}]", Damaged},
		{"x", false, "x", Damaged},
		{"\x01{}", false, "\x01{}", Damaged},
	}
	for _, c := range tests {
		got := Trim([]byte(c.line), c.first)
		if string(got) != c.want || ShapeOf(got) != c.shape {
			t.Errorf("%q: %q shape %d, want %q shape %d", c.line, got, ShapeOf(got), c.want, c.shape)
		}
	}
}

func TestCensus(t *testing.T) {
	tests := []struct {
		text                  string
		lines, blank, damaged int
	}{
		{"", 0, 0, 0},
		{"\n", 1, 1, 0},
		{"\n\n", 2, 2, 0},
		{"{}", 1, 0, 0},
		{"{}\n", 1, 0, 0},
		{"\xef\xbb\xbf{}\r\n{}\r\n\r\n", 3, 1, 0},
		{"{}\n\xef\xbb\xbf{}\n", 2, 0, 1},
		{"{}\nx\n \n{\"a\":", 4, 1, 2},
		{"{}{}\n{} {\n", 2, 0, 1},
		{"\x00\x00\n{}\x00\n", 2, 1, 0},
		{strings.Repeat("{"+strings.Repeat("x", 3000)+"}\n", 5) + "torn", 6, 0, 1},
	}
	for _, c := range tests {
		l, b, d := Census([]byte(c.text), true)
		if l != c.lines || b != c.blank || d != c.damaged {
			t.Errorf("%.40q: %d lines %d blank %d damaged, want %d %d %d", c.text, l, b, d, c.lines, c.blank, c.damaged)
		}
		if n := CountLines([]byte(c.text)); n != c.lines {
			t.Errorf("%.40q: %d lines", c.text, n)
		}
	}
}

func FuzzCensus(f *testing.F) {
	f.Add([]byte("\xef\xbb\xbf{}\r\nx\n\n{}"), true)
	f.Fuzz(func(t *testing.T, b []byte, first bool) {
		lines, blank, damaged := Census(b, first)
		var l, bl, da int
		for line := range bytes.Lines(b) {
			switch ShapeOf(Trim(line, first && l == 0)) {
			case Blank:
				bl++
			case Damaged:
				da++
			}
			l++
		}
		if l != lines || bl != blank || da != damaged || CountLines(b) != l {
			t.Fatalf("%d %d %d, want %d %d %d", lines, blank, damaged, l, bl, da)
		}
	})
}

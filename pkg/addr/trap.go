package addr

import "fmt"

// reservedMarker is the example that every manual prints; a copy of it would find
// the transcript of whoever printed the manual.
const reservedMarker = "JollyShinyBrook4283"

// CheckMarker reports why s cannot be a @trap marker: it must be exactly three
// words of one capital and two or more small letters, then exactly four digits
// that are no simple run, and not the example of the manual.
func CheckMarker(s string) error {
	if s == reservedMarker {
		return fmt.Errorf("@trap:%s is the example of the manual and finds whoever quoted it; invent another marker", s)
	}
	rest, words := s, 0
	for len(rest) > 0 && rest[0] >= 'A' && rest[0] <= 'Z' {
		n := 1
		for n < len(rest) && rest[n] >= 'a' && rest[n] <= 'z' {
			n++
		}
		if n < 3 {
			return markerError(s, "a word needs one capital and at least two small letters")
		}
		rest = rest[n:]
		words++
	}
	switch {
	case words != 3:
		return markerError(s, fmt.Sprintf("it has %d words, not 3", words))
	case len(rest) != 4 || !allDigits(rest):
		return markerError(s, "the words are followed by exactly 4 digits")
	case isRun(rest):
		return markerError(s, rest+" is too simple a number")
	}
	return nil
}

func markerError(s, why string) error {
	return fmt.Errorf("@trap:%s is no marker: %s; invent one shaped like %s (3 capitalised words, 4 digits), fresh for this command", s, why, reservedMarker)
}

// isRun reports whether the digits climb or fall by one constant step of at most
// two: 0000, 1234, 9876, 1357, 8642.
func isRun(d string) bool {
	step := int(d[1]) - int(d[0])
	if step < -2 || step > 2 {
		return false
	}
	for i := 2; i < len(d); i++ {
		if int(d[i])-int(d[i-1]) != step {
			return false
		}
	}
	return true
}

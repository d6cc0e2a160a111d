package when

import (
	"strconv"
	"strings"
	"time"
)

// Absent is what stands in text where there is no instant.
const Absent = "—"

// Text returns t as people read it, in the system's zone at that instant:
// "2026-03-02 09:12:05.478 AEST(UTC+10)", without the fraction unless millis is
// set. An offset that is no whole hour is spelled out (UTC+05:30); a zone without an
// abbreviation of letters shows its offset alone. A zero t gives Absent.
func Text(t time.Time, millis bool) string { return string(AppendText(nil, t, millis)) }

// AppendText appends Text(t, millis) to dst.
func AppendText(dst []byte, t time.Time, millis bool) []byte {
	if t.IsZero() {
		return append(dst, Absent...)
	}
	t = t.In(time.Local)
	dst = appendDate(dst, t)
	dst = append(dst, ' ')
	dst = appendClock(dst, t)
	if millis {
		dst = append(dst, '.')
		dst = appendDigits(dst, t.Nanosecond()/1e6, 3)
	}
	dst = append(dst, ' ')
	name, offset := t.Zone()
	// Zones without a customary abbreviation are named by their offset ("+0530").
	if isLetters(name) {
		dst = append(dst, name...)
	}
	dst = append(dst, "(UTC"...)
	if offset%3600 == 0 {
		if offset >= 0 {
			dst = append(dst, '+')
		}
		dst = strconv.AppendInt(dst, int64(offset/3600), 10)
	} else {
		dst = appendOffset(dst, offset)
	}
	return append(dst, ')')
}

// Local returns t in the system's zone as ISO with a numeric offset and at least
// milliseconds, "2026-03-02T09:12:05.478+10:00": the ts_local of a row. A zero t
// gives "".
func Local(t time.Time) string {
	var b [len("2026-03-02T09:12:05.478123456+10:00:00")]byte
	return string(AppendLocal(b[:0], t))
}

// Pair returns a timestamp as a row has it: as it was written and in the system's zone; both are nil when raw is no
// timestamp.
func Pair(raw string) (utc, local *string) {
	t, ok := Stamp(raw)
	if !ok {
		return nil, nil
	}
	l := Local(t)
	return &raw, &l
}

// AppendLocal appends Local(t) to dst.
func AppendLocal(dst []byte, t time.Time) []byte {
	if t.IsZero() {
		return dst
	}
	t = t.In(time.Local)
	dst = appendDate(dst, t)
	dst = append(dst, 'T')
	dst = appendClock(dst, t)
	dst = append(dst, '.')
	if nanos := t.Nanosecond(); nanos%1e6 == 0 {
		dst = appendDigits(dst, nanos/1e6, 3)
	} else {
		dst = appendDigits(dst, nanos, 9)
		for dst[len(dst)-1] == '0' {
			dst = dst[:len(dst)-1]
		}
	}
	_, offset := t.Zone()
	return appendOffset(dst, offset)
}

// Length returns how long d is in whole seconds, every unit that is not zero:
// "1d 2h 3m 5s", "44m 3s", "0s". Below a second it is in milliseconds.
func Length(d time.Duration) string {
	if d < 0 {
		return "-" + Length(-d)
	}
	if d > 0 && d < time.Second {
		return strconv.FormatInt(d.Milliseconds(), 10) + "ms"
	}
	var parts []string
	rest := int64(d / time.Second)
	for _, u := range []struct {
		seconds int64
		name    string
	}{{86400, "d"}, {3600, "h"}, {60, "m"}, {1, "s"}} {
		if n := rest / u.seconds; n > 0 {
			parts = append(parts, strconv.FormatInt(n, 10)+u.name)
		}
		rest %= u.seconds
	}
	if parts == nil {
		return "0s"
	}
	return strings.Join(parts, " ")
}

func appendDate(dst []byte, t time.Time) []byte {
	year, month, day := t.Date()
	if year < 0 {
		dst = append(dst, '-')
		year = -year
	}
	dst = appendDigits(dst, year, 4)
	dst = append(dst, '-')
	dst = appendDigits(dst, int(month), 2)
	dst = append(dst, '-')
	return appendDigits(dst, day, 2)
}

func appendClock(dst []byte, t time.Time) []byte {
	hour, minute, second := t.Clock()
	dst = appendDigits(dst, hour, 2)
	dst = append(dst, ':')
	dst = appendDigits(dst, minute, 2)
	dst = append(dst, ':')
	return appendDigits(dst, second, 2)
}

// appendOffset appends +HH:MM, and the seconds of the local mean times of old.
func appendOffset(dst []byte, seconds int) []byte {
	sign := byte('+')
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	dst = append(dst, sign)
	dst = appendDigits(dst, seconds/3600, 2)
	dst = append(dst, ':')
	dst = appendDigits(dst, seconds/60%60, 2)
	if seconds%60 != 0 {
		dst = append(dst, ':')
		dst = appendDigits(dst, seconds%60, 2)
	}
	return dst
}

// appendDigits appends n with at least width digits.
func appendDigits(dst []byte, n, width int) []byte {
	floor := 10
	for i := 1; i < width; i++ {
		if n < floor {
			dst = append(dst, '0')
		}
		floor *= 10
	}
	return strconv.AppendInt(dst, int64(n), 10)
}

func isLetters(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return s != ""
}

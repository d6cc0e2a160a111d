// Package when reads and prints instants: the grammar of --since and --until, the
// timestamps of records, and the local form that people read. It keeps no clock and
// reads no file; the caller says what now is.
//
// The one invariant: a time.Time that is zero means "absent", and is printed as
// such.
package when

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Forms names what Parse accepts, for messages.
const Forms = "45s, 90m, 2h, 3d, 1w, 2mo or 1y (that long before now), now, 2026-06-01 (local midnight), " +
	"2026-06-01T05:00:00 (local), 2026-06-01T05:00:00Z or 2026-06-01T05:00:00+10:00"

// units are the lengths of the relative forms in seconds: a month is 30 days, a
// year 365.
var units = map[string]int64{
	"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400, "mo": 30 * 86400, "y": 365 * 86400,
}

// Parse reads one bound of a time window. Forms without a zone are wall-clock times
// in now's location; relative ones count back from now. A form that Text printed is
// read too. The error names the accepted forms.
func Parse(s string, now time.Time) (time.Time, error) {
	t := strings.TrimSpace(s)
	if t == "now" {
		return now, nil
	}
	if at, ok := ago(t, now); ok {
		return at, nil
	}
	if at, err := time.ParseInLocation("2006-01-02", t, now.Location()); err == nil {
		return at, nil
	}
	if len(t) > 10 && t[10] == ' ' {
		t = t[:10] + "T" + printedZone(t[11:])
	}
	// Both layouts take a fraction of a second after the seconds.
	if at, err := time.Parse("2006-01-02T15:04:05Z07:00", t); err == nil {
		return at, nil
	}
	if at, err := time.ParseInLocation("2006-01-02T15:04:05", t, now.Location()); err == nil {
		return at, nil
	}
	return time.Time{}, fmt.Errorf("time %q is none of %s", s, Forms)
}

// ago reads a relative form: digits and a unit, perhaps after a minus.
func ago(s string, now time.Time) (time.Time, bool) {
	s = strings.TrimPrefix(s, "-")
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	unit, ok := units[s[digits:]]
	// Nine digits of years still fit an int64 of seconds.
	if !ok || digits == 0 || digits > 9 {
		return time.Time{}, false
	}
	n, err := strconv.ParseInt(s[:digits], 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	return time.Unix(now.Unix()-n*unit, int64(now.Nanosecond())).In(now.Location()), true
}

// printedZone turns the zone that Text prints, "09:12:05 AEST(UTC+10)", into an
// offset: "09:12:05+10:00". Anything else comes back as it was.
func printedZone(s string) string {
	clock, zone, ok := strings.Cut(s, " ")
	_, off, named := strings.Cut(zone, "(UTC")
	off, closed := strings.CutSuffix(off, ")")
	if !ok || !named || !closed || off == "" {
		return s
	}
	hours, minutes, hasMinutes := strings.Cut(off[1:], ":")
	if !hasMinutes {
		minutes = "00"
	}
	if len(hours) == 1 {
		hours = "0" + hours
	}
	return clock + off[:1] + hours + ":" + minutes
}

// The instants whose nanoseconds since 1970 an int64 holds: 1677-09-21 to 2262-04-11.
var earliest, latest = time.Unix(0, math.MinInt64+1), time.Unix(0, math.MaxInt64)

// Nanos gives t in nanoseconds since 1970. An instant beyond what an int64 holds counts as the nearest one that it does,
// so that the order stays; math.MinInt64 is never given.
func Nanos(t time.Time) int64 {
	if t.Before(earliest) {
		t = earliest
	} else if t.After(latest) {
		t = latest
	}
	return t.UnixNano()
}

// Stamp reads the timestamp of a record, an ISO instant with a zone. The result is
// in UTC; ok is false when raw is not one, which is treated as no timestamp at all.
// So is the first instant of the year 1, which programs write that had none.
func Stamp(raw string) (t time.Time, ok bool) {
	if t, ok := stamp(raw); ok {
		return t, !t.IsZero()
	}
	t, err := time.Parse(time.RFC3339Nano, raw)
	if err != nil || t.IsZero() {
		return time.Time{}, false
	}
	return t.UTC(), true
}

// StampBytes is Stamp on bytes. It does not allocate for the form Claude Code
// writes.
func StampBytes(raw []byte) (time.Time, bool) {
	if t, ok := stamp(raw); ok {
		return t, !t.IsZero()
	}
	if len(raw) > 64 {
		return time.Time{}, false
	}
	return Stamp(string(raw))
}

// stamp reads exactly 2006-01-02T15:04:05.000Z, what Claude Code writes.
func stamp[T string | []byte](s T) (time.Time, bool) {
	if len(s) != 24 || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s[19] != '.' || s[23] != 'Z' {
		return time.Time{}, false
	}
	year, month, day := digits(s, 0, 4), digits(s, 5, 2), digits(s, 8, 2)
	hour, minute, second, milli := digits(s, 11, 2), digits(s, 14, 2), digits(s, 17, 2), digits(s, 20, 3)
	// Short months are left to time.Parse, which knows leap years.
	if year < 0 || month < 1 || month > 12 || day < 1 || day > 31 || day > 28 && (month == 2 || day == 31) ||
		hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || milli < 0 {
		return time.Time{}, false
	}
	return time.Date(year, time.Month(month), day, hour, minute, second, milli*1e6, time.UTC), true
}

// digits reads n digits from at; a negative number when one of them is no digit.
func digits[T string | []byte](s T, at, n int) int {
	v := 0
	for i := at; i < at+n; i++ {
		d := int(s[i]) - '0'
		if d < 0 || d > 9 {
			return -1
		}
		v = v*10 + d
	}
	return v
}

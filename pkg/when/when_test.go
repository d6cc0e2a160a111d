package when

import (
	"math"
	"strings"
	"testing"
	"time"
)

var brisbane = time.FixedZone("AEST", 10*3600)

// inZone makes zone the system's for one test.
func inZone(t *testing.T, zone *time.Location) {
	t.Helper()
	old := time.Local
	time.Local = zone
	t.Cleanup(func() { time.Local = old })
}

func TestParse(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 12, 5, 478e6, brisbane)
	for _, c := range []struct{ in, want string }{
		{"now", "2026-03-02T09:12:05.478+10:00"},
		{"45s", "2026-03-02T09:11:20.478+10:00"},
		{"90m", "2026-03-02T07:42:05.478+10:00"},
		{"2h", "2026-03-02T07:12:05.478+10:00"},
		{"3d", "2026-02-27T09:12:05.478+10:00"},
		{"1w", "2026-02-23T09:12:05.478+10:00"},
		{"2mo", "2026-01-01T09:12:05.478+10:00"},
		{"1y", "2025-03-02T09:12:05.478+10:00"},
		{"-2h", "2026-03-02T07:12:05.478+10:00"},
		{"0s", "2026-03-02T09:12:05.478+10:00"},
		{" 2h ", "2026-03-02T07:12:05.478+10:00"},
		{"2026-06-01", "2026-06-01T00:00:00+10:00"},
		{"2026-06-01T05:00:00", "2026-06-01T05:00:00+10:00"},
		{"2026-06-01T05:00:00.25", "2026-06-01T05:00:00.25+10:00"},
		{"2026-06-01T05:00:00Z", "2026-06-01T05:00:00Z"},
		{"2026-06-01T05:00:00.123Z", "2026-06-01T05:00:00.123Z"},
		{"2026-06-01T05:00:00+05:30", "2026-06-01T05:00:00+05:30"},
		{"2026-06-01 05:00:00", "2026-06-01T05:00:00+10:00"},
		{"2026-06-01 05:00:00Z", "2026-06-01T05:00:00Z"},
		{"2026-06-01 05:00:00.5 UTC(UTC+0)", "2026-06-01T05:00:00.5Z"},
		{"2026-06-01 05:00:00 EST(UTC-5)", "2026-06-01T05:00:00-05:00"},
		{"2026-06-01 05:00:00 (UTC+05:30)", "2026-06-01T05:00:00+05:30"},
	} {
		want, err := time.Parse(time.RFC3339Nano, c.want)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Parse(c.in, now); err != nil || !got.Equal(want) {
			t.Errorf("Parse(%q) = %v, %v; want %v", c.in, got, err, want)
		}
	}
	// Far beyond what a Duration holds, and still an instant.
	if got, err := Parse("999999999y", now); err != nil || got.Year() > -900_000_000 {
		t.Errorf("Parse(999999999y) = %v, %v", got, err)
	}
	for _, bad := range []string{"", "-", "h", "2", "2 h", "2h30m", "1.5h", "+2h", "--2h", "2H", "2M", "9999999999s", "yesterday",
		"2026", "2026-06", "2026-6-1", "2026-13-01", "2026-02-30", "20260601", "05:00:00", "2026-06-01T", "2026-06-01T05:00",
		"2026-06-01T25:00:00", "2026-06-01t05:00:00z", "2026-06-01T05:00:00 AEST", "2026-06-01 05:00:00 (UTC)", "2026-06-01 05:00:00 (UTC+)", "Now"} {
		got, err := Parse(bad, now)
		if err == nil {
			t.Errorf("Parse(%q) = %v, want an error", bad, got)
			continue
		}
		for _, form := range []string{"2mo", "now", "2026-06-01T05:00:00Z"} {
			if !strings.Contains(err.Error(), form) {
				t.Errorf("Parse(%q): the error does not name %s: %v", bad, form, err)
			}
		}
	}
}

func TestStamp(t *testing.T) {
	for _, raw := range []string{
		"2026-03-02T09:12:05.478Z", "2024-02-29T00:00:00.000Z", "2025-12-31T23:59:59.999Z", "2025-06-30T12:00:00.000Z",
		"0001-01-01T00:00:00.001Z", "0000-12-31T23:59:59.999Z", "2026-03-02T09:12:05Z", "2026-03-02T09:12:05.123456789Z", "2026-03-02T09:12:05.478+10:00",
	} {
		want, err := time.Parse(time.RFC3339Nano, raw)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := Stamp(raw)
		if !ok || !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("Stamp(%q) = %v, %v; want %v", raw, got, ok, want)
		}
		if b, ok := StampBytes([]byte(raw)); !ok || b != got {
			t.Errorf("StampBytes(%q) = %v, %v", raw, b, ok)
		}
	}
	for _, raw := range []string{"", "now", "2026-03-02", "2026-03-02T09:12:05.478", "2026-02-29T00:00:00.000Z", "2026-06-31T00:00:00.000Z",
		"2026-00-02T09:12:05.478Z", "2026-13-02T09:12:05.478Z", "2026-03-00T09:12:05.478Z", "2026-03-32T09:12:05.478Z",
		"2026-03-02T24:12:05.478Z", "2026-03-02T09:60:05.478Z", "2026-03-02T09:12:60.478Z", "2026-03-02T09:12:05.4x8Z",
		"x026-03-02T09:12:05.478Z", "2026-03-02 09:12:05.478Z",
		"0001-01-01T00:00:00.000Z", "0001-01-01T00:00:00Z", "0001-01-01T10:00:00+10:00", strings.Repeat("2", 1<<20)} {
		if got, ok := Stamp(raw); ok {
			t.Errorf("Stamp(%.40q) = %v", raw, got)
		}
		if got, ok := StampBytes([]byte(raw)); ok {
			t.Errorf("StampBytes(%.40q) = %v", raw, got)
		}
	}
}

func TestText(t *testing.T) {
	at := time.Date(2026, 3, 1, 23, 12, 5, 478999999, time.UTC)
	for _, c := range []struct {
		zone                  *time.Location
		millis, secs, tsLocal string
	}{
		{brisbane, "2026-03-02 09:12:05.478 AEST(UTC+10)", "2026-03-02 09:12:05 AEST(UTC+10)", "2026-03-02T09:12:05.478999999+10:00"},
		{time.UTC, "2026-03-01 23:12:05.478 UTC(UTC+0)", "2026-03-01 23:12:05 UTC(UTC+0)", "2026-03-01T23:12:05.478999999+00:00"},
		{time.FixedZone("EST", -5*3600), "2026-03-01 18:12:05.478 EST(UTC-5)", "2026-03-01 18:12:05 EST(UTC-5)", "2026-03-01T18:12:05.478999999-05:00"},
		{time.FixedZone("IST", 19800), "2026-03-02 04:42:05.478 IST(UTC+05:30)", "2026-03-02 04:42:05 IST(UTC+05:30)", "2026-03-02T04:42:05.478999999+05:30"},
		{time.FixedZone("NST", -12600), "2026-03-01 19:42:05.478 NST(UTC-03:30)", "2026-03-01 19:42:05 NST(UTC-03:30)", "2026-03-01T19:42:05.478999999-03:30"},
		{time.FixedZone("+0530", 19800), "2026-03-02 04:42:05.478 (UTC+05:30)", "2026-03-02 04:42:05 (UTC+05:30)", "2026-03-02T04:42:05.478999999+05:30"},
		{time.FixedZone("-03", -3*3600), "2026-03-01 20:12:05.478 (UTC-3)", "2026-03-01 20:12:05 (UTC-3)", "2026-03-01T20:12:05.478999999-03:00"},
		{time.FixedZone("", 0), "2026-03-01 23:12:05.478 (UTC+0)", "2026-03-01 23:12:05 (UTC+0)", "2026-03-01T23:12:05.478999999+00:00"},
		{time.FixedZone("LMT", 1172), "2026-03-01 23:31:37.478 LMT(UTC+00:19:32)", "2026-03-01 23:31:37 LMT(UTC+00:19:32)", "2026-03-01T23:31:37.478999999+00:19:32"},
	} {
		inZone(t, c.zone)
		if got := Text(at, true); got != c.millis {
			t.Errorf("%v: Text = %q, want %q", c.zone, got, c.millis)
		}
		if got := Text(at, false); got != c.secs {
			t.Errorf("%v: Text = %q, want %q", c.zone, got, c.secs)
		}
		if got := Local(at); got != c.tsLocal {
			t.Errorf("%v: Local = %q, want %q", c.zone, got, c.tsLocal)
		}
	}
	inZone(t, brisbane)
	if got := Local(time.Date(2026, 3, 1, 23, 12, 5, 0, time.UTC)); got != "2026-03-02T09:12:05.000+10:00" {
		t.Errorf("Local of a whole second = %q", got)
	}
	if got := Local(time.Date(2026, 3, 1, 23, 12, 5, 5e6, time.UTC)); got != "2026-03-02T09:12:05.005+10:00" {
		t.Errorf("Local of 5 ms = %q", got)
	}
	if Text(time.Time{}, true) != "—" || Local(time.Time{}) != "" {
		t.Error("a zero time is not printed as absent")
	}
	if got := Text(time.Date(33, 3, 1, 0, 0, 0, 0, brisbane), false); got != "0033-03-01 00:00:00 AEST(UTC+10)" {
		t.Errorf("Text of the year 33 = %q", got)
	}
}

// The zone is the one at that instant, not the one of today.
func TestTextFollowsSummerTime(t *testing.T) {
	zone, err := time.LoadLocation("Australia/Sydney")
	if err != nil {
		t.Skip(err)
	}
	inZone(t, zone)
	for at, want := range map[time.Time]string{
		time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC): "2026-01-01 11:00:00 AEDT(UTC+11)",
		time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC): "2026-07-01 10:00:00 AEST(UTC+10)",
	} {
		if got := Text(at, false); got != want {
			t.Errorf("Text(%v) = %q, want %q", at, got, want)
		}
	}
}

func TestLength(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 850 * time.Millisecond: "850ms", time.Second: "1s", 65 * time.Second: "1m 5s", 2643 * time.Second: "44m 3s",
		time.Hour: "1h", 26*time.Hour + 3*time.Minute + 5*time.Second: "1d 2h 3m 5s", -65 * time.Second: "-1m 5s",
		1999 * time.Millisecond: "1s",
	} {
		if got := Length(d); got != want {
			t.Errorf("Length(%v) = %q, want %q", d, got, want)
		}
	}
}

// Whatever Text prints, Parse reads.
func FuzzTextReadsBack(f *testing.F) {
	f.Add(int64(1772406725478), 36000, "AEST")
	f.Add(int64(0), -12600, "-0330")
	f.Fuzz(func(t *testing.T, milli int64, offset int, name string) {
		milli %= 250_000_000_000_000
		offset = offset % 50400 / 60 * 60
		at := time.UnixMilli(milli).UTC()
		if at.Year() < 1 || at.Year() > 9990 || at.IsZero() {
			return
		}
		if strings.ContainsAny(name, " (") {
			name = ""
		}
		inZone(t, time.FixedZone(name, offset))
		got, err := Parse(Text(at, true), time.Now().UTC())
		if err != nil || !got.Equal(at) {
			t.Fatalf("Parse(%q) = %v, %v; want %v", Text(at, true), got, err, at)
		}
		if back, ok := Stamp(Local(at)); !ok || !back.Equal(at) {
			t.Fatalf("Stamp(%q) = %v, %v; want %v", Local(at), back, ok, at)
		}
	})
}

func FuzzStamp(f *testing.F) {
	f.Add("2026-03-02T09:12:05.478Z")
	f.Add("2024-02-29T23:59:59.999Z")
	f.Fuzz(func(t *testing.T, raw string) {
		want, err := time.Parse(time.RFC3339Nano, raw)
		got, ok := Stamp(raw)
		if ok != (err == nil && !want.IsZero()) || ok && !got.Equal(want) {
			t.Fatalf("Stamp(%q) = %v, %v; time.Parse says %v, %v", raw, got, ok, want, err)
		}
	})
}

func BenchmarkStampBytes(b *testing.B) {
	raw := []byte("2026-03-02T09:12:05.478Z")
	b.ReportAllocs()
	for b.Loop() {
		StampBytes(raw)
	}
}

func BenchmarkAppendText(b *testing.B) {
	at := time.Date(2026, 3, 2, 9, 12, 5, 0, time.UTC)
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = AppendText(dst[:0], at, true)
	}
}

func TestNanos(t *testing.T) {
	at := func(year int) int64 { return Nanos(time.Date(year, 3, 5, 9, 0, 0, 1, time.UTC)) }
	if got, want := at(2026), time.Date(2026, 3, 5, 9, 0, 0, 1, time.UTC).UnixNano(); got != want {
		t.Errorf("got %d, want %d", got, want)
	}
	for _, years := range [][2]int{{1, 1700}, {1700, 2026}, {2026, 2250}, {2250, 9999}} {
		if a, b := at(years[0]), at(years[1]); a >= b {
			t.Errorf("%d is not before %d: %d, %d", years[0], years[1], a, b)
		}
	}
	if at(1) == math.MinInt64 {
		t.Error("an early instant is no instant")
	}
}

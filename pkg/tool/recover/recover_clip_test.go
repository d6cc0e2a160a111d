package recover

import "testing"

func TestClipDiff(t *testing.T) {
	const head = "--- a/f\n+++ b/f\n"
	const diff = head + "@@ -1,5 +1,5 @@\n one\n-two\n+TWO\n three\n four\n five\n@@ -20,2 +20,1 @@\n x\n-y\n\\ No newline at end of file\n"
	for _, tc := range []struct {
		lo, hi int
		want   string
	}{
		{1, 100, diff},
		{2, 2, head + "@@ -2,1 +2,1 @@\n-two\n+TWO\n"},
		{1, 2, head + "@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n"},
		{3, 19, ""},
		{20, 20, head + "@@ -20,2 +20,1 @@\n x\n-y\n\\ No newline at end of file\n"},
		{4, 20, head + "@@ -20,2 +20,1 @@\n x\n-y\n\\ No newline at end of file\n"},
		{1, 0, ""},
	} {
		if got := clipDiff(diff, tc.lo, tc.hi); got != tc.want {
			t.Errorf("%d..%d:\n%s\nwant\n%s", tc.lo, tc.hi, got, tc.want)
		}
	}
	const created = head + "@@ -0,0 +1,3 @@\n+a\n+b\n+c\n"
	if got, want := clipDiff(created, 2, 2), head+"@@ -0,0 +2,1 @@\n+b\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

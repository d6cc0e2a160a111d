package recover

import (
	"testing"

	"csift/pkg/fileops"
)

func TestRolledUpBy(t *testing.T) {
	for _, tc := range []struct {
		path, resolution string
		marker           bool
		bucket, dir      string
	}{
		{"/home/u/app/src/deep/a.go", "", false, "/home/u/app/src", "/home/u/app/src/deep"},
		{"/home/u/app/a.go", "", false, "/home/u/app", "/home/u/app"},
		{"/a.go", "", false, "/", "/"},
		{"/tmp/x", "absolute", false, "/tmp", "/tmp"},
		{"a.go", "", false, "./", "./"},
		{"src/a.go", "", false, "./", "src"},
		{"$D/x", "unresolved", false, "./", "$D"},
		{"/x/$D/y", "unresolved", false, "./", "/x/$D"},
		{"~/y", "unresolved", false, "./", "~"},
		{`C:\Users\u\app\src\deep\a.go`, "", false, `C:\Users\u\app`, `C:\Users\u\app\src\deep`},
		{`\\host\share\a\b\c\d.txt`, "", false, `\\host\share\a`, `\\host\share\a\b\c`},
		{"git:commit", "", true, "git:commit", "git:commit"},
	} {
		m := &fileops.Mutation{Path: tc.path, Resolution: tc.resolution, Marker: tc.marker}
		if bucket, dir := bucketOf(m), dirOf(m); bucket != tc.bucket || dir != tc.dir {
			t.Errorf("%s: bucket %s, want %s; directory %s, want %s", tc.path, bucket, tc.bucket, dir, tc.dir)
		}
	}
}

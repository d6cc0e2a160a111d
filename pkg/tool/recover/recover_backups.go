package recover

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"csift/pkg/addr"
	"csift/pkg/cli"
	"csift/pkg/excerpt"
	"csift/pkg/fileops"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/stdio"
	"csift/pkg/target"
	"csift/pkg/when"
)

// backupsHeader is the header of --list-backups.
type backupsHeader struct {
	scope.Header
	Mode         string `json:"mode"`
	File         string `json:"file"`
	Hash         string `json:"hash"`
	Store        string `json:"store"`
	StorePresent bool   `json:"store_present"`
}

// backupRow is one copy of the file that Claude Code keeps.
type backupRow struct {
	Kind       string  `json:"kind"`
	SessionID  string  `json:"session_id"`
	IsSubagent bool    `json:"is_subagent"`
	Parent     string  `json:"parent_session_id"`
	Transcript *string `json:"transcript"` // null when it is gone
	Path       string  `json:"path"`       // of the copy
	Version    string  `json:"version"`
	Bytes      int64   `json:"bytes"`
	UTC        string  `json:"backup_utc"`
	Local      string  `json:"backup_local"`

	at      time.Time
	version int
}

type backupsSummary struct {
	Kind     string `json:"kind"`
	Backups  int    `json:"backups"`
	Sessions int    `json:"sessions"`
	Unread   int    `json:"unreadable_files"`
}

// backups lists what the store of file-history holds of one file.
func (j *recoverJob) backups(ctx context.Context) error {
	set, src, err := scope.Resolve(ctx, j.env, j.env.Args, j.ask.Flags)
	if err != nil {
		return err
	}
	if j.ask.File == "" && src != nil {
		if j.ask.File, err = onePath(src); err != nil {
			return err
		}
	}
	switch {
	case j.ask.File == "":
		return needsFile()
	case !fileops.NewTarget(j.ask.File).Absolute():
		return cli.WithHint(cli.Usagef("--list-backups finds copies by the absolute path of the file, and %q is none", j.ask.File),
			j.env.Command("files", "--by", "file")+" names the files with their paths")
	}
	h := backupsHeader{Header: scope.HeaderOf(recoverVerb, set), Mode: modeBackups, File: j.ask.File,
		Hash: backupHash(j.ask.File), Store: filepath.Join(scope.Root(j.env), "file-history")}
	named := src != nil || j.ask.SessionsFrom != "" || slices.ContainsFunc(j.env.Args, func(w string) bool { return w != "@all" })
	rows, err := j.readStore(&h, ownersOf(set), named)
	if err != nil {
		return err
	}
	if j.env.Format == stdio.JSON {
		return j.backupRows(&h, rows)
	}
	return j.backupText(&h, rows, set)
}

// backupHash is how Claude Code spells a path in the names of its copies: the first 16 digits of its SHA-256 (2.1.332).
func backupHash(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:])[:16]
}

// ownersOf gives the sessions of a set, those of its subagents included, with their transcripts, "" where it is not there.
func ownersOf(set *target.Set) map[string]string {
	ids := map[string]string{}
	for i := range set.Transcripts {
		t := &set.Transcripts[i]
		if t.IsSubagent {
			ids[ownerOf(t)] += ""
		} else {
			ids[t.ID] = t.Path
		}
	}
	return ids
}

// readStore finds the copies, oldest first. The store is kept by session; without named sessions every one of them counts,
// also where its transcript is gone.
func (j *recoverJob) readStore(h *backupsHeader, owners map[string]string, named bool) ([]backupRow, error) {
	sessions, err := os.ReadDir(h.Store)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, cli.CannotRead(h.Store, err)
	}
	h.StorePresent = true
	var rows []backupRow
	for _, s := range sessions {
		transcript, ours := owners[s.Name()]
		if named && !ours {
			continue
		}
		dir := filepath.Join(h.Store, s.Name())
		copies, err := os.ReadDir(dir)
		if err != nil {
			if s.IsDir() {
				j.env.Unread(dir, err)
			}
			continue
		}
		for _, c := range copies {
			if b, ok := backupOf(h.Hash, c); ok && j.ask.Holds(b.at) {
				b.SessionID, b.Parent, b.Transcript, b.Path = s.Name(), s.Name(), scope.OrNull(transcript), filepath.Join(dir, c.Name())
				rows = append(rows, b)
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b backupRow) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.SessionID, b.SessionID), cmp.Compare(a.version, b.version))
	})
	return rows, nil
}

func backupOf(hash string, e fs.DirEntry) (b backupRow, ok bool) {
	version, ok := strings.CutPrefix(e.Name(), hash+"@v")
	if !ok {
		return b, false
	}
	n, err := strconv.Atoi(version)
	if err != nil {
		return b, false
	}
	info, err := e.Info()
	if err != nil || !info.Mode().IsRegular() {
		return b, false
	}
	at := info.ModTime()
	return backupRow{Kind: "backup", Version: "v" + version, Bytes: info.Size(), at: at, version: n,
		UTC: at.UTC().Format("2006-01-02T15:04:05.000Z"), Local: when.Local(at)}, true
}

func (j *recoverJob) backupRows(h *backupsHeader, rows []backupRow) error {
	w := row.NewWriter(j.env.Out)
	if err := w.Write(h); err != nil {
		return err
	}
	for i := range rows {
		if err := w.Write(&rows[i]); err != nil {
			return err
		}
	}
	return w.Write(&backupsSummary{Kind: row.SummaryKind, Backups: len(rows), Sessions: sessionsOf(rows), Unread: j.env.UnreadFiles()})
}

func sessionsOf(rows []backupRow) int {
	ids := map[string]bool{}
	for i := range rows {
		ids[rows[i].SessionID] = true
	}
	return len(ids)
}

// absenceOfBackups says what an empty or short list is worth.
const absenceOfBackups = "that a state is not listed proves nothing: copies are made before edits by Claude Code's own tools and are deleted with time"

func (j *recoverJob) backupText(h *backupsHeader, rows []backupRow, set *target.Set) error {
	var b []byte
	for i := range rows {
		r := &rows[i]
		b = fmt.Appendf(b[:0], "@%s  %s  %s  %s  %s\n", addr.Short(excerpt.SafeLine(r.SessionID), set.PrefixLen), r.Version, when.Text(r.at, true),
			bytesOf(r.Bytes), excerpt.SafeLine(r.Path))
		if _, err := j.env.Out.Write(b); err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		if err := j.env.Nothing(row.NoBackups); err != nil {
			return err
		}
	}
	present := ""
	if !h.StorePresent {
		present = " (not there)"
	}
	if words := scope.Unread(j.env); words != "" {
		present += " · " + words
	}
	_, err := fmt.Fprintf(j.env.Banner, "  %s · %s · %s · hash %s · store %s%s\n  %s\n", scope.Count(len(rows), "backup"), scope.Count(sessionsOf(rows), "session"),
		excerpt.SafeLine(h.File), h.Hash, excerpt.SafeLine(h.Store), present, absenceOfBackups)
	return err
}

func bytesOf(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}

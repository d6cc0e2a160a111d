// Package fileops tells what a session did to each file: one reader over a transcript that serves the list of changes
// (Mutations), the events from which a file is built again (Events), and the check of plan files.
//
// It restores nothing itself (pkg/replay does), it prints nothing, and it resolves no target words.
//
// The one invariant for callers: everything of one transcript comes in file order, copies that Claude Code wrote again are
// left out, and nothing that was found is dropped because the conversation went on without it; survival is a mark on it.
package fileops

package board

import (
	"flag"
	"fmt"
	"os"
)

// Command runs a check as a program: it builds the tools (or takes those of
// -bin), runs the check over the folders named or the given ones, prints what
// it found and returns the exit code: 0 when nothing falls short, 1 when
// something does, 2 when it could not be run. notes says whether the notes are
// printed without being asked for.
func Command(check func(t Tools, dirs []string) (*Report, error), notes bool, dirs ...string) int {
	bin := flag.String("bin", "", "directory of built binaries (default: built into a temporary one)")
	verbose := flag.Bool("v", notes, "print the notes too")
	most := flag.Int("most", 20, "failures to print; 0 for all")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: %s [FLAG...] [DIR...]\n", os.Args[0])
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		dirs = flag.Args()
	}
	t := Tools{Dir: *bin}
	if *bin == "" {
		built, remove, err := Build()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		defer remove()
		t = built
	}
	r, err := check(t, dirs)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if *verbose {
		for _, n := range r.Notes {
			fmt.Println(n)
		}
	}
	for i, b := range r.Bad {
		if *most > 0 && i == *most {
			fmt.Printf("and %d more (-most 0 prints all)\n", len(r.Bad)-i)
			break
		}
		fmt.Println(b)
	}
	fmt.Println(r.Summary())
	if !r.OK() {
		return 1
	}
	return 0
}

// OnHomes makes a check over homes one over the folders that hold them.
func OnHomes(check func(t Tools, homes ...string) (*Report, error)) func(Tools, []string) (*Report, error) {
	return func(t Tools, dirs []string) (*Report, error) {
		homes, err := Homes(dirs...)
		if err != nil {
			return nil, err
		}
		return check(t, homes...)
	}
}

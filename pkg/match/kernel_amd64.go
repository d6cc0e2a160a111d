//go:build !purego

package match

import "golang.org/x/sys/cpu"

// vectors tells whether the vector kernels are there.
var vectors = cpu.X86.HasAVX2 && cpu.X86.HasBMI1

// The kernels read the n bytes at p, n a multiple of 32, plus as many after
// them as their key looks ahead. Each gives the first position that may be
// what is sought, or n.

//go:noescape
func scanPair(p *byte, n int, k *pairKey) int

//go:noescape
func scanTriple(p *byte, n int, k *tripleKey) int

//go:noescape
func scanSet(p *byte, n int, s *byteSet) int

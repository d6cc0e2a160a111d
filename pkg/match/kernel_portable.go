//go:build !amd64 || purego

package match

// vectors tells whether the vector kernels are there.
const vectors = false

func scanPair(p *byte, n int, k *pairKey) int     { panic("match: no vectors") }
func scanTriple(p *byte, n int, k *tripleKey) int { panic("match: no vectors") }
func scanSet(p *byte, n int, s *byteSet) int      { panic("match: no vectors") }

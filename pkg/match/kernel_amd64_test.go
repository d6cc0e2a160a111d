//go:build !purego

package match

func setVectors(on bool) { vectors = on }

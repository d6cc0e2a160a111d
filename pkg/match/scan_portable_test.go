//go:build !amd64 || purego

package match

func setVectors(bool) {}

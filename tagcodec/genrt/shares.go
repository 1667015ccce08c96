//go:build !purego

package genrt

import "github.com/gobitpack/bitpack/tagcodec/internal/memory"

// Shares reports whether s shares memory with the spare capacity of dst.
func Shares(dst, s []byte) bool {
	return len(s) > 0 && memory.Start(s).Overlaps(len(s), dst[len(dst):cap(dst)])
}

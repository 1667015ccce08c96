package enginetest

import (
	"encoding/binary"
	"fmt"
	"testing"
)

// randomKind is a cached random type. Making one takes longer than testing
// thousands of messages.
type randomKind struct {
	shape
	name    string
	checker *checker
}

type randomKinds map[uint64]*randomKind

// of returns the type of a 12-bit seed. The seed is short because types are
// never freed.
func (r randomKinds) of(t *testing.T, seed uint64) *randomKind {
	seed &= 0xFFF
	k := r[seed]
	if k == nil {
		_, s, _ := randomType(t, seed)
		k = &randomKind{shape: s, name: fmt.Sprintf("seed %d: %v", seed, s.typ)}
		k.checker = newChecker(t, k.name, s.typ)
		r[seed] = k
	}
	k.checker.t = t
	return k
}

// FuzzRandomType attacks the random type chosen by the first two bytes.
func FuzzRandomType(f *testing.F) {
	for seed := range uint64(20) {
		f.Add([]byte{byte(seed), byte(seed >> 8), 1, 2, 3, 4, 5, 6, 7, 8})
	}
	kinds := randomKinds{}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 {
			return
		}
		kinds.of(t, uint64(binary.LittleEndian.Uint16(data))).checker.decodeMutated(data[2:])
	})
}

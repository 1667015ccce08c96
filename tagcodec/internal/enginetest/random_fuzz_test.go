package enginetest

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
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

// choices is a source of random numbers taken from some bytes, followed by
// pseudorandom ones. A constant tail would not end loops that draw until a
// number fits.
type choices struct {
	data []byte
	rest *rand.PCG
}

func (c *choices) Uint64() uint64 {
	if len(c.data) < 2 {
		return c.rest.Uint64()
	}
	// Most callers use the high bits of a number. For a power of two they use
	// the low bits.
	x := uint64(c.data[0])<<56 | uint64(c.data[1])<<48 | uint64(c.data[0])
	c.data = c.data[2:]
	return x
}

// FuzzRandomValue encodes and decodes a value of a random type.
func FuzzRandomValue(f *testing.F) {
	for seed := range uint16(40) {
		random := rand.New(rand.NewPCG(1, uint64(seed)))
		data := make([]byte, 60)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		f.Add(seed, seed%3, data)
	}
	kinds := randomKinds{}
	f.Fuzz(func(t *testing.T, seed, stray uint16, data []byte) {
		k := kinds.of(t, uint64(seed&0x1FF)) // few types, because this target is about values
		g := &gen{Rand: rand.New(&choices{data, rand.NewPCG(uint64(seed), 0)})}
		if stray%3 == 0 {
			g.stray = 12
		}
		v := reflect.New(k.typ)
		k.fill(g, v.Elem())
		sent, ok := k.checker.encode(v)
		if !ok {
			return
		}
		dirty := reflect.New(k.typ)
		k.fill(g, dirty.Elem())
		k.checker.decode(sent, dirty)
		k.checker.decodeMutated(g.mutated(sent))
	})
}

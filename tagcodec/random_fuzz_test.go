package tagcodec

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// randomKind is a random type that is made once: that takes longer than
// thousands of messages.
type randomKind struct {
	shape
	name    string
	checker *checker
}

type randomKinds map[uint64]*randomKind

// of returns the type of a seed of 12 bits: types stay in memory for good and
// must not become too many.
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

// FuzzRandomType attacks random types, which the first two bytes choose.
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

// choices are random numbers that some bytes make, and after them others: the
// same one forever would not end what draws until it has one that suits.
type choices struct {
	data []byte
	rest *rand.PCG
}

func (c *choices) Uint64() uint64 {
	if len(c.data) < 2 {
		return c.rest.Uint64()
	}
	// Of most choices the high bits matter, and of those among a power of two
	// the low ones.
	x := uint64(c.data[0])<<56 | uint64(c.data[1])<<48 | uint64(c.data[0])
	c.data = c.data[2:]
	return x
}

// FuzzRandomValue makes a value of a random type and sends it there and back.
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
		k := kinds.of(t, uint64(seed&0x1FF)) // fewer, as values are the matter here
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

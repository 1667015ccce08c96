package tagcodec_test

import (
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/stretchr/testify/require"
)

// serialize handles both directions in one function, as is common in other
// languages' libraries for the format.
func (p *benchPacket) serialize(s *bits.Stream) {
	bits.Bits(s, &p.Sequence, 64)
	for i := range p.Position {
		positionSteps.Serialize(s, &p.Position[i])
	}
	for i := range p.Orientation {
		orientationSteps.Serialize(s, &p.Orientation[i])
	}
	bits.Int(s, &p.Health, 0, 1000)
	bits.Bits(s, &p.Weapon, 4)
	for i := range p.Ammo {
		bits.Int(s, &p.Ammo[i], 0, 200)
	}
	s.Bool(&p.Firing)
	n := len(p.Events)
	bits.Count(s, &n, 0, 16)
	p.Events = p.Events[:n]
	for i := range p.Events {
		bits.Bits(s, &p.Events[i], 32)
	}
	s.Bytes(p.Payload[:])
}

// BenchmarkUnified measures the 133-byte packet with a unified serialize
// function.
func BenchmarkUnified(b *testing.B) {
	p := newBenchPacket()
	buf := make([]byte, 144)
	w := bits.NewWriter(buf)
	out := bits.NewWriteStream(w)
	p.serialize(out)
	require.NoError(b, out.Err())
	data := append([]byte(nil), w.Bytes()...)
	require.Len(b, data, 133)
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			w.Reset(buf)
			p.serialize(out)
			if w.Bytes(); w.Err() != nil {
				b.Fatal(w.Err())
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		r := bits.NewReader(data)
		in := bits.NewReadStream(r)
		for b.Loop() {
			r.Reset(data, 0)
			p.serialize(in)
			if err := r.Finish(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

package delta

import (
	"testing"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/tagcodec"
)

func cubeFrames(t testing.TB, from, n int) []cubes {
	v := slurp(t, "cubes_main.i32.gz")
	q, _ := compress.NewQuat(9)
	frames := make([]cubes, n)
	for f := range n {
		for e := range 901 {
			o := v[((from+f)*901+e)*8:]
			x, _ := q.Decode32(uint64(o[0]) | uint64(o[1])<<2 | uint64(o[2])<<11 | uint64(o[3])<<20)
			frames[f].Cubes[e] = cube{x, xyz{int16(o[4]), int16(o[5]), int16(o[6])}, o[7] != 0}
		}
	}
	return frames
}

func BenchmarkCubes(b *testing.B) {
	frames := cubeFrames(b, 440, 13)
	c := MustFor[cubes]()
	p := tagcodec.MustFor[cubes]()
	var images []*Image
	for i := range frames {
		m, _ := c.Quantize(&frames[i], nil)
		images = append(images, m)
	}
	refs := Refs{Tick: 12, Base: Ref{6, images[6]}, Older: [2]Ref{{4, images[4]}, {0, images[0]}}}
	data, _ := c.Append(nil, images[12], refs)
	k := c.coder()
	changed := len(k.changed)
	plain, _ := p.Append(nil, &frames[12])
	b.Run("append", func(b *testing.B) {
		b.ReportAllocs()
		b.ReportMetric(float64(changed), "changed")
		b.ReportMetric(float64(len(data)), "bytes")
		for b.Loop() {
			data, _ = c.Append(data[:0], images[12], refs)
		}
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		var m *Image
		for b.Loop() {
			m, _ = c.Read(data, refs, m)
		}
	})
	b.Run("quantize", func(b *testing.B) {
		b.ReportAllocs()
		var m *Image
		for b.Loop() {
			m, _ = c.Quantize(&frames[12], m)
		}
	})
	b.Run("restore", func(b *testing.B) {
		var s cubes
		for b.Loop() {
			_ = c.Restore(images[12], &s)
		}
	})
	b.Run("marshal", func(b *testing.B) {
		for b.Loop() {
			plain, _ = p.Append(plain[:0], &frames[12])
		}
	})
	b.Run("unmarshal", func(b *testing.B) {
		var s cubes
		for b.Loop() {
			_ = p.Unmarshal(plain, &s)
		}
	})
}

package delta

import (
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
)

type benchBody struct {
	Rotation [4]float32 `bp:"quat,bits=9,pred=lin"`
	Position [3]int16   `bp:"int,min=-16384,max=16383,pred=lin"`
	Moving   bool
}

type benchState struct {
	Bodies []benchBody `bp:"maxlen=20000"`
}

// benchImages returns 13 states of n bodies, some of them moving.
func benchImages(n, moving int) (c *Codec[benchState], states []*benchState, images []*Image) {
	c = MustFor[benchState]()
	for tick := range 13 {
		state := &benchState{make([]benchBody, n)}
		for i := range state.Bodies {
			b := &state.Bodies[i]
			b.Rotation[3] = 1
			b.Position = [3]int16{int16(i % 9000), int16(i / 9000), 5}
			if step := n / moving; i%step == 0 {
				b.Position[0] += int16(tick * (i % 17))
				b.Position[2] += int16(tick * tick % 19)
				b.Rotation[i%3] = float32(tick) / 50
				b.Moving = true
			}
		}
		image, err := c.Quantize(state, nil)
		if err != nil {
			panic(err)
		}
		states, images = append(states, state), append(images, image)
	}
	return c, states, images
}

// Benchmark compares deltas of 901 bodies, 86 of them moving, with whole messages,
// and deltas of 1,000 and 10,000 bodies, 10 of them moving.
func Benchmark(b *testing.B) {
	for _, size := range []struct {
		name      string
		n, moving int
	}{{"901", 901, 86}, {"1000", 1000, 10}, {"10000", 10000, 10}} {
		c, states, images := benchImages(size.n, size.moving)
		refs := Refs{Tick: 12, Base: Ref{6, images[6]}, Older: [2]Ref{{4, images[4]}, {0, images[0]}}}
		plain := tagcodec.MustFor[benchState]()
		data, _ := c.Append(nil, images[12], refs)
		whole, _ := plain.Append(nil, states[12])
		var image *Image
		var state benchState
		run := func(name string, f func()) {
			b.Run(name+"/"+size.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
		run("Append", func() { data, _ = c.Append(data[:0], images[12], refs) })
		run("Read", func() { image, _ = c.Read(data, refs, image) })
		run("Quantize", func() { image, _ = c.Quantize(states[12], image) })
		run("Restore", func() { _ = c.Restore(images[12], &state) })
		run("Marshal", func() { whole, _ = plain.Append(whole[:0], states[12]) })
		run("Unmarshal", func() { _ = plain.Unmarshal(whole, &state) })
	}
}

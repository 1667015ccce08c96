//go:build !purego && !race

package delta_test

import (
	"testing"

	"github.com/gobitpack/bitpack/tagcodec/delta"
)

// TestNoAllocations checks that nothing allocates once images are reused.
func TestNoAllocations(t *testing.T) {
	type body struct {
		Position [3]int32   `bp:"int,min=-9000,max=9000,pred=lin"`
		Rotation [4]float32 `bp:"quat,bits=9,pred=lin"`
		Alive    bool
	}
	type state struct{ Bodies [50]body }
	c := delta.MustFor[state]()
	s, r := c.NewSender(), c.NewReceiver()
	v, got := new(state), new(state)
	for i := range v.Bodies {
		v.Bodies[i].Rotation[3] = 1
	}
	var image *delta.Image
	var data []byte
	tick := uint64(0)
	step := func() {
		for i := range v.Bodies {
			v.Bodies[i].Position[i%3] += int32(i % 5)
			v.Bodies[i].Rotation[i%3] += 0.01
			v.Bodies[i].Position[i%3] %= 9000
		}
		tick++
		var err error
		if image, err = c.Quantize(v, image); err != nil {
			t.Fatal(err)
		}
		if data, err = s.Append(data[:0], tick, image); err != nil {
			t.Fatal(err)
		}
		if _, err = r.Read(data, got); err != nil {
			t.Fatal(err)
		}
		s.Ack(tick)
	}
	for range 200 {
		step()
	}
	if allocs := testing.AllocsPerRun(100, step); allocs >= 1 { // the garbage collector may empty the pools
		t.Error(allocs, "allocations")
	}
}

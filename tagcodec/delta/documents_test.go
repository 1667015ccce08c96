package delta_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/delta"
)

type heldBody struct {
	Position [3]int16 `bp:"int,min=-16384,max=16383,pred=hold"`
	Velocity [3]int16
}

type linBody struct {
	Position [3]int16 `bp:"int,min=-16384,max=16383,pred=lin"`
	Velocity [3]int16
}

type velBody struct {
	Position [3]int16 `bp:"int,min=-16384,max=16383,pred=vel:Velocity"`
	Velocity [3]int16
}

// flight returns the mean bytes of the deltas of 100 bodies that fly along
// parabolas, sampled 60 times per second against 6 ticks before.
func flight[B any](t *testing.T, body func(position, velocity [3]int16) B) int {
	type state struct{ Bodies [100]B }
	c := delta.MustFor[state]()
	s, r := c.NewSender(), c.NewReceiver()
	total := 0
	for tick := range 60 {
		var v state
		for i := range v.Bodies {
			x, y, at := 300+7*i, 1500-11*i, float64(tick)/60
			v.Bodies[i] = body(
				[3]int16{int16(float64(x) * at), int16(float64(y) * at), int16(float64(3000*at) - float64(2000*at*at))},
				[3]int16{int16(x), int16(y), int16(3000 - float64(4000*at))})
		}
		if tick >= 6 {
			s.Ack(uint64(tick) - 6)
		}
		image, err := c.Quantize(&v, nil)
		require.NoError(t, err)
		data, err := s.Append(nil, uint64(tick), image)
		require.NoError(t, err)
		var got state
		_, err = r.Read(data, &got)
		require.NoError(t, err)
		require.Equal(t, v, got)
		if tick >= 20 {
			total += len(data)
		}
	}
	return total / 40
}

// TestDocumentedBytes checks the bytes in docs/TAGS.md.
func TestDocumentedBytes(t *testing.T) {
	page, err := os.ReadFile("../../docs/TAGS.md")
	require.NoError(t, err)
	hold := flight(t, func(p, v [3]int16) heldBody { return heldBody{p, v} })
	lin := flight(t, func(p, v [3]int16) linBody { return linBody{p, v} })
	vel := flight(t, func(p, v [3]int16) velBody { return velBody{p, v} })
	require.Contains(t, string(page), fmt.Sprintf("which is the default: %d bytes", hold))
	require.Contains(t, string(page), fmt.Sprintf("as between earlier snapshots: %d bytes", lin))
	require.Contains(t, string(page), fmt.Sprintf("per second: %d bytes", vel))

	after := newWorld(1000)
	after.Entities = after.Entities[1:]
	whole, err := tagcodec.Size(&after)
	require.NoError(t, err)
	key := deltaSize(t, delta.MustFor[world](), newWorld(1000), after)
	require.Contains(t, string(page), fmt.Sprintf("identifies the element: %d bytes instead of %d", key, whole))
}

package delta_test

import (
	"fmt"
	"math/rand/v2"
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

type bodies[B any] struct{ Bodies [100]B }

type steppedBodies[B any] struct {
	Bodies [100]B `bp:"step=auto"`
}

// flight returns the mean bytes of the deltas of 100 bodies that fly along
// parabolas, sampled 60 times per second against 6 ticks before. If late is not
// 0, each body is sampled up to so many ticks late.
func flight[S any, B any](t *testing.T, late int, body func(position, velocity [3]int16) B, all func(*S) *[100]B) int {
	jitter := rand.New(rand.NewPCG(1, 1))
	c := delta.MustFor[S]()
	s, r := c.NewSender(), c.NewReceiver()
	total := 0
	for tick := range 60 {
		var v S
		for i := range all(&v) {
			x, y, at := 300+7*i, 1500-11*i, float64(tick-jitter.IntN(late+1))/60
			all(&v)[i] = body(
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
		if len(data) == 0 { // a complete snapshot is on its way
			continue
		}
		var got S
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
	hold := flight(t, 0, func(p, v [3]int16) heldBody { return heldBody{p, v} }, func(s *bodies[heldBody]) *[100]heldBody { return &s.Bodies })
	lin := flight(t, 0, func(p, v [3]int16) linBody { return linBody{p, v} }, func(s *bodies[linBody]) *[100]linBody { return &s.Bodies })
	newVel := func(p, v [3]int16) velBody { return velBody{p, v} }
	vel := flight(t, 0, newVel, func(s *bodies[velBody]) *[100]velBody { return &s.Bodies })
	require.Contains(t, string(page), fmt.Sprintf("which is the default: %d bytes", hold))
	require.Contains(t, string(page), fmt.Sprintf("as between earlier snapshots: %d bytes", lin))
	require.Contains(t, string(page), fmt.Sprintf("per second: %d bytes", vel))

	late := flight(t, 2, newVel, func(s *bodies[velBody]) *[100]velBody { return &s.Bodies })
	stepped := flight(t, 2, newVel, func(s *steppedBodies[velBody]) *[100]velBody { return &s.Bodies })
	require.Contains(t, string(page), fmt.Sprintf("at ticks of their own: %d bytes instead of %d", stepped, late))

	after := newWorld(1000)
	after.Entities = after.Entities[1:]
	whole, err := tagcodec.Size(&after)
	require.NoError(t, err)
	key := deltaSize(t, delta.MustFor[world](), newWorld(1000), after)
	require.Contains(t, string(page), fmt.Sprintf("identifies the element: %d bytes instead of %d", key, whole))
}

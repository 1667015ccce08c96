package delta_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec/delta"
)

// After an outage that is longer than the window, a Sender sends one complete snapshot
// in a round trip, and nothing in between, until one is acknowledged.
func TestOutage(t *testing.T) {
	c := delta.MustFor[counter](delta.WithWindow(20))
	s := newSession(t, c)
	const trip = 7
	sent := func(from, to uint64, acked bool) (ticks []uint64) {
		for tick := from; tick < to; tick++ {
			if data := s.send(tick, uint32(tick)); len(data) > 0 {
				ticks = append(ticks, tick)
			}
			if acked && tick >= trip {
				s.sender.Ack(tick - trip)
			}
		}
		return ticks
	}
	require.Equal(t, []uint64{0, 4}, sent(0, 8, true), "the round trip is not known yet")
	require.Len(t, sent(8, 100, true), 92)
	require.EqualValues(t, 2, s.sender.Completes())
	require.Len(t, sent(100, 112, false), 12, "the base is in the window")
	require.Equal(t, []uint64{112, 120, 128, 136}, sent(112, 140, false))
	require.EqualValues(t, 6, s.sender.Completes())
	s.sender.Ack(136)
	require.Len(t, sent(140, 150, false), 10)

	s.sender.Reset()
	require.Equal(t, []uint64{150, 157}, sent(150, 160, false), "a receiver that asks again and again gets no more")
}

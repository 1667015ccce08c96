package packet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSendingReportsNothing sends while the program holds a lock that the function
// for reports needs. The window moves past hundreds of datagrams in each round,
// but they are reported by the tick after it, each once and in order.
func TestSendingReportsNothing(t *testing.T) {
	c := testConfig(None)
	c.Acks, c.Messages, c.MTU, c.MaxPacket = true, 4, 300, 1000
	p := MustNew(c, Of[blob]().MayExceed(), Of[input]())
	client, _ := pair(t, p)
	locked := false
	next := uint64(0)
	client.OnReport(func(r Report) {
		require.False(t, locked, "reported while the program sends")
		require.Equal(t, Report{Sequence: next, Values: r.Values}, r)
		next++
	})
	b := p.NewBatch()
	require.NoError(t, b.addAll([]any{testInput, &blob{make([]byte, 600)}}))
	seal := []func() error{
		func() error { _, err := client.Append(nil, Tracked{testInput, 1}); return err },
		func() error { return client.SealEach(b, func([]byte) error { return nil }) },
		func() error { _, err := client.AppendKeepalive(nil); return err },
		func() error { _, err := client.Flush(nil); return err },
		func() error {
			if err := client.Queue(testInput); err != ErrQueueFull {
				return err
			}
			return nil
		},
	}
	for round := range 10 {
		locked = true
		before := next
		for i := 0; client.Sent() < uint64(round+1)*WindowSize; i++ {
			require.NoError(t, seal[i%len(seal)]())
		}
		require.Equal(t, before, next)
		locked = false
		client.Tick(testNow.Add(time.Duration(round) * time.Second))
		require.Equal(t, client.Sent()-WindowSize, next, "all that have left the window")
	}
}

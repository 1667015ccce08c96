package packet

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestValuesAreReused delivers datagrams with the values of many messages, one
// after another. The session keeps slices for those that it has sent at a time,
// and not for each place in its ring.
func TestValuesAreReused(t *testing.T) {
	for _, reporting := range []bool{true, false} {
		p := messageProtocol(t, ChaCha20Poly1305)
		client, server := pair(t, p)
		m := p.NewMux()
		Handle(m, func(context.Context, *input) {})
		reported := 0
		if reporting {
			client.OnReport(func(r Report) {
				reported += len(r.Values)
				for i, v := range r.Values {
					require.Equal(t, i, v)
				}
			})
		}
		now := testNow
		const rounds, lag = 2 * ringSize, 3
		for round := range rounds {
			for i := range 4 {
				require.NoError(t, client.Queue(Tracked{testInput, i + 1}))
			}
			for i := range lag {
				now = now.Add(time.Second)
				client.Tick(now)
				d, err := client.Append(nil, Tracked{testInput, 0})
				require.NoError(t, err)
				if i == 0 || round%2 == 0 {
					require.NoError(t, m.Dispatch(context.Background(), server, d))
				}
			}
			d, err := server.AppendKeepalive(nil)
			require.NoError(t, err)
			_, err = client.Open(d)
			require.NoError(t, err)
		}
		f, held := client.out.flights, 0
		for i := range f.ring {
			if f.ring[i].values != nil {
				held++
			}
		}
		require.LessOrEqual(t, held, lag, "those that have just been sent")
		require.LessOrEqual(t, held+len(f.spare), 10)
		require.Zero(t, client.Queued())
		if reporting {
			require.Equal(t, rounds*(4+lag)-held, reported)
		}
	}
}

package packet

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a handler takes does not change with the next packets.
func TestTake(t *testing.T) {
	p := testProtocol(t, testConfig(AES256GCM))
	client, server := pair(t, p)
	m := p.NewMux()
	var taken []snapshot
	Handle(m, func(_ context.Context, v *snapshot) {
		taken = append(taken, Take(v))
		require.Zero(t, *v)
	})
	for i := range 3 {
		v := testSnapshot(3)
		for k := range v.Bodies {
			v.Bodies[k].AtRest = k == i
		}
		require.NoError(t, m.Dispatch(context.Background(), server, sealAt(t, client, uint64(i), v)))
	}
	require.Len(t, taken, 3)
	for i, v := range taken {
		require.Len(t, v.Bodies, 3)
		for k, b := range v.Bodies {
			require.Equal(t, k == i, b.AtRest, "body %d of packet %d", k, i)
		}
	}
}

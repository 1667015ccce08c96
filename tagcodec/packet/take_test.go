package packet

import (
	"context"
	"fmt"
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

// BenchmarkKeep dispatches packets to a handler that uses them at once, and to
// one that takes them, and decodes them to new values.
func BenchmarkKeep(b *testing.B) {
	p := testProtocol(b, testConfig(None))
	for _, v := range []any{&testInput, benchSnapshot()} {
		for range 3 {
			for _, how := range []string{"used at once", "taken", "new"} {
				b.Run(fmt.Sprintf("%T/%s", v, how), func(b *testing.B) {
					client, server := pair(b, p)
					m := p.NewMux()
					Handle(m, func(_ context.Context, v *snapshot) {
						if how == "taken" {
							keptSnapshot = Take(v)
						}
					})
					Handle(m, func(_ context.Context, v *input) {
						if how == "taken" {
							keptInput = Take(v)
						}
					})
					good := sealAt(b, client, 1000, v)
					b.ReportAllocs()
					if how != "new" {
						benchDispatch(b, m, server, good, true, nil)
						return
					}
					buf := make([]byte, 0, len(good))
					for b.Loop() {
						buf = append(buf[:0], good...)
						var err error
						if kept, err = server.Decode(buf); err != nil {
							b.Fatal(err)
						}
						server.in.window = window{}
					}
				})
			}
		}
	}
}

var (
	kept         any
	keptSnapshot snapshot
	keptInput    input
)

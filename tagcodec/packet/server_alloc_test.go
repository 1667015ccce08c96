//go:build !purego

package packet

import (
	"bytes"
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestServerTakesNoMemory counts the allocations of a server and a client for
// each accepted or refused datagram, once a client has joined.
func TestServerTakesNoMemory(t *testing.T) {
	eachServer(t, func(t *testing.T, p *Protocol) {
		a := newArena(t, p, ServerConfig{})
		c := a.mustJoin(1, testAddressOf(1))
		peer := a.server.ByAddress(testAddressOf(1))
		a.server.config.Joined, a.server.config.Refused = nil, nil
		var toClient, toServer []byte
		a.server.config.Send = func(_ netip.AddrPort, datagram []byte) { toClient = append(toClient[:0], datagram...) }
		c.config.Send = func(datagram []byte) { toServer = append(toServer[:0], datagram...) }
		m := p.NewMux()
		received := 0
		Handle(m, func(ctx context.Context, v *input) {
			if PeerFrom(ctx) == peer {
				received++
			}
		})
		in, now := &input{Tick: 1}, testNow
		b := p.NewBatch()
		require.NoError(t, b.Add(in))
		var err error

		requireNoAllocs(t, "packets", func() {
			c.Send(in)
			from, contents, _ := a.server.Receive(testAddressOf(1), toServer, now)
			err = m.Serve(from.Context(), contents)
		})
		require.NoError(t, err)
		require.Equal(t, 102, received)
		requireNoAllocs(t, "to the client", func() {
			peer.Send(in)
			_, err = c.Receive(toClient, now)
			a.server.Broadcast(b)
			_, err = c.Receive(toClient, now)
		})
		require.NoError(t, err)
		requireNoAllocs(t, "keepalives", func() {
			now = now.Add(3 * time.Second)
			c.Tick(now)
			_, _, err = a.server.Receive(testAddressOf(1), toServer, now)
			a.server.Tick(now)
			_, err = c.Receive(toClient, now)
		})
		require.NoError(t, err)
		require.Equal(t, 1, a.server.Len())

		request, err := testJoin(t, p).Append(nil)
		require.NoError(t, err)
		for _, row := range []struct {
			name string
			from int
			data []byte
			want error
		}{
			{"a stranger's", 9, toServer, ErrStranger},
			{"a replay", 1, toServer, ErrReplayed},
			{"garbage", 1, bytes.Repeat([]byte{0xff}, 100), ErrGarbage},
			{"a request", 9, request, nil},
			{"a request from a known address", 1, request, nil},
		} {
			buf := make([]byte, 0, len(row.data))
			requireNoAllocs(t, row.name, func() {
				buf = append(buf[:0], row.data...)
				_, _, err = a.server.Receive(testAddressOf(row.from), buf, testNow)
			})
			require.Equal(t, row.want, err, row.name)
		}
	})
}

package packet

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestControls sends datagrams without packets, and reads them through each
// API.
func TestControls(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		client, server := pair(t, p)
		keepalive := func() []byte {
			d, err := client.AppendKeepalive([]byte("before"))
			require.NoError(t, err)
			require.Equal(t, "before", string(d[:6]))
			require.LessOrEqual(t, len(d)-6, p.Overhead()+2)
			return d[6:]
		}
		disconnect := func() []byte {
			d, err := client.AppendDisconnect(nil, ReasonApplication+1)
			require.NoError(t, err)
			return d
		}
		m := p.NewMux()
		ctx := context.Background()

		c, err := server.Open(keepalive())
		require.NoError(t, err)
		require.Equal(t, Keepalive, c.Control())
		require.Zero(t, c.Reason())
		require.False(t, c.More())
		require.Equal(t, uint64(0), c.Sequence())
		v, err := server.Decode(keepalive())
		require.Nil(t, v)
		require.Equal(t, ErrKeepalive, err)
		require.NoError(t, m.Dispatch(ctx, server, keepalive()))

		c, err = server.Open(disconnect())
		require.NoError(t, err)
		require.Equal(t, Disconnect, c.Control())
		require.Equal(t, ReasonApplication+1, c.Reason())
		require.False(t, c.More())
		require.NoError(t, m.Serve(ctx, Contents{}))
		require.Equal(t, ReasonApplication+1, m.Serve(ctx, c))
		v, err = server.Decode(disconnect())
		require.Nil(t, v)
		require.Equal(t, ReasonApplication+1, err)
		require.Equal(t, ReasonApplication+1, m.Dispatch(ctx, server, disconnect()))

		c, err = server.Open(sealAt(t, client, 100, testInput))
		require.NoError(t, err)
		require.Equal(t, NoControl, c.Control())
		require.Zero(t, server.Counters().Refused(ErrGarbage))
	})
}

// TestPacketIsNoControl changes only the kind in the header. A datagram of
// packets with the same bytes as a disconnect must not become one.
func TestPacketIsNoControl(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		if p.config.Protection == None {
			t.Skip("there is nothing to authenticate the header")
		}
		client, server := pair(t, p)
		d := client.out.guard.seal(nil, kindData, 7, append([]byte{byte(Disconnect), byte(ReasonLeft)}, p.endCheck...))
		d[p.config.Protection.prefixLen()] ^= kindControl
		_, err := server.Open(d)
		require.Equal(t, damaged(p), err)
	})
}

// TestBadControls seals controls that no sender produces.
func TestBadControls(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		for _, data := range [][]byte{{0}, {1, 0}, {1, 1}, {2}, {2, 0}, {2, 1, 0}, {3}, {3, 1}, {255}} {
			client, server := pair(t, p)
			_, err := server.Open(client.out.guard.seal(nil, kindControl, 7, append(slices.Clone(data), p.endCheck...)))
			require.Equal(t, ErrGarbage, err, "% x", data)
			require.Equal(t, uint64(1), server.Counters().Refused(ErrGarbage))
		}
		client, server := pair(t, p)
		_, err := server.Open(client.out.guard.seal(nil, kindControl, 7, p.endCheck))
		require.Equal(t, ErrTruncated, err)
	})
}

func TestControlTexts(t *testing.T) {
	require.Equal(t, []string{"no control", "keepalive", "disconnect", "control 3"},
		[]string{NoControl.String(), Keepalive.String(), Disconnect.String(), (Disconnect + 1).String()})
	for r := ReasonLeft; r <= ReasonExhausted; r++ {
		require.Contains(t, reasonTexts, r)
	}
	require.Equal(t, "packet: disconnected: kicked", ReasonKicked.Error())
	require.Equal(t, "packet: disconnected: reason 128", ReasonApplication.Error())
	client, _ := pair(t, testProtocol(t, testConfig(None)))
	require.Panics(t, func() { client.AppendDisconnect(nil, 0) })
	client.out.spent = true
	_, err := client.AppendKeepalive(nil)
	require.Equal(t, ErrExhausted, err)
}

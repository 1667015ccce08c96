// The plain interpreter takes memory for reflect.Values, and golang.org/x/crypto
// some where the tag keeps it from assembly. Nobody counts it.

//go:build !purego

package packet

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// requireNoAllocs requires that f takes no memory once it has run.
func requireNoAllocs(t *testing.T, what string, f func()) {
	t.Helper()
	if raceEnabled {
		t.Skip("the race detector makes pools forget")
	}
	f()
	require.Zero(t, testing.AllocsPerRun(100, f), what)
}

// TestSteadyStateTakesNoMemory counts what sending and receiving allocate when
// buffers and values are used again.
func TestSteadyStateTakesNoMemory(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		client, server := pair(t, p)
		m := NewMux(p)
		bodies := 0
		Handle(m, func(_ context.Context, v *snapshot) { bodies += len(v.Bodies) })
		ctx := context.Background()
		sent, received := testSnapshot(20), new(snapshot)
		in := &testInput
		var buf []byte
		b := p.NewBatch()
		servers := []*Session{client, client, client}
		var err error

		requireNoAllocs(t, "append", func() { buf, err = client.Append(buf[:0], sent, in) })
		requireNoAllocs(t, "decode", func() {
			buf, _ = client.Append(buf[:0], sent)
			_, err = server.Decode(buf, in, received)
		})
		require.NoError(t, err)
		requireNoAllocs(t, "dispatch", func() {
			buf, _ = client.Append(buf[:0], sent)
			err = m.Dispatch(ctx, server, buf)
		})
		require.NoError(t, err)
		requireNoAllocs(t, "keepalive", func() {
			buf, _ = client.AppendKeepalive(buf[:0])
			err = m.Dispatch(ctx, server, buf)
		})
		require.NoError(t, err)
		requireNoAllocs(t, "disconnect", func() {
			buf, _ = client.AppendDisconnect(buf[:0], ReasonLeft)
			_, err = server.Decode(buf)
		})
		require.Equal(t, ReasonLeft, err)
		requireNoAllocs(t, "broadcast", func() {
			b.Reset()
			b.Add(sent)
			b.Add(in)
			err = Broadcast(b, servers, func(int, []byte) error { return nil })
		})
		require.NoError(t, err)
		require.Equal(t, sent, received)
		require.NotZero(t, bodies)
	})
}

// TestRefusalsTakeNoMemory counts what refusing allocates.
func TestRefusalsTakeNoMemory(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		client, server := pair(t, p)
		m := NewMux(p)
		ctx := context.Background()
		for _, bad := range badDatagrams(t, p, client, server) {
			buf := make([]byte, 0, len(bad.data))
			var err error
			requireNoAllocs(t, bad.name, func() {
				buf = append(buf[:0], bad.data...)
				if err = m.Dispatch(ctx, server, buf); bad.moves {
					server.in.window = window{}
				}
			})
			require.ErrorIs(t, err, bad.want, bad.name)
		}
	})
}

// A datagram without a checksum that is cut off is refused where it ends: every
// cut of one takes no memory.
func TestTruncationTakesNoMemory(t *testing.T) {
	p := testProtocol(t, testConfig(None))
	client, server := pair(t, p)
	m := NewMux(p)
	Handle(m, func(context.Context, *snapshot) { t.Error("a truncated packet must not be handled") })
	ctx := context.Background()
	good := sealAt(t, client, 1000, testSnapshot(20))
	for n := range good {
		var err error
		requireNoAllocs(t, "truncated", func() {
			err = m.Dispatch(ctx, server, good[:n:n])
			server.in.window = window{}
		})
		require.Equal(t, ErrTruncated, err, "%d bytes", n)
	}
}

// TestGateTakesNoMemory answers requests, and refuses what is none, without
// allocating.
func TestGateTakesNoMemory(t *testing.T) {
	p := testProtocol(t, testConfig(ChaCha20Poly1305))
	g := testGate(p)
	request, err := testJoin(t, p).Append(nil)
	require.NoError(t, err)
	foreign := append([]byte{}, request...)
	foreign[len(head{})]++
	stale, err := challenged(t, p, testGate(p)).Append(nil)
	require.NoError(t, err)
	buf := make([]byte, 0, requestSize)
	for _, row := range []struct {
		name string
		data []byte
		want error
	}{
		{"request", request, nil},
		{"request of another protocol", foreign, ErrProtocol},
		{"response with a token of someone else", stale, ErrToken},
		{"garbage", request[1:], ErrStranger},
		{"truncated", request[:100], ErrTruncated},
	} {
		requireNoAllocs(t, row.name, func() { _, _, err = g.Answer(buf, testAddress, row.data, testNow) })
		require.Equal(t, row.want, err)
	}
}

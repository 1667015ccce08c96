// The reference interpreter allocates reflect.Values, and golang.org/x/crypto
// allocates where the purego tag disables its assembly, so the counts below do
// not apply.

//go:build !purego

package packet

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// requireNoAllocs requires that f does not allocate after its first call.
func requireNoAllocs(t *testing.T, what string, f func()) {
	t.Helper()
	if raceEnabled {
		t.Skip("the race detector makes pools forget")
	}
	f()
	require.Zero(t, testing.AllocsPerRun(100, f), what)
}

// TestSteadyStateTakesNoMemory requires that sending and receiving do not
// allocate once buffers and values are reused.
func TestSteadyStateTakesNoMemory(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		client, server := pair(t, p)
		m := p.NewMux()
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
		s := server.Stats().Received
		require.Equal(t, int64(4*102), s.Datagrams, "counting does not allocate either")
		require.Equal(t, int64(2*102), s.Types[0].Packets)
	})
}

// TestStatelessTakesNoMemory requires that sending, receiving and refusing
// stateless datagrams do not allocate.
func TestStatelessTakesNoMemory(t *testing.T) {
	eachStateless(t, func(t *testing.T, s *Stateless) {
		sent, received := testSnapshot(20), new(snapshot)
		var buf []byte
		var err error
		requireNoAllocs(t, "append and decode", func() {
			buf, _ = s.Append(buf[:0], sent)
			_, err = s.Decode(buf, received)
		})
		require.NoError(t, err)
		require.Equal(t, sent, received)
		for n := 0; n < len(buf); n += 9 {
			requireNoAllocs(t, "truncated", func() { _, err = s.Decode(buf[:n:n], received) })
			require.Error(t, err)
		}
		buf[0] ^= 1
		requireNoAllocs(t, "damaged", func() { _, err = s.Decode(buf, received) })
		require.Error(t, err)
	})
}

// TestTransportTakesNoMemory requires that acknowledging, reporting, fragments and
// messages do not allocate, nor refusing what no honest side sends.
func TestTransportTakesNoMemory(t *testing.T) {
	p := togetherProtocol(t, ChaCha20Poly1305)
	client, server := pair(t, p)
	m := p.NewMux()
	length, messages, reports, values := 0, 0, 0, 0
	Handle(m, func(_ context.Context, v *blob) { length = len(v.Data) })
	Handle(m, func(context.Context, *chat) { messages++ })
	Handle(m, func(ctx context.Context, _ *input) {
		if ArrivalFrom(ctx).Sequence()%5 == 0 {
			ArrivalFrom(ctx).Decline()
		}
	})
	client.OnReport(func(r Report) { reports, values = reports+1, values+len(r.Values) })
	ctx, now, b := context.Background(), testNow, p.NewBatch()
	small, large, message := &Tracked{&testInput, new(int)}, &Tracked{&blob{make([]byte, 1000)}, new(int)}, &Tracked{&chat{"hi"}, new(int)}
	var buf []byte
	var err error
	lose := false
	dispatch := func(d []byte) error {
		if !lose {
			err = m.Dispatch(ctx, server, d)
		}
		lose = false
		return nil
	}
	step := func() {
		for i := range 10 {
			now = now.Add(20 * time.Millisecond)
			client.Tick(now)
			lose = i%2 == 0
			b.Reset()
			b.Add(small)
			if i == 5 {
				b.Add(large)
			}
			client.Queue(message)
			client.SealEach(b, dispatch)
			server.Tick(now)
			buf, _ = server.AppendKeepalive(buf[:0])
			client.Open(buf)
		}
	}
	for range ringSize { // until there are slices for the values of all that is lost
		step()
	}
	requireNoAllocs(t, "transport", step)
	require.NoError(t, err)
	require.Equal(t, 1000, length)
	require.Greater(t, messages, ringSize)
	require.Greater(t, reports, 10*ringSize)
	require.Greater(t, values, 10*ringSize)
	for err = nil; err == nil; {
		err = client.Queue(message)
	}
	requireNoAllocs(t, "full", func() { err = client.Queue(message) })
	require.Equal(t, ErrQueueFull, err)

	fragment := func(number uint64, total, index int) []byte {
		return append(p.appendFragment(nil, number, total, index), make([]byte, p.fragmentLen)...)
	}
	future := numberSet{newest: server.Sent()}
	future.bits[0] = 1
	for _, row := range []struct {
		want Refusal
		kind byte
		data []byte
	}{
		{ErrAcks, kindAcks, append(appendAcks(nil, &future), 0)},
		{ErrLate, kindData, fragment(0, 600, 0)},
		{ErrRepeated, kindData, fragment(1<<40, 600, 1)},
		{ErrFragment, kindData, fragment(1<<40, 601, 2)},
		{ErrTooLarge, kindData, fragment(1<<40, 1<<30, 2)},
		{ErrMessage, kindData, append(p.appendIndex(nil, p.messageIndex), 0xff, 0xff, 0xff, 3, 1, 1, 0)},
	} {
		requireNoAllocs(t, row.want.Error(), func() {
			buf = client.out.guard.seal(buf[:0], row.kind, client.out.next+1, row.data)
			err = m.Dispatch(ctx, server, buf)
			server.in.window = window{}
		})
		require.Equal(t, row.want, err)
	}
}

// TestRefusalsTakeNoMemory requires that refusing a datagram does not allocate.
func TestRefusalsTakeNoMemory(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		client, server := pair(t, p)
		m := p.NewMux()
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
			require.GreaterOrEqual(t, server.Stats().Refused(bad.want), uint64(100), "counting it does not allocate either")
		}
	})
}

// TestGateTakesNoMemory answers requests and repeated responses, and refuses
// every kind of bad datagram, without allocating.
func TestGateTakesNoMemory(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		g := testGate(p)
		request, err := testJoin(t, p).Append(nil)
		require.NoError(t, err)
		damage := func(d []byte, at int) []byte {
			d = append([]byte{}, d...)
			d[at]++
			return d
		}
		stale, err := challenged(t, p, testGate(p)).Append(nil)
		require.NoError(t, err)
		_, _, client, repeated, _ := joined(t, p, g)
		unknown := challenged(t, p, g)
		unknown.response.User = 6
		stranger, err := unknown.Append(nil)
		require.NoError(t, err)

		busy := p.NewGate(GateConfig{Burst: 1, Rate: 1e-9})
		challenged(t, p, busy)
		over, err := challenged(t, p, busy).Append(nil)
		require.NoError(t, err)
		busy.Answer(nil, testAddress, over, testNow)
		over = damage(over, len(over)-1)

		full := testGate(p)
		full.admits = func(netip.AddrPort, uint64, nonce) Refusal { return ErrFull }
		response, err := challenged(t, p, full).Append(nil)
		require.NoError(t, err)
		rejecting := testGate(p)
		_, _, late, rejected, _ := joined(t, p, rejecting)
		rejecting.Reject(nil, late, ErrFull)

		buf := make([]byte, 0, requestSize)
		for _, row := range []struct {
			name string
			gate *Gate
			data []byte
			want error
		}{
			{"request", g, request, nil},
			{"request of another protocol", g, damage(request, len(head{})), ErrProtocol},
			{"request of another format", g, damage(request, len(magic)), ErrFormat},
			{"response with a token of someone else", g, stale, ErrToken},
			{"response that is repeated", g, repeated, nil},
			{"response with a bad proof", g, damage(repeated, len(repeated)-1), ErrDenied},
			{"response of an unknown user", g, stranger, ErrDenied},
			{"response of another protocol", g, damage(repeated, len(head{})), ErrProtocol},
			{"response of a busy address", busy, over, ErrBusy},
			{"response to a full server", full, response, ErrFull},
			{"response that is rejected again", rejecting, rejected, ErrFull},
			{"garbage", g, request[1:], ErrStranger},
			{"truncated", g, request[:100], ErrTruncated},
		} {
			requireNoAllocs(t, row.name, func() { _, _, err = row.gate.Answer(buf, testAddress, row.data, testNow) })
			require.Equal(t, row.want, err, row.name)
		}
		requireNoAllocs(t, "reject", func() { g.Reject(buf, client, ErrClosed) })
	})
}

// TestJoinTakesNoMemory refuses datagrams that are not for the client, without
// allocating.
func TestJoinTakesNoMemory(t *testing.T) {
	p := testProtocol(t, testConfig(ChaCha20Poly1305))
	g := testGate(p)
	j := challenged(t, p, g)
	_, welcome, _, err := say(t, challenged(t, p, g), g, testAddress, testNow)
	require.NoError(t, err)
	ours, _, _, err := say(t, j, g, testAddress, testNow)
	require.NoError(t, err)
	forged := append([]byte{}, welcome...)
	copy(forged[nonceAt-8:], j.response.Nonce[:])
	for _, data := range [][]byte{nil, ours[:5], welcome, forged, ours, otherFormat(9, kindWelcome, 100)} {
		requireNoAllocs(t, "read", func() { _, err = j.Read(data) })
		require.Error(t, err)
	}
}

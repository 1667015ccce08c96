package packet

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// requireSum requires that the bits of types and overhead add up to those of the
// datagrams.
func requireSum(t *testing.T, s Traffic) {
	t.Helper()
	sum := s.Overhead.Bits()
	for i := range s.Types {
		sum += s.Types[i].Bits
	}
	require.Equal(t, 8*s.Bytes, sum)
	require.GreaterOrEqual(t, s.Overhead.Unused, int64(0))
	require.GreaterOrEqual(t, s.Overhead.Padding, int64(0))
}

// TestStats counts known datagrams: two with packets, a keepalive and a
// disconnect.
func TestStats(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		client, server := pair(t, p)
		m := p.NewMux()
		Handle(m, func(context.Context, *input) {})
		Handle(m, func(context.Context, *chat) {})
		ctx := context.Background()
		bytes := int64(0)
		dispatch := func(d []byte, err error) {
			require.NoError(t, err)
			bytes += int64(len(d))
			if err := m.Dispatch(ctx, server, d); err != ReasonLeft {
				require.NoError(t, err)
			}
		}
		dispatch(client.Append(nil, testInput, &testInput, chat{"hi"}))
		dispatch(client.Append(nil, chat{"four"}))
		dispatch(client.AppendKeepalive(nil))
		client.out.next = 256
		dispatch(client.AppendDisconnect(nil, ReasonLeft))

		// Of an input the index takes 2 bits, the value 45, and padding 1. Of a chat
		// the index and the length take 8.
		seal := int64(p.config.Protection.size() + p.trailerLen)
		if p.config.Protection.aead() {
			seal = int64(p.trailerLen)
		}
		sent := client.Stats().Sent
		want := Traffic{Datagrams: 4, Bytes: bytes, Types: []TypeStats{
			{Type: typeOf(snapshot{})},
			{typeOf(input{}), 2, 12, 90, 45},
			{typeOf(chat{}), 2, 8, 22 + 38, 38},
		}, Overhead: Overhead{Headers: 8 * (1 + 2 + 2 + 3), Seals: 8 * 4 * seal, Controls: 8 * 3, Indices: 4 * 2, Padding: 2}}
		require.Equal(t, want, sent)
		requireSum(t, sent)
		require.Equal(t, want, server.Stats().Received)
		require.Equal(t, 45.0, sent.Types[1].Mean())
		require.Zero(t, sent.Types[0].Mean())
		require.Zero(t, server.Stats().Sent.Bytes)
		require.Empty(t, server.Stats().refused)
	})
}

// TestStatsOfRefusals requires that what is refused counts in no type.
func TestStatsOfRefusals(t *testing.T) {
	p := testProtocol(t, testConfig(ChaCha20Poly1305))
	client, server := pair(t, p)
	shared := new(Counters)
	server.CountIn(shared)
	m := p.NewMux()
	Handle(m, func(context.Context, *input) {})
	ctx := context.Background()
	d, err := client.Append(nil, testInput, chat{"hi"}, testInput)
	require.NoError(t, err)
	forged := slices.Clone(d)
	forged[3]++
	require.ErrorIs(t, m.Dispatch(ctx, server, forged), ErrForged)
	require.Equal(t, server.Stats().Received.Bytes, int64(0))

	again := slices.Clone(d)
	require.ErrorIs(t, m.Dispatch(ctx, server, d), ErrUnhandled)
	for range 2 {
		require.ErrorIs(t, m.Dispatch(ctx, server, slices.Clone(again)), ErrReplayed)
	}
	s := server.Stats()
	require.Panics(t, func() { s.Add(mustSession(t, fragmentProtocol(t, None, true)).Stats()) })
	require.Equal(t, int64(1), s.Received.Datagrams)
	require.Equal(t, int64(len(again)), s.Received.Bytes)
	require.Equal(t, []int64{0, 1, 0}, []int64{s.Received.Types[0].Packets, s.Received.Types[1].Packets, s.Received.Types[2].Packets})
	require.Equal(t, int64(8*(3+6)), s.Received.Overhead.Unused, "the refused packet and the one after it")
	requireSum(t, s.Received)
	want := map[Refusal]uint64{ErrForged: 1, ErrUnhandled: 1, ErrReplayed: 2}
	got := map[Refusal]uint64{}
	for r, n := range s.Refusals() {
		got[r] = n
		require.Equal(t, n, shared.Refused(r), "the shared counters count too")
	}
	require.Equal(t, want, got)
	require.Equal(t, uint64(2), s.Refused(ErrReplayed))
	for range s.Refusals() {
		break
	}

	first := client.Stats()
	_, err = client.AppendKeepalive(nil)
	require.NoError(t, err)
	second := client.Stats()
	require.Equal(t, int64(1), second.Sub(first).Sent.Datagrams)
	require.Equal(t, second, second.Sub(first).Add(first))
	require.Equal(t, uint64(4), s.Add(s).Refused(ErrReplayed))
	require.Equal(t, s, Stats{}.Add(s))

	// A fragment of a packet that is not complete, and a declined packet.
	a, b := pair(t, fragmentProtocol(t, None, true))
	m = a.p.NewMux()
	Handle(m, func(ctx context.Context, _ *input) { ArrivalFrom(ctx).Decline() })
	list := sealAll(t, a, &blob{make([]byte, 300)})
	require.NoError(t, m.Dispatch(ctx, b, list[1]))
	received := b.Stats().Received
	require.Equal(t, int64(1), received.Fragments)
	require.Zero(t, received.Types[0].Packets)
	require.Equal(t, 8*int64(b.p.fragmentLen), received.Overhead.Unused)
	d, err = a.Append(nil, testInput)
	require.NoError(t, err)
	require.ErrorIs(t, m.Dispatch(ctx, b, d), ErrDeclined)
	received = b.Stats().Received
	require.Zero(t, received.Types[1].Packets)
	require.Equal(t, 8*int64(b.p.fragmentLen+6), received.Overhead.Unused)
	requireSum(t, received)
}

// TestServerStats requires that the statistics of a server include peers that
// have left.
func TestServerStats(t *testing.T) {
	a := newArena(t, testProtocol(t, testConfig(ChaCha20Poly1305)), ServerConfig{})
	for i := range int64(3) {
		require.NoError(t, a.mustJoin(1, testAddressOf(1)).Send(&input{}))
		a.step(time.Millisecond)
		a.server.Receive(testAddressOf(9), []byte{1}, a.now)
		before := a.server.Stats()
		require.Equal(t, i+1, before.Received.Types[1].Packets)
		require.Equal(t, uint64(i+1), before.Refused(ErrStranger))
		a.server.ByUser(1).Kick(ReasonKicked)
		require.Equal(t, before, a.server.Stats())
	}
}

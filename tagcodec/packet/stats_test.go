package packet

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
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

// statsEnd is an end of a conversation that counts what it handles.
type statsEnd struct {
	*Session
	mux      *Mux
	handled  [3]int64 // blobs, chats and inputs
	bits     int64    // of blobs
	bytes    int64    // sent
	reported [2]int64 // lost and delivered
	sent     [3]int64
}

func newStatsEnd(s *Session) *statsEnd {
	e := &statsEnd{Session: s, mux: s.p.NewMux()}
	Handle(e.mux, func(_ context.Context, v *blob) {
		e.handled[0], e.bits = e.handled[0]+1, e.bits+15+8*int64(len(v.Data))
	})
	Handle(e.mux, func(context.Context, *chat) { e.handled[1]++ })
	Handle(e.mux, func(context.Context, *input) { e.handled[2]++ })
	s.OnReport(func(r Report) {
		if r.Delivered {
			e.reported[1]++
		} else {
			e.reported[0]++
		}
	})
	return e
}

// step returns the datagrams of a tick.
func (e *statsEnd) step(t *testing.T, random *rand.Rand, now time.Time) (list [][]byte) {
	e.Tick(now)
	for range random.IntN(3) {
		if e.Queue(chat{fmt.Sprint("message ", e.sent[1])}) == nil {
			e.sent[1]++
		}
	}
	var packets []any
	for range random.IntN(3) {
		packets = append(packets, testInput)
		e.sent[2]++
	}
	if random.IntN(4) == 0 {
		packets = append(packets, &blob{make([]byte, random.IntN(2)*(200+random.IntN(800)))})
		e.sent[0]++
	}
	if len(packets) > 0 {
		list = sealAll(t, e.Session, packets...)
	} else if d, err := e.Flush(nil); len(d) > 0 {
		require.NoError(t, err)
		list = [][]byte{d}
	}
	for _, d := range list {
		e.bytes += int64(len(d))
	}
	return list
}

// TestStatsOfTraffic counts packets, fragments, acknowledgements and messages in
// both directions, with and without losses.
func TestStatsOfTraffic(t *testing.T) {
	for seed := range uint64(effort.Rounds(t, 2)) {
		for _, loss := range []float64{0, 0.2} {
			t.Run(fmt.Sprint(seed, loss), func(t *testing.T) {
				random := rand.New(rand.NewPCG(seed, 12))
				p := togetherProtocol(t, protections[seed%uint64(len(protections))])
				a, b := pair(t, p)
				ends := [2]*statsEnd{newStatsEnd(a), newStatsEnd(b)}
				now := testNow
				for tick := range 400 {
					now = now.Add(20 * time.Millisecond)
					for i, e := range ends {
						for _, d := range e.step(t, random, now) {
							if random.Float64() >= loss {
								require.NoError(t, ends[1-i].mux.Dispatch(context.Background(), ends[1-i].Session, d))
							}
						}
						if tick%20 == 0 {
							requireSum(t, e.Stats().Sent)
							requireSum(t, e.Stats().Received)
						}
					}
				}
				for i, e := range ends {
					sent, received := e.Stats(), ends[1-i].Stats().Received
					require.Equal(t, int64(e.Session.Sent()), sent.Sent.Datagrams)
					require.Equal(t, e.bytes, sent.Sent.Bytes)
					require.Equal(t, e.reported, [2]int64{sent.Lost, sent.Delivered})
					require.Zero(t, sent.Sent.Overhead.Unused)
					require.Equal(t, []int64{e.sent[0], e.sent[2]}, []int64{sent.Sent.Types[0].Packets, sent.Sent.Types[2].Packets})
					for k, n := range ends[1-i].handled {
						require.Equal(t, n, received.Types[k].Packets)
					}
					require.Equal(t, ends[1-i].bits, received.Types[0].Bits)
					if loss > 0 {
						require.NotZero(t, sent.Lost)
						require.NotZero(t, sent.Sent.Resent)
						require.Less(t, received.Bytes, sent.Sent.Bytes)
						continue
					}
					require.Equal(t, sent.Sent, received)
					require.NotZero(t, sent.Sent.Fragments)
					o := sent.Sent.Overhead
					require.NotContains(t, []int64{o.Acks, o.Fragments, o.Messages, o.Indices, o.Padding}, int64(0))
				}
			})
		}
	}
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

// TestStatsAdd adds and subtracts.
func TestStatsAdd(t *testing.T) {
	p := togetherProtocol(t, None)
	a, b := pair(t, p)
	ends := [2]*statsEnd{newStatsEnd(a), newStatsEnd(b)}
	random := rand.New(rand.NewPCG(1, 13))
	var snapshots []Stats
	for i := range 600 {
		for k, e := range ends {
			for _, d := range e.step(t, random, testNow.Add(time.Duration(i)*time.Second/50)) {
				if random.IntN(5) == 0 {
					continue
				}
				require.NoError(t, ends[1-k].mux.Dispatch(context.Background(), ends[1-k].Session, slices.Clone(d)))
				require.ErrorIs(t, ends[1-k].mux.Dispatch(context.Background(), ends[1-k].Session, slices.Clone(d)), ErrReplayed)
			}
		}
		if i%300 == 299 {
			snapshots = append(snapshots, a.Stats())
		}
	}
	first, second := snapshots[0], snapshots[1]
	require.NotZero(t, first.Lost)
	difference := second.Sub(first)
	require.Equal(t, second.Sent.Bytes-first.Sent.Bytes, difference.Sent.Bytes)
	require.Equal(t, second.Refused(ErrReplayed)-first.Refused(ErrReplayed), difference.Refused(ErrReplayed))
	require.NotZero(t, difference.Refused(ErrReplayed))
	require.Equal(t, second, difference.Add(first))
	require.Equal(t, second, first.Add(difference))
	requireSum(t, difference.Received)
	requireSum(t, first.Add(second).Sent)
	require.Equal(t, first, Stats{}.Add(first))
	require.Equal(t, first, first.Add(Stats{}))
	require.Equal(t, snapshots[1], second, "neither changes its operands")
	require.Equal(t, Stats{}.String(), first.Sub(first).String())

	other, _ := pair(t, testProtocol(t, testConfig(None)))
	require.Panics(t, func() { first.Add(other.Stats()) })
}

// TestStatsWhileInUse reads the statistics of sessions that others use.
func TestStatsWhileInUse(t *testing.T) {
	p := messageProtocol(t, CRC32)
	client, server := pair(t, p)
	const senders, each = 4, 300
	m := p.NewMux()
	Handle(m, func(context.Context, *input) {})
	Handle(m, func(context.Context, *chat) {})
	var wg sync.WaitGroup
	for range senders {
		wg.Go(func() {
			for range each {
				client.Queue(chat{"hi"})
				d, err := client.Append(nil, testInput)
				if err == nil {
					err = m.Dispatch(context.Background(), server, d)
				}
				if err != nil && err != ErrReplayed && err != ErrRepeated && err != ErrMessage {
					t.Error(err)
				}
				client.Tick(testNow)
			}
		})
	}
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		requireSum(t, client.Stats().Sent)
		requireSum(t, server.Stats().Received)
	}
	require.Equal(t, int64(senders*each), client.Stats().Sent.Types[1].Packets)
	require.NotZero(t, server.Stats().Received.Types[1].Packets)
}

// TestServerStats requires that the statistics of a server include peers that
// have left, and never decrease.
func TestServerStats(t *testing.T) {
	p := testProtocol(t, testConfig(ChaCha20Poly1305))
	a := newArena(t, p, ServerConfig{})
	var clients []*Client
	for i := range 3 {
		clients = append(clients, a.mustJoin(uint64(i), testAddressOf(i)))
	}
	inputs := int64(0)
	for i := range 3 {
		for _, c := range clients[i:] {
			require.NoError(t, c.Send(&input{}))
			inputs++
		}
		a.step(time.Millisecond)
		a.server.Receive(testAddressOf(9), []byte{1}, a.now)
		before := a.server.Stats()
		require.Equal(t, inputs, before.Received.Types[1].Packets)
		require.Equal(t, uint64(i+1), before.Refused(ErrStranger))
		a.server.ByAddress(testAddressOf(i)).Kick(ReasonKicked)
		require.Equal(t, before, a.server.Stats())
		a.step(time.Millisecond)
	}
	require.Zero(t, a.server.Len())
	require.Equal(t, int64(6), a.server.Stats().Received.Types[1].Packets)
}

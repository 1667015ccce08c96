package packet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
)

// TestFragmentsOverBadNetwork sends packets of all sizes through a network that
// loses, repeats and reorders, with many seeds. Every packet that arrives is
// intact and arrives once; one whose fragments are not lost or held up for long
// does arrive; and each value is reported once, as delivered if and only if the
// packet was handled.
func TestFragmentsOverBadNetwork(t *testing.T) {
	for seed := range uint64(effort.Rounds(t, 5)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 5))
			client, server := pair(t, fragmentProtocol(t, protections[seed%uint64(len(protections))], true))
			var sent []*blob
			var lost []bool // whether a datagram of the packet was lost
			handled := map[int]int{}
			declined := map[int]bool{}
			m := server.p.NewMux()
			Handle(m, func(ctx context.Context, v *blob) {
				k := slices.IndexFunc(sent, func(b *blob) bool { return bytes.Equal(b.Data, v.Data) })
				require.GreaterOrEqual(t, k, 0, "a packet that was not sent")
				handled[k]++
				require.Equal(t, 1, handled[k])
				if random.IntN(20) == 0 {
					declined[k] = true
					ArrivalFrom(ctx).Decline()
				}
			})
			Handle(m, func(ctx context.Context, v *input) {})
			reported := map[int]bool{}
			client.OnReport(func(r Report) {
				for _, v := range r.Values {
					_, twice := reported[v.(int)]
					require.False(t, twice)
					reported[v.(int)] = r.Delivered
				}
			})
			loss := random.IntN(3) * 10
			var queue [][]byte
			now := testNow
			for i := range 600 {
				now = now.Add(10 * time.Millisecond)
				client.Tick(now)
				server.Tick(now)
				if i < 200 {
					k := len(sent)
					size := 8 + random.IntN(500)
					if random.IntN(4) == 0 {
						size = random.IntN(3000) + 8
					}
					sent = append(sent, testBlob(random, size))
					lost = append(lost, false)
					var datagrams [][]byte
					if size > 200 && random.IntN(2) == 0 { // the last fragment may share a datagram
						datagrams = sealAll(t, client, testInput, Tracked{sent[k], k})
					} else {
						datagrams = append(sealAll(t, client, testInput), sealAll(t, client, Tracked{sent[k], k})...)
					}
					for _, d := range datagrams {
						if random.IntN(100) < loss {
							lost[k] = true
							continue
						}
						queue = append(queue, d)
						if random.IntN(10) == 0 {
							queue = append(queue, slices.Clone(d))
						}
					}
					for j := max(0, len(queue)-6); j < len(queue); j++ {
						other := max(0, j-random.IntN(5))
						queue[j], queue[other] = queue[other], queue[j]
					}
				} else {
					queue = append(queue, sealAll(t, client, testInput)...)
				}
				n := min(len(queue), random.IntN(12))
				if i >= 200 || len(queue) > 100 {
					n = len(queue)
				}
				for _, d := range queue[:n] {
					err := m.Dispatch(context.Background(), server, d)
					if err != nil {
						require.Contains(t, []error{ErrReplayed, ErrDeclined, ErrLate}, err)
					}
				}
				queue = queue[n:]
				d, err := server.AppendKeepalive(nil)
				require.NoError(t, err)
				_, err = client.Open(d)
				require.NoError(t, err)
			}
			client.Tick(now)
			complete := 0
			for k := range sent {
				delivered, ok := reported[k]
				require.True(t, ok, "packet %d is not reported", k)
				require.Equal(t, handled[k] == 1 && !declined[k], delivered, "packet %d", k)
				if lost[k] {
					continue
				}
				complete++
				if loss == 0 {
					require.Equal(t, 1, handled[k], "packet %d", k)
				}
			}
			require.NotZero(t, complete)
			require.Zero(t, server.Counters().Refused(ErrFragment))
			require.Zero(t, server.Counters().Refused(ErrRepeated))
		})
	}
}

// TestServerFragments sends packets in fragments to clients and back.
func TestServerFragments(t *testing.T) {
	p := fragmentProtocol(t, HMAC(16), true)
	values := map[uint64][]any{}
	a := newArena(t, p, ServerConfig{Reported: func(p *Peer, r Report) {
		if r.Delivered {
			values[p.User()] = append(values[p.User()], r.Values...)
		}
	}})
	Handle(a.mux, func(ctx context.Context, v *blob) { a.note("%d sent %d bytes", PeerFrom(ctx).User(), len(v.Data)) })
	clientMux := p.NewMux()
	received := 0
	Handle(clientMux, func(ctx context.Context, v *blob) { received += len(v.Data) })
	Handle(clientMux, func(ctx context.Context, v *input) {})
	a.opened = func(_ netip.AddrPort, c *Contents) { require.NoError(t, clientMux.Serve(context.Background(), *c)) }
	for user := range uint64(3) {
		c := a.mustJoin(user, testAddressOf(int(user)))
		require.NoError(t, c.Send(&blob{make([]byte, 1000*(user+1))}))
	}
	a.run()
	log := strings.Join(a.happened(), "; ")
	for user := range 3 {
		require.Contains(t, log, fmt.Sprintf("%d sent %d bytes", user, 1000*(user+1)))
	}
	b := p.NewBatch()
	require.NoError(t, b.Add(Tracked{&blob{make([]byte, 2000)}, "large"}))
	require.NoError(t, b.Add(Tracked{testInput, "small"}))
	require.NoError(t, a.server.Broadcast(b))
	for peer := range a.server.All() {
		require.NoError(t, peer.Send(Tracked{&blob{make([]byte, 5000)}, "other"}))
	}
	a.run()
	require.Equal(t, 3*7000, received)
	for range 3 {
		a.step(20 * time.Millisecond)
	}
	for user := range uint64(3) {
		require.Equal(t, []any{"small", "large", "other"}, values[user])
	}

	one, two := pair(t, p)
	sent := map[int]int{}
	require.NoError(t, Broadcast(b, []*Session{one, two}, func(i int, d []byte) error {
		sent[i]++
		return nil
	}))
	require.Equal(t, sent[0], sent[1])
	require.Greater(t, sent[0], 10)
}

// TestSplitFails stops a packet between two fragments. Its value is not
// reported, and the datagrams are.
func TestSplitFails(t *testing.T) {
	p := fragmentProtocol(t, None, true)
	client, server := pair(t, p)
	var values, reports int
	client.OnReport(func(r Report) { reports, values = reports+1, values+len(r.Values) })
	b := p.NewBatch()
	require.NoError(t, b.Add(Tracked{&blob{make([]byte, 2000)}, "large"}))
	sent := 0
	broken := errors.New("broken")
	require.Equal(t, broken, client.SealEach(b, func(d []byte) error {
		server.Decode(d)
		if sent++; sent == 3 {
			return broken
		}
		return nil
	}))
	client.out.guard.last = client.out.next
	require.Equal(t, ErrExhausted, client.SealEach(b, func([]byte) error { return nil }))
	d, err := server.AppendKeepalive(nil)
	require.NoError(t, err)
	_, err = client.Open(d)
	require.NoError(t, err)
	require.Equal(t, 3, reports)
	require.Zero(t, values)
}

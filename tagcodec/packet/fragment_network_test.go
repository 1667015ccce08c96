package packet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
)

// TestFragmentsOverBadNetwork sends packets of all sizes through a network that
// loses, repeats and reorders, with many seeds. Every packet that arrives is
// intact and arrives once; one whose fragments are not lost or held up for long
// does arrive; and each value is reported once, as delivered only if the packet was
// handled, and as lost only if it was not or an acknowledgement came late.
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
				arrived := handled[k] == 1 && !declined[k]
				require.True(t, arrived == delivered || arrived && client.Stats().Late > 0, "packet %d", k)
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

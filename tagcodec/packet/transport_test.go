package packet

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
)

// end is one end of a simulated conversation.
type end struct {
	t        testing.TB
	session  *Session
	other    *end
	mux      *Mux
	random   *rand.Rand
	declines bool // its handlers decline some packets and messages

	packets  []*blob         // sent
	queued   int             // messages sent
	messages int             // messages of the other end that were accepted
	handled  map[int]bool    // packets of the other end that a handler has seen
	current  []int           // those of the datagram that is being handled
	arrived  map[int]bool    // those in a datagram that was accepted
	accepted map[uint64]bool // datagrams of the other end

	last     uint64          // the highest number of the reports since the last datagram was opened
	reported map[uint64]bool // by sequence number: delivered
	values   map[int]bool    // by packet: delivered
	assured  int             // messages reported
}

func newEnds(t testing.TB, p *Protocol, random *rand.Rand, declines bool) (ends [2]*end) {
	client, server := pair(t, p)
	for i, s := range []*Session{client, server} {
		e := &end{t: t, session: s, mux: p.NewMux(), random: random, declines: declines, handled: map[int]bool{},
			arrived: map[int]bool{}, accepted: map[uint64]bool{}, reported: map[uint64]bool{}, values: map[int]bool{}}
		Handle(e.mux, func(ctx context.Context, v *blob) {
			k := int(binary.LittleEndian.Uint32(v.Data))
			require.Equal(t, e.other.packets[k], v)
			require.False(t, e.handled[k], "packet %d is handled twice", k)
			e.handled[k] = true
			e.current = append(e.current, k)
			e.decline(ctx)
		})
		Handle(e.mux, func(ctx context.Context, v *chat) {
			require.Equal(t, fmt.Sprint("message ", e.messages), v.Text)
			if !e.decline(ctx) {
				e.messages++
			}
		})
		Handle(e.mux, func(context.Context, *input) {})
		s.OnReport(e.report)
		ends[i] = e
	}
	ends[0].other, ends[1].other = ends[1], ends[0]
	return ends
}

// decline declines one of 20 packets.
func (e *end) decline(ctx context.Context) bool {
	if !e.declines || e.random.IntN(20) != 0 {
		return false
	}
	ArrivalFrom(ctx).Decline()
	return true
}

func (e *end) report(r Report) {
	_, twice := e.reported[r.Sequence]
	require.False(e.t, twice, "datagram %d is reported twice", r.Sequence)
	e.reported[r.Sequence] = r.Delivered
	if r.Delivered {
		require.GreaterOrEqual(e.t, r.Sequence, e.last, "reports are in order")
		e.last = r.Sequence
	} else {
		newer := e.session.out.flights.known > r.Sequence+1 // acknowledged
		require.True(e.t, newer || r.Sequence+WindowSize <= e.session.Sent(), "datagram %d is given up too early", r.Sequence)
	}
	for _, v := range r.Values {
		if k, ok := v.(int); ok {
			_, twice := e.values[k]
			require.False(e.t, twice, "packet %d is reported twice", k)
			require.True(e.t, e.other.arrived[k] || !r.Delivered, "packet %d is delivered before it is handled", k)
			e.values[k] = r.Delivered
			continue
		}
		require.Equal(e.t, fmt.Sprint("message ", e.assured), v)
		require.True(e.t, r.Delivered && e.assured < e.other.messages)
		e.assured++
	}
}

// send returns the datagrams of up to two packets, or a keepalive. One of four
// packets is large if large is set.
func (e *end) send(large bool) [][]byte {
	if e.random.IntN(8) == 0 {
		return [][]byte{e.keepalive()}
	}
	packets := []any{testInput}
	for range e.random.IntN(3) {
		n := 4 + e.random.IntN(36)
		if large && e.random.IntN(4) == 0 {
			n = e.session.p.room + e.random.IntN(1000)
		}
		b := testBlob(e.random, n)
		binary.LittleEndian.PutUint32(b.Data, uint32(len(e.packets)))
		packets = append(packets, Tracked{b, len(e.packets)})
		e.packets = append(e.packets, b)
	}
	return sealAll(e.t, e.session, packets...)
}

func (e *end) keepalive() []byte {
	d, err := e.session.AppendKeepalive(nil)
	require.NoError(e.t, err)
	return d
}

func (e *end) receive(d []byte) {
	require.LessOrEqual(e.t, len(d), e.session.p.config.MTU)
	e.last, e.current = 0, nil
	c, err := e.session.Open(d)
	if err == nil {
		if err = e.mux.Serve(context.Background(), c); err == nil {
			e.accepted[c.Sequence()] = true
			for _, k := range e.current {
				e.arrived[k] = true
			}
		}
	}
	if err != nil {
		require.Contains(e.t, []error{ErrReplayed, ErrDeclined, ErrLate}, err)
	}
}

// TestTransportOverBadNetwork sends packets of all sizes and messages in both
// directions of a network that loses, repeats and reorders, with many seeds. Every
// packet that arrives is intact and is handled once. Each message is accepted once
// and in order. Each datagram and each value is reported once, as delivered only if
// it was accepted, and as lost only if it was not or its acknowledgement came late.
func TestTransportOverBadNetwork(t *testing.T) {
	for seed := range uint64(effort.Rounds(t, 8)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			declines := seed%2 == 1
			ends := newEnds(t, togetherProtocol(t, protections[seed%uint64(len(protections))]), random, declines)
			loss, reach, rates := random.IntN(50), 1+random.IntN(60), [2]int{1 + random.IntN(5), 1 + random.IntN(5)}
			type transit struct {
				to, due int
				data    []byte
			}
			var queue []transit
			now := testNow
			for tick := range 300 + 4*WindowSize {
				now = now.Add(10 * time.Millisecond)
				for i, e := range ends {
					e.session.Tick(now)
					var list [][]byte
					if d, _ := e.session.Flush(nil); len(d) > 0 {
						list = append(list, d)
					}
					if tick >= 300 { // a good network, on which nothing new is sent
						loss, reach, e.declines = 0, 1, false
						list = append(list, e.keepalive())
					} else {
						for range random.IntN(rates[i] + 1) {
							list = append(list, e.send(true)...)
						}
						if text := fmt.Sprint("message ", e.queued); e.session.Queue(Tracked{chat{text}, text}) == nil {
							e.queued++
						}
					}
					for _, d := range list {
						for random.IntN(100) >= loss {
							queue = append(queue, transit{1 - i, tick + random.IntN(reach), slices.Clone(d)})
							if random.IntN(10) != 0 || tick >= 300 {
								break
							}
						}
					}
				}
				waiting := queue
				queue = nil
				for _, d := range waiting {
					if d.due > tick {
						queue = append(queue, d)
						continue
					}
					ends[d.to].receive(d.data)
				}
			}
			for _, e := range ends {
				stats := e.session.Stats()
				for seq := range e.session.Sent() - WindowSize {
					delivered, ok := e.reported[seq]
					require.True(t, ok, "datagram %d is not reported", seq)
					require.True(t, e.other.accepted[seq] || !delivered, "datagram %d was not accepted", seq)
				}
				require.Len(t, e.values, len(e.packets))
				for k, delivered := range e.values {
					arrived := e.other.arrived[k]
					require.True(t, declines || arrived == delivered || arrived && stats.Late > 0, "packet %d", k)
				}
				require.Greater(t, e.queued, 30)
				require.Equal(t, [2]int{e.queued, e.queued}, [2]int{e.other.messages, e.assured})
				require.NotZero(t, stats.Lost)
				require.Equal(t, int64(len(e.packets)), stats.Sent.Types[0].Packets)
				require.True(t, declines || int64(len(e.handled)) == stats.Received.Types[0].Packets)
				requireSum(t, stats.Sent)
				requireSum(t, stats.Received)
			}
		})
	}
}

// TestHandledMeansReported sends over a network that delays but does not lose.
// Every datagram that was handled and not refused is reported delivered, however
// seldom the other side sends.
func TestHandledMeansReported(t *testing.T) {
	for _, every := range []int{1, 3, 20} {
		ends := newEnds(t, togetherProtocol(t, HMAC(16)), rand.New(rand.NewPCG(uint64(every), 2)), true)
		from, to := ends[0], ends[1]
		longest := 0
		for i := range 1000 {
			for _, d := range from.send(false) {
				to.receive(d)
			}
			from.session.Tick(testNow.Add(time.Duration(i) * time.Millisecond))
			to.session.Tick(testNow)
			if i%every == 0 {
				d := to.keepalive()
				longest = max(longest, len(d))
				if i%(2*every) == 0 { // half of them are lost
					from.receive(d)
				}
			}
		}
		require.Less(t, longest, to.session.p.Overhead()-maxAcks+2+3+(4*every+7)/8+1, "no more bits than useful")
		for seq := range from.session.Sent() - WindowSize {
			require.Equal(t, to.accepted[seq], from.reported[seq], "datagram %d", seq)
		}
	}
}

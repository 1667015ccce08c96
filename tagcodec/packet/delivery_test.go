package packet

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
)

// end is one end of a simulated conversation.
type end struct {
	t       testing.TB
	session *Session
	mux     *Mux
	random  *rand.Rand

	handled  map[uint64]int  // calls of handlers by sequence number of the datagram
	refused  map[uint64]bool // datagrams with a packet that was declined or refused
	last     uint64          // the highest number of the reports since the last datagram was opened
	reported map[uint64]bool // by sequence number: delivered
	values   map[int]bool    // by value: delivered
	sent     int             // values
}

func newEnd(t testing.TB, s *Session, random *rand.Rand) *end {
	e := &end{t: t, session: s, random: random, handled: map[uint64]int{}, refused: map[uint64]bool{},
		reported: map[uint64]bool{}, values: map[int]bool{}}
	e.mux = s.p.NewMux()
	accept := func(ctx context.Context) {
		a := ArrivalFrom(ctx)
		e.handled[a.Sequence()]++
		if e.random.IntN(20) == 0 {
			e.refused[a.Sequence()] = true
			a.Decline()
		}
	}
	Handle(e.mux, func(ctx context.Context, v *input) { accept(ctx) })
	Handle(e.mux, func(ctx context.Context, v *snapshot) { accept(ctx) })
	s.OnReport(e.report)
	return e
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
		_, twice := e.values[v.(int)]
		require.False(e.t, twice, "value %d is reported twice", v)
		e.values[v.(int)] = r.Delivered
	}
}

// send returns a datagram of up to three packets, two of them with values. A
// chat has no handler on the other side.
func (e *end) send() []byte {
	packets := []any{Tracked{input{}, e.sent}, testSnapshot(e.random.IntN(4)), &Tracked{&input{}, e.sent + 1}}
	e.sent += 2
	if e.random.IntN(20) == 0 {
		packets = append(packets, chat{"nobody reads this"})
	}
	if e.random.IntN(8) == 0 {
		d, err := e.session.AppendKeepalive(nil)
		require.NoError(e.t, err)
		e.sent -= 2
		return d
	}
	d, err := e.session.Append(nil, packets...)
	require.NoError(e.t, err)
	return d
}

func (e *end) receive(d []byte) {
	e.last = 0
	c, err := e.session.Open(d)
	if err != nil {
		require.Equal(e.t, ErrReplayed, err)
		return
	}
	err = e.mux.Serve(context.Background(), c)
	if errors.Is(err, ErrUnhandled) {
		e.refused[c.Sequence()] = true
	} else if err != nil {
		require.Equal(e.t, ErrDeclined, err)
	}
	require.Equal(e.t, err != nil, e.refused[c.Sequence()])
	if err == nil && e.handled[c.Sequence()] == 0 {
		e.handled[c.Sequence()] = 3 // a keepalive
	}
}

// TestEachDatagramIsReportedOnce connects two sessions through a network that
// loses, repeats and reorders, with many seeds. Whatever happens, each datagram
// and each value is reported once; what is reported delivered was handled and
// not refused; and without loss afterwards, what was handled is reported
// delivered.
func TestEachDatagramIsReportedOnce(t *testing.T) {
	for seed := range uint64(effort.Rounds(t, 5)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			client, server := pair(t, ackProtocol(t, protections[seed%uint64(len(protections))]))
			ends := [2]*end{newEnd(t, client, random), newEnd(t, server, random)}
			loss, reach, rates := random.IntN(50), 1+random.IntN(60), [2]int{1 + random.IntN(5), 1 + random.IntN(5)}
			now := testNow
			type transit struct {
				to   int
				data []byte
				due  int
			}
			var queue []transit
			step := func(tick int) {
				now = now.Add(10 * time.Millisecond)
				for i, e := range ends {
					e.session.Tick(now)
					if d, _ := e.session.Flush(nil); len(d) > 0 {
						queue = append(queue, transit{1 - i, d, tick})
					}
					for range random.IntN(rates[i] + 1) {
						d := e.send()
						for random.IntN(100) >= loss {
							queue = append(queue, transit{1 - i, slices.Clone(d), tick + random.IntN(reach)})
							if random.IntN(10) != 0 {
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
			for tick := range 400 {
				step(tick)
			}
			loss, reach = 0, 1
			for tick := 400; tick < 400+2*WindowSize; tick++ {
				step(tick)
			}
			lost := 0
			for i, e := range ends {
				other := ends[1-i]
				e.session.Tick(now)
				limit := e.session.Sent() - WindowSize
				for seq := range limit {
					delivered, ok := e.reported[seq]
					require.True(t, ok, "datagram %d is not reported", seq)
					handled := other.handled[seq] > 0 && !other.refused[seq]
					if delivered {
						require.True(t, handled, "datagram %d was not handled", seq)
					} else {
						lost++
					}
				}
				require.GreaterOrEqual(t, len(e.values), e.sent-2*WindowSize)
			}
			require.NotZero(t, lost, "some were declined")
		})
	}
}

// TestHandledMeansReported sends over a network that delays but does not lose.
// Every datagram that was handled and not refused is reported delivered, however
// seldom the other side sends.
func TestHandledMeansReported(t *testing.T) {
	for _, every := range []int{1, 3, 20} {
		random := rand.New(rand.NewPCG(uint64(every), 2))
		client, server := pair(t, ackProtocol(t, HMAC(16)))
		from, to := newEnd(t, client, random), newEnd(t, server, random)
		longest := 0
		for i := range 1000 {
			to.receive(from.send())
			from.session.Tick(testNow.Add(time.Duration(i) * time.Millisecond))
			server.Tick(testNow)
			if i%every == 0 {
				d, err := server.AppendKeepalive(nil)
				require.NoError(t, err)
				longest = max(longest, len(d))
				if i%(2*every) == 0 { // half of them are lost
					from.receive(d)
				}
			}
		}
		require.Less(t, longest, server.p.Overhead()-maxAcks+2+3+(4*every+7)/8+1, "no more bits than useful")
		for seq := range client.Sent() - WindowSize {
			require.Equal(t, to.handled[seq] > 0 && !to.refused[seq], from.reported[seq], "datagram %d", seq)
		}
	}
}

// TestDeclined requires that one declined packet keeps the datagram from being
// acknowledged, and that the others are handled all the same.
func TestDeclined(t *testing.T) {
	client, server := pair(t, ackProtocol(t, ChaCha20Poly1305))
	m := server.p.NewMux()
	var seen []string
	decline := true
	Handle(m, func(ctx context.Context, v *input) {
		a := ArrivalFrom(ctx)
		require.Equal(t, server.session, a.Session().session)
		seen = append(seen, fmt.Sprint("input ", a.Sequence()))
		if decline {
			a.Decline()
		}
	})
	Handle(m, func(ctx context.Context, v *chat) { seen = append(seen, v.Text) })
	var reports []Report
	client.OnReport(func(r Report) {
		r.Values = slices.Clone(r.Values)
		reports = append(reports, r)
	})
	send := func() error {
		d, err := client.Append(nil, Tracked{testInput, "input"}, Tracked{chat{"chat"}, "chat"}, Tracked{chat{"more"}, nil})
		require.NoError(t, err)
		return m.Dispatch(context.Background(), server, d)
	}
	require.Equal(t, ErrDeclined, send())
	require.Equal(t, []string{"input 0", "chat", "more"}, seen)
	require.Equal(t, uint64(1), server.Counters().Refused(ErrDeclined))
	require.Equal(t, uint64(2), server.Counters().Accepted())
	decline = false
	require.NoError(t, send(), "the refusal was for one datagram")
	d, err := server.AppendKeepalive(nil)
	require.NoError(t, err)
	_, err = client.Open(d)
	require.NoError(t, err)
	require.Equal(t, []Report{{1, true, []any{"input", "chat"}}}, reports)
	for range WindowSize - 2 {
		_, err := client.AppendKeepalive(nil)
		require.NoError(t, err)
	}
	client.Tick(testNow)
	require.Len(t, reports, 1)
	_, err = client.AppendKeepalive(nil)
	require.NoError(t, err)
	client.Tick(testNow)
	require.Equal(t, Report{0, false, []any{"input", "chat"}}, reports[1])
}

// TestAccept opens datagrams without a mux. They are acknowledged when the
// program says so.
func TestAccept(t *testing.T) {
	client, server := pair(t, ackProtocol(t, CRC32))
	delivered := func() (list []uint64) {
		client.OnReport(func(r Report) { list = append(list, r.Sequence) })
		d, err := server.AppendKeepalive(nil)
		require.NoError(t, err)
		_, err = client.Open(d)
		require.NoError(t, err)
		return list
	}
	open := func() Contents {
		d, err := client.Append(nil, testInput, chat{"hi"})
		require.NoError(t, err)
		c, err := server.Open(d)
		require.NoError(t, err)
		return c
	}
	c := open() // number 0
	c.Accept()
	require.Empty(t, delivered(), "packets are left")
	for c.More() {
		_, err := c.Next()
		require.NoError(t, err)
	}
	require.Empty(t, delivered())
	c.Accept()
	c.Accept()
	require.Equal(t, []uint64{0}, delivered())

	c = open() // number 1
	c.rest[len(c.rest)-1] ^= 0xff
	for c.More() {
		c.Next()
	}
	c.Accept()
	require.Empty(t, delivered(), "the second packet was refused")

	d, err := client.Append(nil, testInput, chat{"hi"})
	require.NoError(t, err)
	_, err = server.Decode(d)
	require.Equal(t, ErrSeveral, err)
	require.Empty(t, delivered())
	d, err = client.Append(nil, testInput)
	require.NoError(t, err)
	_, err = server.Decode(d)
	require.NoError(t, err)
	require.Equal(t, []uint64{3}, delivered())
	var none Contents
	none.Accept()
}

// TestArrivalContext requires that a handler's context has the values of the
// context given to Dispatch, also after a datagram with another one.
func TestArrivalContext(t *testing.T) {
	type key struct{}
	client, server := pair(t, ackProtocol(t, None))
	m := server.p.NewMux()
	var seen []any
	var kept context.Context
	Handle(m, func(ctx context.Context, v *input) {
		seen = append(seen, ctx.Value(key{}))
		if kept == nil {
			kept = ctx
		}
	})
	require.Nil(t, ArrivalFrom(context.Background()))
	for _, name := range []string{"a", "b", "c"} {
		d, err := client.Append(nil, testInput)
		require.NoError(t, err)
		require.NoError(t, m.Dispatch(context.WithValue(context.Background(), key{}, name), server, d))
	}
	d, err := client.Append(nil, testInput)
	require.NoError(t, err)
	require.NoError(t, m.Dispatch(uncomparable{context.Background(), nil}, server, d))
	d, err = client.Append(nil, testInput)
	require.NoError(t, err)
	require.NoError(t, m.Dispatch(uncomparable{context.Background(), nil}, server, d))
	require.Equal(t, []any{"a", "b", "c", nil, nil}, seen)
	require.Equal(t, "a", kept.Value(key{}), "a context that is kept too long is not given to another")
}

type uncomparable struct {
	context.Context
	_ []int
}

// TestEstimates sends over a link with known delays and losses.
func TestEstimates(t *testing.T) {
	client, server := pair(t, ackProtocol(t, None))
	require.Zero(t, client.Estimates())
	now := testNow
	var size int
	for i := range 4000 {
		now = now.Add(10 * time.Millisecond)
		client.Tick(now)
		d, err := client.Append(nil, testSnapshot(10))
		require.NoError(t, err)
		size = len(d)
		rtt := 40 * time.Millisecond
		if i%2 == 0 {
			rtt += 20 * time.Millisecond
		}
		if i%5 == 0 {
			continue // lost
		}
		_, err = server.Decode(d)
		require.NoError(t, err)
		answer, err := server.AppendKeepalive(nil)
		require.NoError(t, err)
		client.setTime(now.Add(rtt))
		_, err = client.Open(answer)
		require.NoError(t, err)
		now = now.Add(rtt)
	}
	e := client.Estimates()
	require.InDelta(t, 50, e.RTT.Milliseconds(), 4)
	require.InDelta(t, 10, e.Jitter.Milliseconds(), 3)
	require.InDelta(t, 0.2, e.Loss, 0.08)
	interval := (10 + 0.8*50) / 1000
	require.InEpsilon(t, float64(size)/interval, e.SendRate, 0.15)
	require.InEpsilon(t, 0.8*float64(size)/interval, e.DeliveryRate, 0.15)
	client.setTime(testNow)
	require.Equal(t, now.Sub(testNow)-10*time.Millisecond, client.now(), "time does not run backwards")
}

// TestAcksConcurrent uses two sessions from several goroutines.
func TestAcksConcurrent(t *testing.T) {
	client, server := pair(t, ackProtocol(t, CRC32))
	m := server.p.NewMux()
	Handle(m, func(ctx context.Context, v *input) {
		if ArrivalFrom(ctx).Sequence()%7 == 0 {
			ArrivalFrom(ctx).Decline()
		}
	})
	var mu sync.Mutex
	reports := map[uint64]bool{}
	client.OnReport(func(r Report) {
		mu.Lock()
		defer mu.Unlock()
		if _, twice := reports[r.Sequence]; twice {
			t.Errorf("datagram %d is reported twice", r.Sequence)
		}
		reports[r.Sequence] = r.Delivered
	})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for i := range 300 {
				d, err := client.Append(nil, testInput)
				for errors.Is(err, ErrUnreported) { // another goroutine is in the middle of a Tick
					runtime.Gosched()
					d, err = client.Append(nil, testInput)
				}
				if err != nil {
					t.Error(err)
					return
				}
				m.Dispatch(context.Background(), server, d)
				if d, err = server.AppendKeepalive(nil); err == nil {
					client.Open(d)
				}
				client.Tick(testNow.Add(time.Duration(i)))
			}
		})
	}
	wg.Wait()
	for seq := range client.Sent() - WindowSize {
		if delivered, ok := reports[seq]; !ok || delivered && seq%7 == 0 {
			t.Errorf("datagram %d: %v %v", seq, delivered, ok)
		}
	}
}

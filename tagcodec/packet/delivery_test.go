package packet

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

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

package packet

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
)

// TestReportsBesideSending lets two goroutines tick while one sends and one opens
// acknowledgements, as fast as they can. Half of the acknowledgements are lost. Each
// datagram is reported once, under its own number and with its own value.
func TestReportsBesideSending(t *testing.T) {
	datagrams := uint64(effort.Rounds(t, 100_000))
	client, server := pair(t, ackProtocol(t, None))
	reports := make([]atomic.Uint32, datagrams)
	var wrong atomic.Uint64
	client.OnReport(func(r Report) {
		if reports[r.Sequence].Add(1) > 1 || len(r.Values) != 1 || r.Values[0] != r.Sequence {
			wrong.Add(1)
		}
	})
	acks := make(chan []byte, 64)
	stop := make(chan struct{})
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for now := testNow; ; now = now.Add(time.Microsecond) {
				select {
				case <-stop:
					return
				default:
					client.Tick(now)
				}
			}
		})
	}
	all.Go(func() {
		for d := range acks {
			if _, err := client.Open(d); err != nil {
				wrong.Add(1)
			}
		}
	})
	var refused error
	for seq := uint64(0); seq < datagrams && refused == nil; {
		d, err := client.Append(nil, Tracked{testInput, seq})
		if err == ErrUnreported {
			continue // the goroutines that tick are behind
		}
		refused = err
		if seq%3 != 0 {
			c, err := server.Open(d)
			if err == nil {
				_, err = c.Next()
				c.Accept()
			}
			refused = err
		}
		if seq++; seq%8 == 0 {
			d, err := server.AppendKeepalive(nil)
			refused = err
			if seq%16 == 0 {
				acks <- d
			}
		}
	}
	close(acks)
	close(stop)
	all.Wait()
	client.Tick(testNow.Add(time.Hour))
	require.NoError(t, refused)
	require.Zero(t, wrong.Load(), "datagrams that are reported twice, or with the values of others")
	for seq := range datagrams - WindowSize {
		require.EqualValues(t, 1, reports[seq].Load(), "reports of datagram %d", seq)
	}
}

// A datagram that was sent three before one that is acknowledged is lost with the next
// tick, and one that was sent just before that one after 9/8 of the round trip. An ack
// that arrives later is counted, and nothing is reported again.
func TestLossByOrderAndTime(t *testing.T) {
	client, server := pair(t, ackProtocol(t, ChaCha20Poly1305))
	type report struct {
		seq       uint64
		delivered bool
	}
	var reports []report
	client.OnReport(func(r Report) { reports = append(reports, report{r.Sequence, r.Delivered}) })
	now := testNow
	client.Tick(now)
	var sent [][]byte
	for range 5 {
		d, err := client.Append(nil, testInput)
		require.NoError(t, err)
		sent = append(sent, d)
	}
	receive := func(seq int) []byte {
		c, err := server.Open(sent[seq])
		require.NoError(t, err)
		_, err = c.Next()
		require.NoError(t, err)
		c.Accept()
		ack, err := server.AppendKeepalive(nil)
		require.NoError(t, err)
		return ack
	}
	ack := receive(4)
	now = now.Add(80 * time.Millisecond)
	client.Tick(now)
	_, err := client.Open(ack)
	require.NoError(t, err)
	require.Equal(t, []report{{4, true}}, reports)
	client.Tick(now.Add(9 * time.Millisecond))
	require.Equal(t, []report{{4, true}, {0, false}, {1, false}}, reports, "three or more before datagram 4")
	client.Tick(now.Add(10 * time.Millisecond))
	require.Equal(t, []report{{4, true}, {0, false}, {1, false}, {2, false}, {3, false}}, reports, "after 9/8 of 80 ms")
	require.InDelta(t, 4.0/64, client.Estimates().Loss, 0.01)

	_, err = client.Open(receive(1))
	require.NoError(t, err)
	client.Tick(now.Add(time.Second))
	require.Len(t, reports, 5)
	st := client.Stats()
	require.Equal(t, [3]int64{1, 4, 1}, [3]int64{st.Delivered, st.Lost, st.Late})
}

// The memory of a packet in fragments grows with what arrives. A last fragment of one
// byte claims the longest packet, and gets no more than it has.
func TestFragmentsPayForMemory(t *testing.T) {
	client, server := pair(t, fragmentProtocol(t, None, false))
	p := client.p
	claimed := p.maxPacket/p.fragmentLen*p.fragmentLen + 1
	a := server.in.assembler
	for number := range uint64(100) {
		packet, refusal := a.add(p.spec, &fragment{number, claimed, claimed / p.fragmentLen, []byte{1}}, time.Duration(number)*(PartialTimeout+1))
		require.Nil(t, packet)
		require.Zero(t, refusal)
		for i := range a.partials {
			require.LessOrEqual(t, cap(a.partials[i].data), 64)
		}
		require.LessOrEqual(t, cap(a.spare), 64)
	}
}

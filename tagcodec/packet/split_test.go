package packet

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSharedGolden seals a packet in fragments together with others: its last
// fragment is after them, in one datagram.
func TestSharedGolden(t *testing.T) {
	p := fragmentProtocol(t, None, false)
	client, server := pair(t, p)
	packet := testBlob(rand.New(rand.NewPCG(1, 2)), 370)
	encoded := append([]byte{0xc8, 0x05}, packet.Data...)
	list := sealAll(t, client, testInput, packet, testInput)
	require.Len(t, list, 3)
	for i, start := range []string{"00" + "0200f40200", "0101" + "0200f40201", "0102" + "110c08040840" + "110c08040840" + "0200f40202"} {
		want := start + hex.EncodeToString(encoded[175*i:min(175*i+175, len(encoded))])
		require.Equal(t, want, hex.EncodeToString(list[i]))
	}

	var handled []string
	m := p.NewMux()
	Handle(m, func(_ context.Context, v *input) {
		require.Equal(t, testInput, *v)
		handled = append(handled, "input")
	})
	Handle(m, func(_ context.Context, v *blob) {
		require.Equal(t, packet, v)
		handled = append(handled, "blob")
	})
	for _, d := range list {
		require.NoError(t, m.Dispatch(context.Background(), server, d))
	}
	require.Equal(t, []string{"input", "input", "blob"}, handled)
}

// TestShared seals packets of all sizes together with a small one. A datagram of
// its own is only for a small packet that does not fit beside the last fragment,
// and no datagram is too long.
func TestShared(t *testing.T) {
	for _, protection := range []Protection{None, ChaCha20Poly1305} {
		p := fragmentProtocol(t, protection, true)
		client, server := pair(t, p)
		small := len(inputPacket)
		beside, alone := 0, 0
		for size := p.room - 1; size < p.room+2*p.fragmentLen; size++ {
			packet := &blob{make([]byte, size)}
			total := size + 2
			fragments := (total + p.fragmentLen - 1) / p.fragmentLen
			last := total - (fragments-1)*p.fragmentLen
			list := sealAll(t, client, packet, testInput)
			if last+small <= p.fragmentLen {
				require.Len(t, list, fragments, "%d bytes", size)
				beside++
			} else {
				require.Len(t, list, fragments+1, "%d bytes", size)
				alone++
			}
			read := 0
			for _, d := range list {
				require.LessOrEqual(t, len(d), p.config.MTU)
				c, err := server.Open(d)
				require.NoError(t, err)
				require.LessOrEqual(t, len(c.rest), p.room)
				for c.More() {
					_, err := c.Next()
					require.NoError(t, err)
					read++
				}
			}
			require.Equal(t, 2, read)
			client.Tick(testNow)
		}
		require.Equal(t, 2*small, alone)
		require.Greater(t, beside, p.fragmentLen)
	}
}

// TestSharedChoice seals several large packets. The small one is beside the first
// fragment that leaves room, and datagrams have at most MaxPackets packets.
func TestSharedChoice(t *testing.T) {
	c := testConfig(None)
	c.MTU, c.MaxPacket, c.MaxPackets = 200, 5010, 3
	p := MustNew(c, Of[blob](), Of[input]().MaxPacket(1))
	client, server := pair(t, p)
	full, short := &blob{make([]byte, 2*p.fragmentLen-2)}, &blob{make([]byte, 300)}
	list := sealAll(t, client, full, testInput, short)
	require.Len(t, list, 4)
	require.True(t, bytes.Contains(list[3], inputPacket))
	b := p.NewBatch()
	require.NoError(t, b.addAll([]any{full, testInput, testInput}))
	require.ErrorContains(t, b.Add(testInput), ErrTooMany.Error())
	require.NoError(t, client.SealEach(b, func(d []byte) error {
		_, err := server.Open(d)
		return err
	}))
}

// TestSharedReports reports the values of all packets of a shared datagram with
// it, and none of those that were not sent.
func TestSharedReports(t *testing.T) {
	p := fragmentProtocol(t, ChaCha20Poly1305, true)
	client, server := pair(t, p)
	var reports []Report
	client.OnReport(func(r Report) {
		r.Values = append([]any{}, r.Values...)
		reports = append(reports, r)
	})
	m := p.NewMux()
	decline := false
	Handle(m, func(_ context.Context, v *input) {})
	Handle(m, func(ctx context.Context, v *blob) {
		if decline {
			ArrivalFrom(ctx).Decline()
		}
	})
	packets := []any{Tracked{testInput, "small"}, Tracked{&blob{make([]byte, 300)}, "large"}}
	acknowledge := func() {
		d, err := server.AppendKeepalive(nil)
		require.NoError(t, err)
		_, err = client.Open(d)
		require.NoError(t, err)
	}
	for _, d := range sealAll(t, client, packets...) {
		require.NoError(t, m.Dispatch(context.Background(), server, d))
	}
	acknowledge()
	n := len(reports)
	require.Greater(t, n, 1)
	require.Equal(t, Report{Sequence: uint64(n - 1), Delivered: true, Values: []any{"small", "large"}}, reports[n-1])
	for _, r := range reports[:n-1] {
		require.Empty(t, r.Values)
	}

	// The large packet is declined: the datagram counts as lost.
	decline, reports = true, nil
	list := sealAll(t, client, packets...)
	for i, d := range list {
		if err := m.Dispatch(context.Background(), server, d); i == len(list)-1 {
			require.Equal(t, ErrDeclined, err)
		}
	}
	acknowledge()
	require.Len(t, reports, n-1, "all but the last datagram")
	reports = nil
	for range WindowSize {
		_, err := client.AppendKeepalive(nil)
		require.NoError(t, err)
	}
	client.Tick(testNow)
	require.Equal(t, []Report{{Sequence: uint64(2*n - 1), Values: []any{"small", "large"}}}, reports)
}

// TestSharedWithMessages queues messages, which share the same datagrams.
func TestSharedWithMessages(t *testing.T) {
	c := testConfig(None)
	c.MTU, c.MaxPacket, c.Acks, c.Messages = 200, 5010, true, 16
	p := MustNew(c, Of[blob](), Of[input](), Of[chat]())
	client, server := pair(t, p)
	m := p.NewMux()
	var handled []string
	Handle(m, func(context.Context, *input) { handled = append(handled, "input") })
	Handle(m, func(context.Context, *blob) { handled = append(handled, "blob") })
	Handle(m, func(_ context.Context, v *chat) { handled = append(handled, "chat") })
	for range 3 {
		require.NoError(t, client.Queue(&chat{strings.Repeat("x", 40)}))
	}
	list := sealAll(t, client, &blob{make([]byte, p.room)}, testInput)
	require.Len(t, list, 2)
	for _, d := range list {
		require.LessOrEqual(t, len(d), c.MTU)
		require.NoError(t, m.Dispatch(context.Background(), server, d))
	}
	require.Equal(t, []string{"chat", "chat", "input", "blob"}, handled, "there is no room for the third message")
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

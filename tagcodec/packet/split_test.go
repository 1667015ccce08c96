package packet

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"math/rand/v2"
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

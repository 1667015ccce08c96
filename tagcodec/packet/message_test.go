package packet

import (
	"bytes"
	"context"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// messageProtocol returns a protocol with at most eight messages. Its type index
// takes 2 bits, and that of messages is 3.
func messageProtocol(t testing.TB, protection Protection) *Protocol {
	c := testConfig(protection)
	c.Acks, c.Messages, c.MTU = true, 8, 400
	p, err := New(c, Of[snapshot]().MayExceed(), Of[input](), Of[chat]())
	require.NoError(t, err)
	require.Equal(t, 3, p.messageIndex)
	return p
}

// TestMessageGolden pins the bytes of datagrams with messages, made from
// docs/WIRE.md.
func TestMessageGolden(t *testing.T) {
	p := messageProtocol(t, None)
	require.Contains(t, p.Description(), "acks\nmessages\ntype 0")
	client, server := pair(t, p)
	now := testNow
	tick := func(d time.Duration) []byte {
		now = now.Add(d)
		client.Tick(now)
		datagram, err := client.Flush(nil)
		require.NoError(t, err)
		return datagram
	}
	require.Empty(t, tick(0))
	require.NoError(t, client.Queue(testInput))
	require.NoError(t, client.Queue(chat{"hi"}))
	input, hi := hex.EncodeToString(inputPacket), "0a"+"6869"
	d, err := client.Append(nil, testInput)
	require.NoError(t, err)
	require.Equal(t, "00"+"030002"+"06"+input+"03"+hi+input, hex.EncodeToString(d))
	d, err = client.Append(nil, testInput)
	require.NoError(t, err)
	require.Equal(t, "0101"+input, hex.EncodeToString(d), "they are not sent again at once")
	require.NoError(t, client.Queue(chat{"hi"}))
	d, err = client.Append(nil, testInput)
	require.NoError(t, err)
	require.Equal(t, "0102"+"030003"+"06"+input+"03"+hi+"03"+hi+input, hex.EncodeToString(d), "with those before it")
	require.Empty(t, tick(10*time.Millisecond))
	require.Empty(t, tick(249*time.Millisecond))
	again := tick(100 * time.Millisecond)
	require.Equal(t, "0103"+"030003"+"06"+input+"03"+hi+"03"+hi, hex.EncodeToString(again))
	require.Empty(t, tick(100*time.Millisecond))
	require.Equal(t, 3, client.Queued())

	c, err := server.Open(again)
	require.NoError(t, err)
	for range 3 {
		require.True(t, c.More())
		_, err := c.Next()
		require.NoError(t, err)
	}
	require.False(t, c.More())
	c.Accept()
	d, err = server.AppendKeepalive(nil)
	require.NoError(t, err)
	_, err = client.Open(d)
	require.NoError(t, err)
	require.Zero(t, client.Queued())
	require.NoError(t, client.Queue(chat{"hi"}))
	require.Empty(t, tick(0))
	require.Equal(t, "2104"+"00"+"030301"+"03"+hi, hex.EncodeToString(tick(0)))
	require.NoError(t, client.Queue(chat{"hi"}))
	d, err = client.AppendKeepalive(nil)
	require.NoError(t, err)
	require.Equal(t, "3105"+"00"+"01", hex.EncodeToString(d), "a control has no messages")
}

func TestMessageConfig(t *testing.T) {
	c := testConfig(None)
	c.Messages = 1
	_, err := New(c, Of[input]())
	require.ErrorContains(t, err, "Config.Messages is 1")
	c.Acks, c.Messages = true, -1
	_, err = New(c, Of[input]())
	require.ErrorContains(t, err, "Config.Messages is -1")
	c.Messages, c.MaxPackets = 1, 1
	_, err = New(c, Of[input]())
	require.ErrorContains(t, err, "MaxPackets")
	c.MaxPackets, c.MaxPacket = 2, 3000
	p, err := New(c, Of[blob]().MayExceed(), Of[input]())
	require.NoError(t, err)
	require.Equal(t, []int{2, 3, 2}, []int{p.fragmentIndex, p.messageIndex, p.width})
	client, _ := pair(t, p)
	for _, n := range []int{p.maxMessage, p.room - 1, p.room, 2000} {
		require.ErrorIs(t, client.Queue(&blob{make([]byte, n-1)}), ErrBudget, "%d", n)
	}
	require.ErrorIs(t, client.Queue(Tracked{chat{}, 1}), ErrUnknownType)
	require.ErrorIs(t, client.Queue(input{Thrust: 5}), ErrInvalid)
	require.Zero(t, client.Queued())
	require.NoError(t, client.Queue(&blob{make([]byte, p.maxMessage-2)}))
	require.Equal(t, ErrQueueFull, client.Queue(testInput))
	client.Tick(testNow)
	client.Tick(testNow)
	d, err := client.Flush(nil)
	require.NoError(t, err)
	require.LessOrEqual(t, len(d), DefaultMTU)
	require.Greater(t, len(d), DefaultMTU-p.Overhead()-20)

	plain, _ := pair(t, testProtocol(t, testConfig(None)))
	require.Panics(t, func() { plain.Queue(testInput) })
	require.Zero(t, plain.Queued())
}

// TestHostileMessages seals messages that no honest side sends.
func TestHostileMessages(t *testing.T) {
	p := messageProtocol(t, HMAC(16))
	client, server := pair(t, p)
	m := p.NewMux()
	handled := 0
	Handle(m, func(context.Context, *input) { handled++ })
	say := func(data string) error {
		data = strings.ReplaceAll(data, "I", "06"+hex.EncodeToString(inputPacket))
		bytes, err := hex.DecodeString(data)
		require.NoError(t, err)
		client.out.next++
		return m.Dispatch(context.Background(), server, client.out.guard.seal(nil, kindData, client.out.next, bytes))
	}
	require.NoError(t, say("030002"+"I"+"I"))
	for _, row := range []struct {
		data string
		want Refusal
	}{
		{"030301" + "I", ErrMessage},
		{"03ff0101" + "I", ErrMessage},
		{"030200" + "I", ErrGarbage},
		{"038200" + "01" + "I", ErrGarbage},
		{"03028100" + "I", ErrGarbage},
		{"0302" + "40" + "I", ErrTooMany},
		{"0302ffffffff0f" + "I", ErrGarbage},
		{"03ffffffffffffffffff01" + "01" + "I", ErrGarbage},
		{"070201" + "I", ErrGarbage},
		{"030201" + "00", ErrGarbage},
		{"030201" + "07" + hex.EncodeToString(inputPacket), ErrTruncated},
		{"030201", ErrTruncated},
		{"0302", ErrTruncated},
		{"03", ErrTruncated},
		{"030002" + "I", ErrTruncated}, // after a message that was handled before
		{"030201" + "07" + hex.EncodeToString(inputPacket) + "00", ErrInvalid},
		{"030201" + "020103", ErrTruncated},
		{"030201" + "0103", ErrUnknownType},
		{"030201" + "03" + "0a6869", ErrUnhandled},
		{hex.EncodeToString(inputPacket) + "030201" + "I", ErrGarbage}, // not at the start
	} {
		before := handled
		require.ErrorIs(t, say(row.data), row.want, row.data)
		if row.want == ErrGarbage && strings.HasPrefix(row.data, hex.EncodeToString(inputPacket)) {
			before++
		}
		require.Equal(t, before, handled, row.data)
		require.True(t, server.in.accepted.window.fresh(client.out.next), "it is not acknowledged")
	}
	handled = 0
	require.NoError(t, say("030004"+"I"+"I"+"I"+"I"))
	require.Equal(t, 2, handled, "0 and 1 were handled before")
	require.ErrorIs(t, say("030401"+"I"+"030501"+"I"), ErrGarbage, "messages twice")
}

// TestMessagePanic requires that a message is handled again after a handler has
// panicked.
func TestMessagePanic(t *testing.T) {
	p := messageProtocol(t, None)
	client, server := pair(t, p)
	m := p.NewMux()
	calls := 0
	Handle(m, func(context.Context, *chat) {
		if calls++; calls == 1 {
			panic("once")
		}
	})
	Handle(m, func(context.Context, *input) {})
	require.NoError(t, client.Queue(chat{"hi"}))
	d, err := client.Append(nil, testInput)
	require.NoError(t, err)
	again := bytes.Clone(d)
	require.Panics(t, func() { m.Dispatch(context.Background(), server, d) })
	server.in.window = window{}
	require.NoError(t, m.Dispatch(context.Background(), server, again))
	require.Equal(t, 2, calls)
}

// TestMessageClaimed gives a datagram with the message that a handler is working
// on to another goroutine, here to the handler itself.
func TestMessageClaimed(t *testing.T) {
	p := messageProtocol(t, None)
	client, server := pair(t, p)
	m := p.NewMux()
	var other []byte
	var calls []string
	Handle(m, func(ctx context.Context, v *chat) {
		calls = append(calls, v.Text)
		if d := other; d != nil {
			other = nil
			require.NoError(t, m.Dispatch(ctx, server, d))
			require.True(t, server.in.accepted.window.fresh(1), "it is not acknowledged")
		}
	})
	Handle(m, func(context.Context, *input) { calls = append(calls, "input") })
	require.NoError(t, client.Queue(chat{"one"}))
	first, err := client.Append(nil, testInput)
	require.NoError(t, err)
	require.NoError(t, client.Queue(chat{"two"}))
	other, err = client.Append(nil, testInput)
	require.NoError(t, err)
	again := bytes.Clone(other)
	require.NoError(t, m.Dispatch(context.Background(), server, first))
	require.Equal(t, []string{"one", "input", "input"}, calls)
	server.in.window = window{}
	require.NoError(t, m.Dispatch(context.Background(), server, again))
	require.Equal(t, []string{"one", "input", "input", "two", "input"}, calls)
	require.False(t, server.in.accepted.window.fresh(1))

	// Two goroutines have looked at the same message, and one of them handles it.
	client, server = pair(t, p)
	require.NoError(t, client.Queue(chat{"four"}))
	var both [2]Contents
	for i := range both {
		client.Tick(testNow.Add(time.Duration(i) * time.Second))
		d, err := client.Append(nil, testInput)
		require.NoError(t, err)
		both[i], err = server.Open(d)
		require.NoError(t, err)
		require.True(t, both[i].More())
	}
	m, calls = p.NewMux(), nil
	Handle(m, func(ctx context.Context, v *chat) {
		calls = append(calls, v.Text)
		if len(calls) == 1 {
			require.Equal(t, ErrRepeated, m.Serve(ctx, both[1]))
		}
	})
	Handle(m, func(context.Context, *input) { calls = append(calls, "input") })
	require.NoError(t, m.Serve(context.Background(), both[0]))
	require.Equal(t, []string{"four", "input"}, calls)
	require.True(t, server.in.accepted.window.fresh(1), "it is not acknowledged")
}

package packet

import (
	"errors"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/stretchr/testify/require"
)

// TestBatchFills adds packets until a datagram is full. Each packet must be
// accepted while there is room for it, and refused otherwise.
func TestBatchFills(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		p.config.MaxPackets = 1000
		client, server := pair(t, p)
		b := p.NewBatch()
		var err error
		n := 0
		for ; err == nil; n++ {
			err = b.Add(testInput)
		}
		require.ErrorIs(t, err, ErrBudget)
		require.Equal(t, p.Room()/6, b.Len(), "an input takes 6 bytes")
		require.Equal(t, n-1, b.Len())

		d := sealAt(t, client, 1<<63, testInput)
		client.out.next = 1 << 63 // so that the header is as long as possible
		d, err = client.Seal(d[:0], b)
		require.NoError(t, err)
		require.LessOrEqual(t, len(d), DefaultMTU)
		require.Greater(t, len(d), DefaultMTU-6)

		count := 0
		c, err := server.Open(d)
		require.NoError(t, err)
		for ; c.More(); count++ {
			_, err := c.Next()
			require.NoError(t, err)
		}
		require.Equal(t, b.Len(), count)
	})
}

// TestBatchAfterErrors alternates packets that can and cannot be added.
func TestBatchAfterErrors(t *testing.T) {
	c := testConfig(CRC32)
	c.EndCheck, c.MTU = true, 100
	p, err := New(c, Of[snapshot]().MayExceed(), Of[input]())
	require.NoError(t, err)
	client, server := pair(t, p)
	b := p.NewBatch()
	require.ErrorIs(t, b.Add(testSnapshot(40)), ErrBudget, "too large for any datagram")
	require.NoError(t, b.Add(testInput))
	require.ErrorIs(t, b.Add(input{Thrust: 2}), ErrInvalid)
	require.ErrorIs(t, b.Add(testSnapshot(40)), ErrBudget)
	require.ErrorIs(t, b.Add(3), ErrUnknownType)
	require.ErrorIs(t, b.Add((*input)(nil)), ErrInvalid)
	require.NoError(t, b.Add(testSnapshot(1)))
	require.Equal(t, 2, b.Len())

	d, err := client.Seal(nil, b)
	require.NoError(t, err)
	contents, err := server.Open(d)
	require.NoError(t, err)
	v, err := contents.Next()
	require.NoError(t, err)
	require.Equal(t, &testInput, v)
	v, err = contents.Next()
	require.NoError(t, err)
	require.Equal(t, testSnapshot(1), v)
	require.False(t, contents.More())
}

type empty struct{}

// TestPacketsOfNoBits sends values without bits. Each packet still takes a
// byte, so that packets can be counted.
func TestPacketsOfNoBits(t *testing.T) {
	p := MustNew(testConfig(None), Of[empty]())
	client, server := pair(t, p)
	d, err := client.Append(nil, empty{}, empty{}, empty{})
	require.NoError(t, err)
	require.Equal(t, []byte{0, 0, 0, 0}, d)
	c, err := server.Open(d)
	require.NoError(t, err)
	for range 3 {
		require.True(t, c.More())
		v, err := c.Next()
		require.NoError(t, err)
		require.Equal(t, &empty{}, v)
	}
	require.False(t, c.More())

	_, err = server.Decode([]byte{1, 9, 0x40})
	require.ErrorIs(t, err, ErrInvalid, "a bit after a value of no bits")
	_, err = server.Decode([]byte{0})
	require.Equal(t, ErrTruncated, err)
}

// counted counts how often it is serialized.
type counted struct{ Value countedValue }

type countedValue struct{ n int }

func (c *countedValue) Serialize(s *bits.Stream) error {
	c.n++
	v := uint8(42)
	bits.Bits(s, &v, 8)
	return s.Err()
}

// TestBroadcast requires that a packet is encoded once for a thousand sessions.
func TestBroadcast(t *testing.T) {
	const clients = 1000
	c := testConfig(ChaCha20Poly1305)
	p, err := New(c, Of[counted]().MayExceed())
	require.NoError(t, err)
	servers, all := make([]*Session, clients), make([]*Session, clients)
	for i := range clients {
		salt := append([]byte{byte(i), byte(i >> 8)}, testSalt...)
		servers[i], err = p.NewSession(ServerSide, testSecret, salt)
		require.NoError(t, err)
		all[i], err = p.NewSession(ClientSide, testSecret, salt)
		require.NoError(t, err)
	}
	var v counted
	b := p.NewBatch()
	require.NoError(t, b.Add(&v))
	received := 0
	err = Broadcast(b, servers, func(i int, datagram []byte) error {
		require.Equal(t, received, i)
		_, err := all[i].Decode(datagram)
		received++
		return err
	})
	require.NoError(t, err)
	require.Equal(t, clients, received)
	require.Equal(t, 1, v.Value.n)
}

// TestBroadcastGoesOn reaches the other sessions when some fail.
func TestBroadcastGoesOn(t *testing.T) {
	p := testProtocol(t, testConfig(None))
	var servers []*Session
	for range 4 {
		_, s := pair(t, p)
		servers = append(servers, s)
	}
	servers[1].out.spent = true
	closed := errors.New("closed")
	var sent []int
	b := p.NewBatch()
	require.NoError(t, b.Add(testInput))
	err := Broadcast(b, servers, func(i int, _ []byte) error {
		sent = append(sent, i)
		if i == 2 {
			return closed
		}
		return nil
	})
	require.ErrorIs(t, err, ErrExhausted)
	require.ErrorIs(t, err, closed)
	require.ErrorContains(t, err, "session 1")
	require.ErrorContains(t, err, "session 2")
	require.Equal(t, []int{0, 2, 3}, sent)

	b.Reset()
	require.ErrorIs(t, Broadcast(b, servers[:1], nil), ErrEmpty)
}

func TestForeignBatchPanics(t *testing.T) {
	p, q := testProtocol(t, testConfig(None)), testProtocol(t, testConfig(None))
	client, _ := pair(t, p)
	b := q.NewBatch()
	require.NoError(t, b.Add(testInput))
	require.PanicsWithValue(t, "packet: Seal: the batch belongs to another protocol", func() { client.Seal(nil, b) })
}

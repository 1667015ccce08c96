package packet

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

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
	require.Panics(t, func() { contents.Next() })
	other := mustSession(t, testProtocol(t, testConfig(CRC32)))
	require.PanicsWithValue(t, "packet: Seal: the batch belongs to another protocol", func() { other.Seal(nil, b) })
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

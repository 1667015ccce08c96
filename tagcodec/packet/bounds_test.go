package packet

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLastSequence seals the last datagrams that a key allows, in each
// direction. The other side refuses the one after.
func TestLastSequence(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		last := uint64(math.MaxUint64)
		if p.config.Protection == AES256GCM {
			last = 1<<23 - 1
		}
		var secret, salt []byte
		if p.config.Protection.keyed() {
			secret, salt = testSecret, testSalt
		}
		client, err := p.NewSession(ClientSide, secret, salt)
		require.NoError(t, err)
		server, err := p.NewSession(ServerSide, secret, salt)
		require.NoError(t, err)
		for _, ends := range [][2]*Session{{client, server}, {server, client}} {
			from, to := ends[0], ends[1]
			from.out.next = last - 1
			for i := range uint64(2) {
				d, err := from.Append(nil, testInput)
				require.NoError(t, err)
				c, err := to.Open(d)
				require.NoError(t, err)
				require.Equal(t, last-1+i, c.Sequence())
			}
			for range 2 {
				d, err := from.Append([]byte("before"), testInput)
				require.Equal(t, ErrExhausted, err)
				require.Equal(t, "before", string(d))
				d, err = from.AppendKeepalive([]byte("before"))
				require.Equal(t, ErrExhausted, err)
				require.Equal(t, "before", string(d))
			}
			if last == math.MaxUint64 {
				continue
			}
			from.out.guard.last = math.MaxUint64 // the sender ignores the limit
			d, err := from.Append(nil, testInput)
			require.NoError(t, err)
			_, err = to.Open(d)
			require.Equal(t, ErrGarbage, err)
		}
	})
}

// TestMaxPackets sends the maximum number of packets in a datagram, and one
// more.
func TestMaxPackets(t *testing.T) {
	c := testConfig(CRC32)
	c.MaxPackets = 3
	three := testProtocol(t, c)
	c.MaxPackets = 4
	four := testProtocol(t, c)
	require.NotEqual(t, three.ID(), four.ID(), "both sides must know it")
	client, server := pair(t, three)
	b := three.NewBatch()
	for range 3 {
		require.NoError(t, b.Add(chat{"hi"}))
	}
	before := slices.Clone(b.data)
	err := b.Add(chat{"hi"})
	require.ErrorIs(t, err, ErrTooMany)
	require.EqualError(t, err, "packet: the datagram has more packets than the protocol allows: chat")
	require.Equal(t, before, b.data)
	require.Equal(t, 3, b.Len())

	three.config.MaxPackets = 4 // the sender does not enforce the limit
	require.NoError(t, b.Add(chat{"hi"}))
	d, err := client.Seal(nil, b)
	require.NoError(t, err)
	three.config.MaxPackets = 3
	handled := 0
	m := three.NewMux()
	Handle(m, func(context.Context, *chat) { handled++ })
	require.Equal(t, ErrTooMany, m.Dispatch(context.Background(), server, d))
	require.Equal(t, 3, handled)
	require.Equal(t, uint64(1), server.Counters().Refused(ErrTooMany))

	c.MaxPackets = -1
	_, err = New(c, Of[input]())
	require.EqualError(t, err, "packet: Config.MaxPackets is -1; it must not be negative")
}

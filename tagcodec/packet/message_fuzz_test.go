package packet

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzMessages gives a session bytes as the data of two datagrams, as if from
// someone with the keys, between messages that an honest side sends. The
// session does not acknowledge a datagram if it refuses any part of it, and the
// number of the next message grows with each that is read.
func FuzzMessages(f *testing.F) {
	p := messageProtocol(f, None)
	one := append([]byte{3, 0, 1, 6}, inputPacket...)
	next := append([]byte{3, 1, 1, 6}, inputPacket...)
	f.Add(one, next)
	f.Add(append(one, inputPacket...), one)
	f.Add(next, next)
	f.Add([]byte{3, 0, 2, 3, 0x0a, 0x68, 0x69, 1, 1}, []byte{3})
	f.Fuzz(func(t *testing.T, one, two []byte) {
		client, server := pair(t, p)
		for i, data := range [][]byte{one, two} {
			if len(data) == 0 || len(data) > p.room {
				continue
			}
			c, err := server.Open(client.out.guard.seal(nil, kindData, uint64(i), bytes.Clone(data)))
			require.NoError(t, err)
			refused, packets := false, 0
			for c.More() {
				before, message := server.in.inbox.expected, c.message
				if message {
					before++
				}
				if _, err := c.Next(); err != nil {
					require.False(t, c.More())
					refused = true
					break
				}
				packets++
				require.Equal(t, before, server.in.inbox.expected)
			}
			require.LessOrEqual(t, packets, p.config.MaxPackets)
			require.False(t, server.in.inbox.claimed)
			c.Accept()
			require.Equal(t, refused, server.in.accepted.window.fresh(c.seq))
		}
	})
}

package packet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestBytesAdded measures what a datagram adds to its packet, as in the table of
// transports in docs/PACKETS.md. Two sessions with an AEAD send each other a
// packet in every tick, which arrives 3 ticks later.
func TestBytesAdded(t *testing.T) {
	for _, acks := range []bool{false, true} {
		c := testConfig(ChaCha20Poly1305)
		c.MTU, c.Acks = DefaultMTU, acks
		p := MustNew(c, Of[input]())
		client, server := pair(t, p)
		ends := [2]*Session{client, server}
		var flying [2][][]byte
		now := testNow
		for seq := 0; seq < 1<<16+1000; seq++ {
			if seq == 1000 { // the numbers between are as long
				seq = 1<<16 - 1000
				client.out.next, server.out.next = uint64(seq), uint64(seq)
			}
			now = now.Add(time.Second / 60)
			for i, s := range ends {
				s.Tick(now)
				d, err := s.Append(nil, testInput)
				require.NoError(t, err)
				added, least := len(d)-len(inputPacket), 18
				switch {
				case seq >= 1<<16:
					least = 20
				case seq >= 1<<8:
					least = 19
				}
				if !acks && seq > 0 {
					require.Equal(t, least, added, "datagram %d", seq)
				} else if acks && seq > 2*3 {
					require.GreaterOrEqual(t, added, least+3, "datagram %d", seq)
					require.LessOrEqual(t, added, least+5, "datagram %d", seq)
				}
				flying[i] = append(flying[i], d)
			}
			for i, s := range ends {
				if from := &flying[1-i]; len(*from) > 3 {
					_, err := s.Decode((*from)[0])
					require.NoError(t, err)
					*from = (*from)[1:]
				}
			}
		}
		require.Equal(t, map[bool]int{false: 1175, true: 1134}[acks], p.Room())
	}
}

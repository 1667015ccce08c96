package packet

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzAcks gives a session bytes as the data of a datagram that acknowledges, as
// if from someone with the keys. An ack section that is accepted is the only
// encoding of its set, names only datagrams that were sent, and reports each of
// them once.
func FuzzAcks(f *testing.F) {
	for _, row := range ackSections {
		data, err := hex.DecodeString(row.section)
		require.NoError(f, err)
		f.Add(uint16(512), append(data, inputPacket...))
		f.Add(uint16(3), append(data, 1))
	}
	p := ackProtocol(f, None)
	f.Fuzz(func(t *testing.T, sent uint16, data []byte) {
		var set numberSet
		rest, refusal := readAcks(data, &set)
		if refusal == 0 {
			require.Equal(t, data[:len(data)-len(rest)], appendAcks(nil, &set))
		}
		if len(data) == 0 || len(data) > p.room {
			return
		}
		client, server := pair(t, p)
		reports := map[uint64]int{}
		client.OnReport(func(r Report) {
			require.True(t, r.Delivered)
			require.Less(t, r.Sequence, client.Sent())
			reports[r.Sequence]++
			require.Equal(t, 1, reports[r.Sequence])
		})
		for range sent % ringSize {
			_, err := client.AppendKeepalive(nil)
			require.NoError(t, err)
		}
		for i, kind := range []byte{kindAcks, kindAcks | kindControl, kindAcks} {
			c, err := client.Open(server.out.guard.seal(nil, kind, uint64(i), bytes.Clone(data)))
			if err != nil {
				continue
			}
			require.Zero(t, refusal)
			require.Less(t, set.newest, client.Sent())
			readAll(t, p, c)
		}
	})
}

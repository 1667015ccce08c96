package packet

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzFragments gives a session bytes as the data of three datagrams in a row, as
// if from someone with the keys. A fragment that is accepted is in its only
// encoding, the memory stays within its bound, and each packet is complete at
// most once.
func FuzzFragments(f *testing.F) {
	p := fragmentProtocol(f, None, false)
	for index := range 4 {
		d := p.appendFragment(nil, 5, 4*p.fragmentLen, index)
		f.Add(append(d, make([]byte, p.fragmentLen)...), p.appendFragment(nil, 5, 600, 1), []byte{1, 2, 3})
	}
	whole := append(p.appendFragment(nil, 0, p.fragmentLen+20, 1), make([]byte, 20)...)
	f.Add(append(whole, whole...), whole, append(whole, inputPacket...))
	first := p.appendFragment(nil, 0, p.fragmentLen+20, 0)
	first = append(first, 0xa8|p.appendIndex(nil, 0)[0], 0x02)
	f.Add(append(first, make([]byte, p.fragmentLen-2)...), whole, whole)
	f.Fuzz(func(t *testing.T, one, two, three []byte) {
		client, server := pair(t, p)
		complete := map[uint64]bool{}
		for i, data := range [][]byte{one, two, three} {
			if len(data) == 0 || len(data) > p.room {
				continue
			}
			part, rest, refusal := p.readFragment(data)
			if refusal == 0 {
				again := append(p.appendFragment(nil, part.number, part.total, part.index), part.data...)
				require.Equal(t, data[:len(data)-len(rest)], again)
			}
			c, err := server.Open(client.out.guard.seal(nil, kindData, uint64(i), bytes.Clone(data)))
			require.NoError(t, err)
			for c.More() {
				if c.unit != nil && len(rest) == len(c.rest) {
					require.False(t, complete[part.number])
					complete[part.number] = true
				}
				if _, err := c.Next(); err != nil {
					require.False(t, c.More())
				}
			}
			memory := cap(server.in.assembler.spare)
			for _, pt := range server.in.assembler.partials {
				memory += cap(pt.data)
			}
			require.LessOrEqual(t, memory, (MaxPartial+1)*p.maxPacket)
		}
	})
}

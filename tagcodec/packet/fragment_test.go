package packet

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
)

// blob is a packet of any size up to 5000 bytes.
type blob struct {
	Data []byte `bp:"bytes,maxlen=5000"`
}

// fragmentProtocol returns a protocol with fragments of at most 5010 bytes, and
// datagrams of 200 bytes. Its type index takes 2 bits, and that of fragments is
// 2.
func fragmentProtocol(t testing.TB, protection Protection, acks bool) *Protocol {
	c := testConfig(protection)
	c.MTU, c.MaxPacket, c.Acks = 200, 5010, acks
	p, err := New(c, Of[blob](), Of[input]().MaxPacket(1))
	require.NoError(t, err)
	return p
}

func testBlob(random *rand.Rand, n int) *blob {
	b := &blob{make([]byte, n)}
	for i := range b.Data {
		b.Data[i] = byte(random.Uint32())
	}
	return b
}

// sealAll returns the datagrams of some packets.
func sealAll(t testing.TB, s *Session, packets ...any) (list [][]byte) {
	b := s.p.NewBatch()
	require.NoError(t, b.addAll(packets))
	require.NoError(t, s.SealEach(b, func(d []byte) error {
		list = append(list, slices.Clone(d))
		return nil
	}))
	return list
}

// TestFragmentGolden builds the fragments of a packet from docs/WIRE.md.
func TestFragmentGolden(t *testing.T) {
	p := fragmentProtocol(t, None, false)
	require.Equal(t, 200-9, p.Room())
	require.Equal(t, 200-9-1-15, p.fragmentLen)
	require.Contains(t, p.Description(), "packets 1..64\nfragments of 175 bytes\nfragments of type 0 up to 5010 bytes\ntype 0\t")
	client, server := pair(t, p)
	random := rand.New(rand.NewPCG(1, 2))
	packet := testBlob(random, 370)
	// The index of the type in 2 bits and the length in 13 bits, aligned.
	encoded := append([]byte{0xc8, 0x05}, packet.Data...)
	for round := range byte(2) {
		list := append(sealAll(t, client, testInput), sealAll(t, client, packet)...)
		require.Len(t, list, 4)
		seq := hex.EncodeToString([]byte{1, 4 * round})
		if round == 0 {
			seq = "00"
		}
		require.True(t, strings.HasPrefix(hex.EncodeToString(list[0]), seq))
		for i, d := range list[1:] {
			want := []byte{1, 4*round + byte(i) + 1, 2, round, 0xf4, 0x02, byte(i)}
			want = append(want, encoded[175*i:min(175*i+175, len(encoded))]...)
			require.Equal(t, want, d)
		}
		_, err := server.Decode(list[0])
		require.NoError(t, err)
		for _, i := range []int{3, 1} {
			_, err = server.Decode(list[i])
			require.Equal(t, ErrIncomplete, err)
		}
		v, err := server.Decode(list[2])
		require.NoError(t, err)
		require.Equal(t, packet, v)
	}
}

// TestFragmentConfig checks the limits of a protocol.
func TestFragmentConfig(t *testing.T) {
	c := testConfig(CRC32)
	_, err := New(c, Of[blob]())
	require.ErrorIs(t, err, ErrBudget)
	p, err := New(c, Of[blob]().MaxPacket(5004), Of[input]())
	require.NoError(t, err)
	_, err = New(c, Of[blob]().MaxPacket(5003), Of[input]())
	require.ErrorContains(t, err, "takes up to 5004 bytes, but a packet may have 5003;")
	require.Equal(t, 2, p.fragmentIndex)
	require.Equal(t, 2, p.width)
	plain, err := New(c, Of[blob]().MayExceed(), Of[input]())
	require.NoError(t, err)
	require.NotEqual(t, p.ID(), plain.ID())
	require.Equal(t, 1, plain.width)
	require.Equal(t, "fragments of 1171 bytes here, nothing there", Diff(p.Description(), plain.Description())[0].String())

	c.MaxPacket = -1
	_, err = New(c, Of[input]())
	require.ErrorContains(t, err, "MaxPacket is -1")
	c.MaxPacket = 128 * 1171
	p, err = New(c, Of[blob](), Of[input]())
	require.NoError(t, err)
	require.Equal(t, 1171, p.fragmentLen)
	c.MaxPacket++
	_, err = New(c, Of[blob](), Of[input]())
	require.ErrorContains(t, err, "at most 149888, which is 128 fragments of 1171 bytes")
	c.MTU, c.MaxPacket = 25, 100
	_, err = New(c, Of[input]())
	require.ErrorContains(t, err, "128 fragments of 0 bytes")
	require.Panics(t, func() { Of[input]().MaxPacket(0) })

	c.MTU, c.MaxPacket = 200, 300
	p, err = New(c, Of[blob]().MayExceed(), Of[input]())
	require.NoError(t, err)
	client, _ := pair(t, p)
	_, err = client.Append(nil, &blob{make([]byte, 299)})
	require.ErrorIs(t, err, ErrBudget)
	_, err = client.Append(nil, &blob{make([]byte, 298)})
	require.EqualError(t, err, "packet: too large for a datagram: blob takes 300 bytes, but a datagram has room for 187; use SealEach to send it in fragments")
	_, err = p.NewStateless(PrefixCRC32).Append(nil, &blob{make([]byte, 298)})
	require.ErrorIs(t, err, ErrBudget)
	b := p.NewBatch()
	require.Equal(t, ErrEmpty, client.SealEach(b, nil))
	other, _ := pair(t, plain)
	require.Panics(t, func() { other.SealEach(b, nil) })
}

// TestHostileFragments gives a session fragments that no honest side sends. Each
// is refused for its reason, and the packet that an honest side sends meanwhile
// is complete in the end.
func TestHostileFragments(t *testing.T) {
	p := fragmentProtocol(t, HMAC(16), true)
	client, server := pair(t, p)
	n := p.fragmentLen
	open := func(index byte, number, total, i uint64, data int) error {
		d := binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint([]byte{index}, number), total), i)
		d = append(d, make([]byte, data)...)
		c, err := server.Open(client.out.guard.seal(nil, kindData, client.out.next, d))
		require.NoError(t, err)
		client.out.next++
		_, err = c.only(nil)
		return err
	}
	honest := testBlob(rand.New(rand.NewPCG(1, 2)), 3*n-10) // packet 0
	list := sealAll(t, client, honest)
	require.Len(t, list, 3)
	_, err := server.Decode(list[0])
	require.Equal(t, ErrIncomplete, err)
	total := uint64(3*n - 8)

	rows := []struct {
		why              string
		index            byte
		number, total, i uint64
		data             int
		want             Refusal
	}{
		{"repeated", 2, 0, total, 0, n, ErrRepeated},
		{"another length", 2, 0, total + 1, 1, n, ErrFragment},
		{"another number of fragments", 2, 0, 4 * uint64(n), 3, n, ErrFragment},
		{"an index after the end", 2, 0, total, 3, n, ErrGarbage},
		{"an index that no packet has", 2, 1, total, 128, n, ErrGarbage},
		{"a packet that fits into a datagram", 2, 1, uint64(p.room), 0, n, ErrGarbage},
		{"no bytes", 2, 1, 0, 0, 0, ErrGarbage},
		{"a packet that is too large", 2, 1, 5011, 1, n, ErrTooLarge},
		{"a packet that is far too large", 2, 1, 1<<64 - 1, 1, n, ErrGarbage},
		{"a packet that is very much too large", 2, 1, 1 << 62, 1, n, ErrTooLarge},
		{"a fragment that is too short", 2, 1, total, 1, n - 1, ErrTruncated},
		{"no header", 2, 1, total, 0, 0, ErrTruncated},
		{"bits after the type index", 2 | 4, 1, total, 0, n, ErrGarbage},
		{"no type", 3, 1, total, 0, n, ErrUnknownType},
	}
	for _, row := range rows {
		before := server.Counters().Refused(row.want)
		require.Equal(t, row.want, open(row.index, row.number, row.total, row.i, row.data), row.why)
		require.Equal(t, before+1, server.Counters().Refused(row.want), row.why)
	}
	// The first byte of the packet has the index of its type: that of an input,
	// whose packets are not sent in fragments, of fragments, and none.
	for index, want := range map[byte]Refusal{1: ErrTooLarge, 2: ErrUnknownType, 3: ErrUnknownType} {
		f := p.appendFragment(nil, 7, int(total), 0)
		f = append(append(f, index), make([]byte, n-1)...)
		_, _, refusal := p.readFragment(f)
		require.Equal(t, want, refusal)
	}
	_, err = server.Decode(list[1])
	require.Equal(t, ErrIncomplete, err)
	v, err := server.Decode(list[2])
	require.NoError(t, err)
	require.Equal(t, honest, v)
	require.Equal(t, ErrLate, open(2, 0, total, 1, n))
}

// inUse reports which partials are in use.
func inUse(s *Session) (list []bool) {
	for _, pt := range s.in.assembler.partials {
		list = append(list, pt.data != nil)
	}
	return list
}

// fragmentMemory returns the bytes that a session keeps for incomplete packets.
func fragmentMemory(s *Session) int {
	n := cap(s.in.assembler.spare)
	for _, pt := range s.in.assembler.partials {
		n += cap(pt.data)
	}
	return n
}

// TestFragmentMemory sends random fragments of many packets. The memory stays
// within its bound, and is given back when time has passed.
func TestFragmentMemory(t *testing.T) {
	p := fragmentProtocol(t, None, false)
	client, server := pair(t, p)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range effort.Rounds(t, 2500) {
		total := p.room + 1 + random.IntN(p.maxPacket-p.room)
		index := random.IntN((total + p.fragmentLen - 1) / p.fragmentLen)
		d := p.appendFragment(nil, uint64(i/10+random.IntN(30)), total, index)
		d = append(d, make([]byte, min(p.fragmentLen, total-index*p.fragmentLen))...)
		c, err := server.Open(client.out.guard.seal(nil, kindData, uint64(i), d))
		require.NoError(t, err)
		for c.More() {
			c.Next()
		}
		require.LessOrEqual(t, fragmentMemory(server), (MaxPartial+1)*p.maxPacket)
	}
	require.Contains(t, inUse(server), true)
	server.Tick(testNow)
	require.Contains(t, inUse(server), true)
	server.Tick(testNow.Add(PartialTimeout))
	require.Contains(t, inUse(server), true)
	server.Tick(testNow.Add(PartialTimeout + 1))
	require.NotContains(t, inUse(server), true)
}

// TestFragmentsGivenUp requires that a fragment is refused after its packet has
// been given up, for lack of time or room. Otherwise the session could
// acknowledge all fragments of a packet that was never complete.
func TestFragmentsGivenUp(t *testing.T) {
	p := fragmentProtocol(t, ChaCha20Poly1305, true)
	random := rand.New(rand.NewPCG(1, 2))
	decode := func(server *Session, d []byte) error {
		_, err := server.Decode(d)
		return err
	}
	client, server := pair(t, p)
	server.Tick(testNow)
	late := sealAll(t, client, testBlob(random, 600))
	require.Equal(t, ErrIncomplete, decode(server, late[0]))
	server.setTime(testNow.Add(PartialTimeout))
	require.Equal(t, ErrIncomplete, decode(server, late[1]))
	server.setTime(testNow.Add(PartialTimeout + 1))
	require.Equal(t, ErrLate, decode(server, late[2]))
	require.Equal(t, ErrLate, decode(server, late[3]))

	client, server = pair(t, p)
	var packets [][][]byte
	for range MaxPartial + 2 {
		packets = append(packets, sealAll(t, client, testBlob(random, 200)))
	}
	for _, i := range []int{1, 3, 2, 4} {
		require.Equal(t, ErrIncomplete, decode(server, packets[i][0]))
	}
	require.Equal(t, ErrLate, decode(server, packets[0][0]), "all places have later packets")
	require.Equal(t, ErrIncomplete, decode(server, packets[5][0]), "in place of packet 1")
	require.NoError(t, decode(server, packets[4][1]))
	require.Equal(t, ErrLate, decode(server, packets[1][1]))
	require.Equal(t, ErrLate, decode(server, packets[0][1]), "though there is a place again")
	for _, i := range []int{5, 2, 3} {
		require.NoError(t, decode(server, packets[i][1]))
	}
	d := p.appendFragment(nil, 0, 300, 0)
	c, err := server.Open(client.out.guard.seal(nil, kindData, 100, append(d, make([]byte, p.fragmentLen)...)))
	require.NoError(t, err)
	_, err = c.Next()
	require.Equal(t, ErrLate, err)
}

package packet

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// eachStateless runs a test with every prefix, with and without the end check,
// for protocols with and without keys.
func eachStateless(t *testing.T, f func(t *testing.T, s *Stateless)) {
	for _, protection := range []Protection{CRC32, ChaCha20Poly1305} {
		for _, end := range []bool{false, true} {
			for prefix := range Prefix(len(prefixes)) {
				c := testConfig(protection)
				c.EndCheck = end
				name := protection.String() + ", " + prefix.String()
				if end {
					name += ", end check"
				}
				t.Run(name, func(t *testing.T) { f(t, testProtocol(t, c).NewStateless(prefix)) })
			}
		}
	}
}

// mustAppend returns the datagram of packets.
func mustAppend(t testing.TB, s *Stateless, packets ...any) []byte {
	d, err := s.Append(nil, packets...)
	require.NoError(t, err)
	return d
}

// TestStatelessGolden pins the datagram of one input under each prefix, for a
// fixed id and end check.
func TestStatelessGolden(t *testing.T) {
	p := testProtocol(t, testConfig(None))
	for prefix, want := range []string{
		PrefixCRC32: "e022f0d0" + "110c08040840",
		PrefixID32:  "efcdab89" + "110c08040840",
		PrefixID64:  "efcdab8967452301" + "110c08040840",
	} {
		s := p.NewStateless(Prefix(prefix))
		s.setID(0x0123456789abcdef, nil)
		require.Equal(t, want, hex.EncodeToString(mustAppend(t, s, testInput)))
	}
	s := p.NewStateless(PrefixCRC32)
	s.setID(0x0123456789abcdef, []byte{0xaa, 0xbb, 0xcc, 0xdd})
	require.Equal(t, "78e16d2a"+"110c08040840"+"aabbccdd", hex.EncodeToString(mustAppend(t, s, testInput)))
}

// TestStatelessWire builds datagrams independently, directly from docs/WIRE.md,
// and requires the same bytes.
func TestStatelessWire(t *testing.T) {
	eachStateless(t, func(t *testing.T, s *Stateless) {
		p := s.Protocol()
		want := strings.Replace(p.Description(), "protection "+p.config.Protection.String(), "stateless "+s.prefix.String(), 1)
		require.Equal(t, want, s.Description())
		hash := sha256.Sum256([]byte(wire(want)))
		id := hash[:8]
		require.Equal(t, binary.LittleEndian.Uint64(id), s.ID())

		data := slices.Concat(inputPacket, inputPacket)
		overhead := 0
		if p.config.EndCheck {
			data = append(data, hash[8:12]...)
			overhead = 4
		}
		var datagram []byte
		switch s.prefix {
		case PrefixCRC32:
			covered := slices.Concat(id, data)
			datagram = append(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(covered)), data...)
			overhead += 4
		case PrefixID32:
			datagram = slices.Concat(id[:4], data)
			overhead += 4
		case PrefixID64:
			datagram = slices.Concat(id, data)
			overhead += 8
		}
		require.Equal(t, datagram, mustAppend(t, s, testInput, &testInput))
		require.Equal(t, overhead, s.Overhead())
		require.Len(t, datagram, 2*len(inputPacket)+overhead)

		c, err := s.Open(datagram)
		require.NoError(t, err)
		require.Zero(t, c.Sequence())
		require.Equal(t, NoControl, c.Control())
		for range 2 {
			v, err := c.Next()
			require.NoError(t, err)
			require.Equal(t, &testInput, v)
		}
		require.False(t, c.More())
		require.Equal(t, uint64(2), s.Counters().Accepted())
	})
}

// TestStatelessIDs requires that each prefix has an id of its own, and that no
// kind of datagram is accepted as one of another kind or of a session.
func TestStatelessIDs(t *testing.T) {
	c := testConfig(CRC32)
	p := testProtocol(t, c)
	client, server := pair(t, p)
	c.Version++
	other := testProtocol(t, c)
	c.Version--
	c.DataHash[0] = 1
	data := testProtocol(t, c)

	ids := map[uint64]bool{p.ID(): true}
	for to := range Prefix(len(prefixes)) {
		s := p.NewStateless(to)
		require.False(t, ids[s.ID()])
		ids[s.ID()] = true
		require.Equal(t, s.ID(), p.With().NewStateless(to).ID())

		want := ErrProtocol
		if to == PrefixCRC32 {
			want = ErrChecksum
		}
		for from := range Prefix(len(prefixes)) {
			if from != to {
				_, err := s.Open(mustAppend(t, p.NewStateless(from), testSnapshot(3)))
				require.Equal(t, want, err, "%v as %v", from, to)
			}
			_, err := s.Open(mustAppend(t, other.NewStateless(from), testSnapshot(3)))
			require.Equal(t, want, err, "another version")
			_, err = s.Open(mustAppend(t, data.NewStateless(from), testSnapshot(3)))
			require.Equal(t, want, err, "other data")
		}
		_, err := s.Open(sealAt(t, client, 7, testSnapshot(3)))
		require.Equal(t, want, err, "the datagram of a session")
		_, err = server.Open(mustAppend(t, s, testSnapshot(3)))
		require.Error(t, err)
		require.Equal(t, uint64(len(prefixes)*3), s.Counters().Refused(want))
	}
	require.Equal(t, []Difference{{Ours: "stateless crc-32", Theirs: "stateless id-64"}},
		Diff(p.NewStateless(PrefixCRC32).Description(), p.NewStateless(PrefixID64).Description()))
}

// TestStatelessFaults damages a datagram in every bit, and cuts it off after
// every byte. A CRC detects all of that. An id detects damage to itself, and the
// end check detects a cut. Explain finds the same.
func TestStatelessFaults(t *testing.T) {
	eachStateless(t, func(t *testing.T, s *Stateless) {
		good := mustAppend(t, s, testSnapshot(3))
		size := prefixes[s.prefix].size
		least := s.Overhead() + s.reading.minPacket
		explained := func(d []byte) {
			e := s.Explain(d)
			checkParts(t, d, e)
			c, err := s.Open(d)
			for err == nil && c.More() {
				_, err = c.Next()
			}
			var refusal, found Refusal
			errors.As(err, &refusal)
			errors.As(e.Err, &found)
			require.Equal(t, refusal, found)
		}
		explained(good)
		require.Equal(t, 8*size, s.Explain(good).Parts[0].Bits)
		for bit := range 8 * len(good) {
			d := bytes.Clone(good)
			d[bit/8] ^= 1 << (bit % 8)
			_, err := s.Decode(d)
			explained(d)
			switch {
			case s.prefix == PrefixCRC32:
				require.Equal(t, ErrChecksum, err)
			case bit < 8*size:
				require.Equal(t, ErrProtocol, err)
			case bit >= 8*(len(good)-len(s.endCheck)):
				require.Equal(t, ErrEndCheck, err)
			}
		}
		for n := range good {
			_, err := s.Decode(good[:n:n])
			explained(good[:n:n])
			switch {
			case n < least:
				require.Equal(t, ErrTruncated, err)
			case s.prefix == PrefixCRC32:
				require.Equal(t, ErrChecksum, err)
			case s.endCheck != nil:
				require.Equal(t, ErrEndCheck, err)
			default:
				require.ErrorIs(t, err, ErrTruncated)
			}
		}
	})
}

// TestStatelessRefuses opens datagrams whose prefix is right and whose packets
// are not.
func TestStatelessRefuses(t *testing.T) {
	eachStateless(t, func(t *testing.T, s *Stateless) {
		p := s.Protocol()
		seal := func(data []byte) []byte {
			d, err := s.Seal(nil, &Batch{p: p, data: data, end: len(data), packets: 1})
			require.NoError(t, err)
			return d
		}
		padded := bytes.Clone(inputPacket)
		padded[5] |= 0x80
		for _, row := range []struct {
			why  string
			data []byte
			want Refusal
		}{
			{"an index without a type", []byte{3, 0, 0, 0, 0, 0}, ErrUnknownType},
			{"a bit after the value", padded, ErrInvalid},
			{"a packet and a piece of another", append(bytes.Clone(inputPacket), inputPacket[:3]...), ErrSeveral},
			{"two packets", slices.Concat(inputPacket, inputPacket), ErrSeveral},
			{"more than any sender's", make([]byte, p.room+1), ErrTooLong},
			{"no packet", nil, ErrTruncated},
		} {
			before := s.Counters().Refused(row.want)
			_, err := s.Decode(seal(row.data))
			require.ErrorIs(t, err, row.want, row.why)
			require.Equal(t, before+1, s.Counters().Refused(row.want), row.why)
		}
		c, err := s.Open(seal(bytes.Repeat(inputPacket, DefaultMaxPackets+1)))
		require.NoError(t, err)
		for range DefaultMaxPackets {
			_, err = c.Next()
			require.NoError(t, err)
		}
		_, err = c.Next()
		require.Equal(t, ErrTooMany, err)

		_, err = s.Append([]byte("dst"), struct{ X int }{})
		require.ErrorIs(t, err, ErrUnknownType)
		dst, err := s.Append([]byte("dst"))
		require.Equal(t, ErrEmpty, err)
		require.Equal(t, "dst", string(dst))
		other := testProtocol(t, p.config)
		require.PanicsWithValue(t, "packet: Seal: the batch belongs to another protocol", func() { s.Seal(nil, other.NewBatch()) })
		require.PanicsWithValue(t, "packet: NewStateless: invalid prefix 3", func() { p.NewStateless(PrefixID64 + 1) })
	})
}

// TestStatelessRoom fills a datagram to the last byte of the MTU that a batch
// may use.
func TestStatelessRoom(t *testing.T) {
	type full struct{ Data [100]byte }
	for _, protection := range protections {
		for _, end := range []bool{false, true} {
			c := Config{Application: "test", Protection: protection, EndCheck: end}
			c.MTU = MustNew(c, Of[full]()).Overhead() + 100
			p := MustNew(c, Of[full]())
			for prefix := range Prefix(len(prefixes)) {
				s := p.NewStateless(prefix)
				d := mustAppend(t, s, full{})
				require.LessOrEqual(t, len(d), c.MTU)
				_, err := s.Decode(d)
				require.NoError(t, err)
				_, err = s.Decode(append(d, 0))
				require.Equal(t, ErrTooLong, err)
			}
		}
	}
}

// TestStatelessHasNoState requires that a datagram is accepted however often it
// arrives and whatever else has arrived.
func TestStatelessHasNoState(t *testing.T) {
	p := testProtocol(t, testConfig(HMAC(16)))
	s := p.NewStateless(PrefixCRC32)
	d := mustAppend(t, s, testInput)
	keep := bytes.Clone(d)
	var got []any
	m := p.NewMux()
	Handle(m, func(_ context.Context, v *input) { got = append(got, *v) })
	for range 3 {
		c, err := s.Open(d)
		require.NoError(t, err)
		require.NoError(t, m.Serve(context.Background(), c))
		require.Equal(t, keep, d, "Open does not change the datagram")
	}
	require.Equal(t, []any{testInput, testInput, testInput}, got)
	shared := new(Counters)
	s.CountIn(shared)
	_, err := s.Open(d[1:])
	require.Equal(t, ErrChecksum, err)
	require.Same(t, shared, s.Counters())
	require.Equal(t, uint64(1), shared.Refused(ErrChecksum))

	reader := p.NewStateless(PrefixCRC32)
	var in input
	v, err := reader.Decode(d, &in)
	require.NoError(t, err)
	require.Same(t, &in, v)
}

// FuzzStateless gives arbitrary bytes to every kind of stateless datagram, as a
// datagram and as the packets of one.
func FuzzStateless(f *testing.F) {
	var list []*Stateless
	for _, end := range []bool{false, true} {
		c := testConfig(None)
		c.EndCheck = end
		for prefix := range Prefix(len(prefixes)) {
			list = append(list, testProtocol(f, c).NewStateless(prefix))
		}
	}
	for i, s := range list {
		for _, v := range []any{testSnapshot(3), testInput, chat{"hello"}} {
			d := mustAppend(f, s, v, testInput)
			f.Add(uint8(i), d)
			f.Add(uint8(i), d[prefixes[s.prefix].size:])
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		s := list[int(which)%len(list)]
		p := s.Protocol()
		if c, err := s.Open(data); err == nil {
			again, err := s.Seal(nil, &Batch{p: p, data: c.rest, end: len(c.rest), packets: 1})
			require.NoError(t, err)
			require.Equal(t, data, again)
			readAll(t, p, c)
		}
		if len(data) < p.minPacket || len(data) > p.room {
			return
		}
		d, err := s.Seal(nil, &Batch{p: p, data: data, end: len(data), packets: 1})
		require.NoError(t, err)
		c, err := s.Open(d)
		require.NoError(t, err)
		readAll(t, p, c)
	})
}

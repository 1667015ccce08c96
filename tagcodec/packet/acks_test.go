package packet

import (
	"encoding/hex"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// ackProtocol returns a protocol with acknowledgements.
func ackProtocol(t testing.TB, protection Protection) *Protocol {
	c := testConfig(protection)
	c.Acks = true
	return testProtocol(t, c)
}

// setOf returns the set of some numbers, highest first.
func setOf(numbers ...uint64) numberSet {
	s := numberSet{newest: numbers[0]}
	for _, n := range numbers {
		i := s.newest - n
		s.bits[i/64] |= 1 << (i % 64)
	}
	return s
}

// ackSections are sets and their only encodings, made from docs/WIRE.md.
var ackSections = []struct {
	numbers []uint64
	section string
}{
	{[]uint64{0}, "00"},
	{[]uint64{1}, "0101"},
	{[]uint64{1, 0}, "110101"},
	{[]uint64{3, 1, 0}, "110306"},
	{[]uint64{9, 1}, "110980"},
	{[]uint64{9, 0}, "21090001"},
	{[]uint64{0x0203, 0x0202}, "12030201"},
	{[]uint64{100, 100 - 64}, "8164" + "0000000000000080"},
	{[]uint64{100, 100 - 65}, "9164" + "000000000000000001000000"},
	{[]uint64{0x0203, 0x0203 - 97}, "a2" + "0302" + "00000000000000000000000001000000"},
	{[]uint64{0x0203, 0x0203 - 255}, "e2" + "0302" + "000000000000000000000000000000000000000000000000000000000000" + "0040"},
	{[]uint64{math.MaxUint64}, "08ffffffffffffffff"},
}

func TestAckSections(t *testing.T) {
	for _, row := range ackSections {
		want := setOf(row.numbers...)
		section := appendAcks([]byte("before"), &want)
		require.Equal(t, "before", string(section[:6]))
		require.Equal(t, row.section, hex.EncodeToString(section[6:]))
		require.LessOrEqual(t, len(section[6:]), maxAcks)
		var got numberSet
		rest, refusal := readAcks(append(section[6:], "after"...), &got)
		require.Zero(t, refusal)
		require.Equal(t, "after", string(rest))
		require.Equal(t, want, got)
		for n := range section[6:] {
			_, refusal := readAcks(section[6:6+n], &got)
			require.Equal(t, ErrTruncated, refusal, "%d bytes of %x", n, section[6:])
		}
	}
	for section, why := range map[string]string{
		"0100":                               "a number with a zero byte",
		"09010101010101010101":               "a number of 9 bytes",
		"1100" + "01":                        "the same, with a set",
		"110300":                             "an empty set of a byte",
		"21030600":                           "a set with a zero byte",
		"91640000000000000080" + "00000000":  "12 bytes where 8 suffice",
		"1001":                               "a number before 0",
		"110304" + "":                        "",
		"110308":                             "the number -1",
		"f164":                               "a length without meaning",
		"e2" + "0302" + zeros(31) + "80":     "a number before the window",
		"e2" + "0302" + zeros(31) + "c0":     "a number before the window, and one in it",
		"e2" + "0302" + zeros(27) + "010000": "shorter than its length",
	} {
		data, err := hex.DecodeString(section)
		require.NoError(t, err)
		var s numberSet
		_, refusal := readAcks(data, &s)
		switch why {
		case "":
			require.Zero(t, refusal)
		case "shorter than its length":
			require.Equal(t, ErrTruncated, refusal)
		default:
			require.Equal(t, ErrGarbage, refusal, why)
		}
	}
}

func zeros(n int) string { return hex.EncodeToString(make([]byte, n)) }

// TestAckGolden pins the bytes of a conversation without protection. What has
// nothing to acknowledge has the bytes that it has without Config.Acks.
func TestAckGolden(t *testing.T) {
	client, server := pair(t, ackProtocol(t, None))
	say := func(from, to *Session, want string) {
		t.Helper()
		d, err := from.Append(nil, testInput)
		require.NoError(t, err)
		require.Equal(t, want, hex.EncodeToString(d))
		_, err = to.Decode(d)
		require.NoError(t, err)
	}
	input := hex.EncodeToString(inputPacket)
	say(client, server, "00"+input)
	say(client, server, "0101"+input)
	client.out.next++ // lost
	say(client, server, "0103"+input)
	say(server, client, "20"+"110306"+input)
	say(server, client, "2101"+"110306"+input) // the client has not acknowledged the first
	say(client, server, "2104"+"110101"+input)
	say(server, client, "2102"+"0104"+input) // what the client knows is not repeated
	d, err := client.AppendKeepalive(nil)
	require.NoError(t, err)
	require.Equal(t, "3105"+"0102"+"01", hex.EncodeToString(d))
	_, err = server.Open(d)
	require.NoError(t, err)
	d, err = server.AppendDisconnect(nil, ReasonKicked)
	require.NoError(t, err)
	require.Equal(t, "3103"+"0105"+"0203", hex.EncodeToString(d))
}

// TestAckKinds requires that acknowledgements are part of the protocol id, and
// that a session without them refuses the kinds 2 and 3.
func TestAckKinds(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		c := p.config
		c.Acks = true
		with := testProtocol(t, c)
		require.NotEqual(t, p.ID(), with.ID())
		require.Equal(t, p.Overhead()+maxAcks, with.Overhead())
		require.Equal(t, p.Room()-maxAcks, with.Room())
		client, server := pair(t, p)
		for _, kind := range []byte{kindAcks, kindAcks | kindControl, 4 << 4, 8 << 4} {
			_, err := server.Open(client.out.guard.seal(nil, kind, 7, append([]byte{0, 1, 2, 3}, p.endCheck...)))
			require.Equal(t, ErrGarbage, err)
		}
		require.Panics(t, func() { client.OnReport(nil) })
		require.Zero(t, client.Estimates())
	})
}

// TestHostileAcks seals ack sections that no honest side produces.
func TestHostileAcks(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		c := p.config
		c.Acks = true
		client, server := pair(t, testProtocol(t, c))
		var reports []uint64
		client.OnReport(func(r Report) {
			require.True(t, r.Delivered)
			reports = append(reports, r.Sequence)
		})
		for range 4 {
			_, err := client.Append(nil, testInput)
			require.NoError(t, err)
		}
		seq := uint64(0)
		open := func(section string, rest []byte) error {
			data, err := hex.DecodeString(section)
			require.NoError(t, err)
			data = slices.Concat(data, rest, client.p.endCheck)
			seq++
			_, err = client.Open(server.out.guard.seal(nil, kindAcks, seq, data))
			return err
		}
		for _, row := range []struct {
			section string
			want    Refusal
		}{
			{"0104", ErrAcks}, // the next number
			{"110407", ErrAcks},
			{"08ffffffffffffffff", ErrAcks},
			{"0203ff", ErrAcks},
			{"110308", ErrGarbage},
			{"110300", ErrGarbage},
		} {
			require.Equal(t, row.want, open(row.section, inputPacket), row.section)
		}
		require.Equal(t, uint64(4), client.Counters().Refused(ErrAcks))
		require.Empty(t, reports, "a refused datagram acknowledges nothing")
		require.Equal(t, ErrTruncated, open("0103", nil))
		require.Empty(t, reports)

		require.NoError(t, open("110301", inputPacket))
		require.Equal(t, []uint64{2, 3}, reports)
		require.NoError(t, open("110301", inputPacket))
		require.NoError(t, open("0102", inputPacket))
		require.NoError(t, open("110302", inputPacket), "without 2, which it has acknowledged")
		require.Equal(t, uint64(4), client.out.flights.known)
		require.NoError(t, open("0102", inputPacket))
		require.Equal(t, uint64(4), client.out.flights.known)
		require.Equal(t, []uint64{2, 3, 1}, reports)
	})
}

// TestAckLimits requires that a session survives the last sequence numbers.
func TestAckLimits(t *testing.T) {
	p := ackProtocol(t, None)
	client, server := pair(t, p)
	for _, seq := range []uint64{math.MaxUint64, 3, math.MaxUint64 - 1} {
		c, err := server.Open(client.out.guard.seal(nil, kindData, seq, inputPacket))
		if seq == 3 {
			require.Equal(t, ErrReplayed, err)
			continue
		}
		require.NoError(t, err)
		_, err = c.Next()
		require.NoError(t, err)
		c.Accept()
		d, err := server.AppendKeepalive(nil)
		require.NoError(t, err)
		require.Contains(t, hex.EncodeToString(d), "8ffffffffffffffff"[1:])
	}
}

// TestUnreported sends without a tick until the session must report.
func TestUnreported(t *testing.T) {
	p := ackProtocol(t, None)
	client, _ := pair(t, p)
	var reports []uint64
	client.OnReport(func(r Report) {
		require.False(t, r.Delivered)
		reports = append(reports, r.Sequence)
	})
	for range ringSize {
		_, err := client.Append(nil, testInput)
		require.NoError(t, err)
	}
	_, err := client.Append(nil, testInput)
	require.Equal(t, ErrUnreported, err)
	require.Equal(t, uint64(ringSize), client.Sent())
	require.Empty(t, reports)
	set := setOf(10)
	require.Zero(t, client.learn(&set, 0))
	require.Empty(t, reports, "it has left the window, and counts as lost")
	client.Tick(testNow)
	require.Len(t, reports, ringSize-WindowSize)
	require.True(t, slices.IsSorted(reports))
	_, err = client.Append(nil, testInput)
	require.NoError(t, err)
	client.Tick(testNow)
	require.Len(t, reports, ringSize-WindowSize+1)
}

// TestFlush requires that a side that has nothing to say acknowledges after two
// ticks, and that keepalives are not acknowledged for their own sake.
func TestFlush(t *testing.T) {
	client, server := pair(t, ackProtocol(t, ChaCha20Poly1305))
	flush := func(s *Session, i int) []byte {
		s.Tick(testNow.Add(time.Duration(i) * time.Second))
		d, err := s.Flush(nil)
		require.NoError(t, err)
		return d
	}
	require.Empty(t, flush(server, 0))
	d, err := client.Append(nil, testInput)
	require.NoError(t, err)
	_, err = server.Decode(d)
	require.NoError(t, err)
	require.Empty(t, flush(server, 1), "the program may send something itself")
	d = flush(server, 2)
	require.NotEmpty(t, d)
	require.Empty(t, flush(server, 3))
	require.Empty(t, flush(server, 4))
	_, err = client.Open(d)
	require.NoError(t, err)
	for i := range 3 {
		require.Empty(t, flush(client, i), "a keepalive waits for the next datagram")
	}
}

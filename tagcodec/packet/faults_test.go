package packet

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
)

// eachGuarded runs a test with every protection that detects faults.
func eachGuarded(t *testing.T, f func(t *testing.T, p *Protocol)) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		if p.config.Protection == None {
			t.Skip("nothing finds a fault")
		}
		f(t, p)
	})
}

// TestEveryBitTruncation cuts a datagram at each of its bits, and fills the
// last byte with zeros.
func TestEveryBitTruncation(t *testing.T) {
	eachGuarded(t, func(t *testing.T, p *Protocol) {
		client, server := pair(t, p)
		d := sealAt(t, client, 300, testSnapshot(4))
		for n := range 8 * len(d) {
			cut := bytes.Clone(d[:(n+7)/8])
			if n%8 != 0 {
				cut[n/8] &= 1<<(n%8) - 1
			}
			_, err := server.Open(bytes.Clone(cut))
			require.Equal(t, bytes.Equal(cut, d), err == nil, "cut to %d bits: %v", n, err)
			server.in.window = window{}
		}
	})
}

// TestCRCFindsAllSmallFaults damages a datagram in all the ways that a CRC-32
// is guaranteed to detect: up to three flipped bits, or any pattern within 32
// consecutive bits.
func TestCRCFindsAllSmallFaults(t *testing.T) {
	client, server := pair(t, testProtocol(t, testConfig(CRC32)))
	d := sealAt(t, client, 0x0203, testInput)
	refuse := func(flipped ...int) {
		for _, bit := range flipped {
			d[bit/8] ^= 1 << (bit % 8)
		}
		if _, err := server.Open(d); err == nil {
			t.Fatalf("accepted with the bits %v flipped", flipped)
		}
		for _, bit := range flipped {
			d[bit/8] ^= 1 << (bit % 8)
		}
	}
	bits := 8 * len(d)
	for i := range bits {
		refuse(i)
		for j := range i {
			refuse(i, j)
			for k := range j {
				refuse(i, j, k)
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	var burst []int
	for start := range bits {
		for length := 4; length <= 32 && start+length <= bits; length++ {
			for range 20 {
				burst = append(burst[:0], start, start+length-1)
				inner := random.Uint32()
				for k := 1; k < length-1; k++ {
					if inner>>k&1 != 0 {
						burst = append(burst, start+k)
					}
				}
				refuse(burst...)
			}
		}
	}
	_, err := server.Open(d)
	require.NoError(t, err)
}

// TestCRCFindsTheRest damages whole datagrams at random. A test cannot observe
// that one in 2^32 of them is accepted. It can check that the CRC behaves as a
// random number would: each half of it matches by chance once in 2^16 times,
// and no more often. None of them matches completely.
func TestCRCFindsTheRest(t *testing.T) {
	client, server := pair(t, testProtocol(t, testConfig(CRC32)))
	d := sealAt(t, client, 0x0203, testSnapshot(4))
	random := rand.New(rand.NewPCG(3, 4))
	damages := effort.Rounds(t, 1<<19)
	want := binary.LittleEndian.Uint32(d)
	low, high := 0, 0
	bad := bytes.Clone(d)
	for range damages {
		for k := 7; k < len(bad); k += 8 { // after the header
			word := random.Uint64()
			for i := k; i < min(k+8, len(bad)); i++ {
				bad[i] = d[i] ^ byte(word)
				word >>= 8
			}
		}
		if _, err := server.Open(bad); err != ErrChecksum {
			t.Fatalf("%v: %x", err, bad)
		}
		got := binary.LittleEndian.Uint32(server.in.guard.checksum[:])
		if uint16(got) == uint16(want) {
			low++
		}
		if got>>16 == want>>16 {
			high++
		}
	}
	mean := float64(damages) / (1 << 16)
	for _, n := range []int{low, high} {
		require.InDelta(t, mean, float64(n), 5*math.Sqrt(mean))
	}
}

// foreign returns sessions whose datagrams a server must refuse: of other
// protocols, secrets and salts, and of the other direction.
func foreign(t *testing.T, p *Protocol) (list []*Session) {
	for _, change := range []func(c *Config){
		func(c *Config) { c.Version++ },
		func(c *Config) { c.Application += "2" },
		func(c *Config) { c.EndCheck = !c.EndCheck },
	} {
		c := p.config
		change(&c)
		client, _ := pair(t, testProtocol(t, c))
		list = append(list, client)
	}
	fewer, err := New(p.config, Of[snapshot](), Of[input]())
	require.NoError(t, err)
	client, _ := pair(t, fewer)
	list = append(list, client)
	if p.config.Protection.keyed() {
		for _, keys := range [][2][]byte{{bytes.Repeat([]byte{1}, MinSecret), testSalt}, {testSecret, bytes.Repeat([]byte{1}, MinSalt)}} {
			other, err := p.NewSession(ClientSide, keys[0], keys[1])
			require.NoError(t, err)
			list = append(list, other)
		}
		_, server := pair(t, p)
		list = append(list, server)
	}
	return list
}

// TestBadNetwork delivers datagrams damaged, cut, repeated, reordered and
// replayed at the end. They are mixed with datagrams of other protocols,
// sessions and directions that have the same sequence numbers and packets.
// Every datagram that was sent is accepted exactly once and unchanged, and
// nothing else is accepted.
func TestBadNetwork(t *testing.T) {
	const sent = 600
	eachGuarded(t, func(t *testing.T, p *Protocol) {
		client, server := pair(t, p)
		others := foreign(t, p)
		random := rand.New(rand.NewPCG(5, 6))
		var wire, all [][]byte
		for i := range uint64(sent) {
			v := input{Tick: uint32(i) * 0x9E3779B9, Fire: i%3 == 0}
			d := sealAt(t, client, i, v)
			all = append(all, d)
			for range 1 + random.IntN(3) {
				wire = append(wire, d)
			}
			wire = append(wire, sealAt(t, others[i%uint64(len(others))], i, input{Tick: 0xBAD}))
			cut := bytes.Clone(d[:random.IntN(len(d))])
			damaged := bytes.Clone(d)
			for range 1 + random.IntN(8) {
				damaged[random.IntN(len(damaged))] ^= 1 << random.IntN(8)
			}
			longer := append(bytes.Clone(d), byte(random.IntN(2)))
			spliced := append(bytes.Clone(d[:len(d)/2]), all[random.IntN(len(all))][len(d)/2:]...)
			for _, bad := range [][]byte{cut, damaged, longer, spliced} {
				if !bytes.Equal(bad, d) {
					wire = append(wire, bad)
				}
			}
		}
		for i := range wire { // as far back as the window reaches
			j := min(i+random.IntN(100), len(wire)-1)
			wire[i], wire[j] = wire[j], wire[i]
		}
		wire = append(wire, all...)
		accepted := make([]int, sent)
		for _, d := range wire {
			c, err := server.Open(bytes.Clone(d))
			if err != nil {
				continue
			}
			require.Less(t, c.Sequence(), uint64(sent), "%x", d)
			require.Equal(t, all[c.Sequence()], d, "accepted, and never sent")
			v, err := c.Next()
			require.NoError(t, err)
			i := c.Sequence()
			require.Equal(t, &input{Tick: uint32(i) * 0x9E3779B9, Fire: i%3 == 0}, v)
			accepted[i]++
		}
		for i, n := range accepted {
			require.Equal(t, 1, n, "datagram %d", i)
		}
	})
}

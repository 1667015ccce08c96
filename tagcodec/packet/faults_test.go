package packet

import (
	"bytes"
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
	sent := effort.Rounds(t, 80)
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

package packet

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzDecode gives a session bytes twice: as a datagram from anyone, and as the
// packets of a datagram from someone with the keys. No bytes may make it panic.
// No datagram without the keys may be accepted. The data of an accepted
// datagram must be exactly what a sender produces from its packets.
func FuzzDecode(f *testing.F) {
	var protocols []*Protocol
	for _, protection := range protections {
		for _, end := range []bool{false, true} {
			c := testConfig(protection)
			c.EndCheck = end
			protocols = append(protocols, testProtocol(f, c))
		}
	}
	for i, p := range protocols {
		client, _ := pair(f, p)
		for _, v := range []any{testSnapshot(3), testInput, chat{"hello"}} {
			f.Add(uint8(i), sealAt(f, client, uint64(300*i), v, testInput))
			b := p.NewBatch()
			require.NoError(f, b.Add(v))
			f.Add(uint8(i), bytes.Clone(b.data[:b.end]))
		}
		keepalive, err := client.AppendKeepalive(nil)
		require.NoError(f, err)
		disconnect, err := client.AppendDisconnect(nil, ReasonApplication)
		require.NoError(f, err)
		f.Add(uint8(i), keepalive)
		f.Add(uint8(i), disconnect)
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		p := protocols[int(which)%len(protocols)]
		client, server := pair(t, p)
		c, err := server.Open(bytes.Clone(data))
		if err == nil {
			require.LessOrEqual(t, len(data), DefaultMTU)
			if p.config.Protection.keyed() {
				// Only the seeds, because their keys are the same every time.
				client.out.next = c.seq
				require.Equal(t, data, client.out.guard.seal(nil, kindOf(&c), c.seq, append(dataOf(&c), p.endCheck...)))
			}
			readAll(t, p, c)
		}

		if len(data) == 0 || len(data) > p.room {
			return
		}
		client, server = pair(t, p)
		sealed := client.out.guard.seal(nil, kindData, 7, append(bytes.Clone(data), p.endCheck...))
		if len(sealed) < p.minLen+1 {
			return
		}
		c, err = server.Open(sealed)
		require.NoError(t, err, "it is authentic")
		readAll(t, p, c)
	})
}

// kindOf and dataOf return the kind of a datagram and the data that its sender
// sealed.
func kindOf(c *Contents) byte {
	if c.control != NoControl {
		return kindControl
	}
	return kindData
}

func dataOf(c *Contents) []byte {
	switch c.control {
	case Keepalive:
		return []byte{1}
	case Disconnect:
		return []byte{2, byte(c.reason)}
	}
	return bytes.Clone(c.rest)
}

// readAll reads packets until one is refused, and requires that each is in its
// only valid encoding.
func readAll(t *testing.T, p *Protocol, c Contents) {
	for c.More() {
		before := c.rest
		v, err := c.Next()
		if err != nil {
			require.Nil(t, v)
			require.False(t, c.More())
			return
		}
		b := p.NewBatch()
		require.NoError(t, b.Add(v))
		require.Equal(t, before[:len(before)-len(c.rest)], b.data[:b.end])
	}
}

// FuzzHandshake gives arbitrary bytes to a gate and a client.
func FuzzHandshake(f *testing.F) {
	p := testProtocol(f, testConfig(HMAC(16)))
	g := testGate(p)
	j := testJoin(f, p)
	for range 2 {
		said, reply, _, err := say(f, j, g, testAddress, testNow)
		require.NoError(f, err)
		f.Add(said)
		f.Add(reply)
		_, err = j.Read(reply)
		require.NoError(f, err)
	}
	other := testProtocol(f, testConfig(CRC32))
	said, reply, _, _ := say(f, testJoin(f, other), g, testAddress, testNow)
	f.Add(said)
	f.Add(reply)
	g = testGate(p)
	f.Fuzz(func(t *testing.T, data []byte) {
		reply, client, _ := g.Answer(nil, testAddress, data, testNow)
		require.LessOrEqual(t, len(reply), len(data))
		require.Nil(t, client, "a token of another gate")
		fresh := testJoin(t, p)
		session, _ := fresh.Read(data)
		require.Nil(t, session, "no answer to a client whose nonce nobody has seen")
	})
}

// FuzzTransport explains datagrams and opens them: any bytes, and three in a row with
// data from someone with the keys. Ack sections and fragments that are read are in
// their only encoding. A refused datagram is not acknowledged, datagrams that were
// sent are reported once, and the memory of fragments stays within its bound.
func FuzzTransport(f *testing.F) {
	plain, sealed := explainProtocol(f, None), explainProtocol(f, ChaCha20Poly1305)
	one := append([]byte{4, 0, 1, 6}, inputPacket...)
	fragment := append([]byte{3, 5, 0xac, 2, 1}, make([]byte, 200)...)
	whole := append(plain.appendFragment(nil, 0, plain.fragmentLen+60, 1), make([]byte, 60)...)
	f.Add(byte(kindData), one, one)
	f.Add(byte(kindData), fragment, fragment)
	f.Add(byte(kindData), append(plain.appendFragment(nil, 0, plain.fragmentLen+60, 0), make([]byte, plain.fragmentLen)...), whole)
	f.Add(byte(kindData), append(whole, whole...), append(whole, inputPacket...))
	f.Add(byte(kindAcks), append([]byte{1, 2}, inputPacket...), append([]byte{0x11, 3, 6}, one...))
	f.Add(byte(kindAcks|kindControl), []byte{0x11, 3, 6, 1}, []byte{0, 7})
	f.Add(byte(kindAcks), []byte{9}, []byte{0})                   // a bad ack section, and no packet after one
	f.Add(byte(kindAcks), []byte{1, 9, 1}, []byte{0, 7})          // acks of what was not sent, and an unknown type
	f.Add(byte(kindControl), []byte{7}, []byte{1, 1})             // no controls
	f.Add(byte(kindData), []byte{4, 0, 1, 0}, []byte{0x14, 1})    // a message of no bytes, and a bad index
	f.Add(byte(kindData), []byte{4, 0x80, 0}, []byte{4, 1, 1, 1}) // a bad number, and a message after a gap
	for _, row := range ackSections {
		data, err := hex.DecodeString(row.section)
		require.NoError(f, err)
		f.Add(byte(kindAcks), append(data, one...), data)
	}
	f.Fuzz(func(t *testing.T, kind byte, first, second []byte) {
		_, server := pair(t, sealed)
		explainAndRead(t, server, bytes.Clone(first))
		_, server = pair(t, plain)
		explainAndRead(t, server, bytes.Clone(first))
		client, server := pair(t, plain)
		reported := map[uint64]bool{}
		server.OnReport(func(r Report) {
			require.True(t, r.Delivered && r.Sequence < server.Sent() && !reported[r.Sequence])
			reported[r.Sequence] = true
		})
		for range 5 {
			_, err := server.AppendKeepalive(nil)
			require.NoError(t, err)
		}
		for i, data := range [][]byte{first, second, first} {
			var set numberSet
			if rest, refusal := readAcks(data, &set); refusal == 0 {
				require.Equal(t, data[:len(data)-len(rest)], appendAcks(nil, &set))
			}
			if len(data) > 0 {
				if part, rest, refusal := plain.readFragment(data); refusal == 0 {
					again := append(plain.appendFragment(nil, part.number, part.total, part.index), part.data...)
					require.Equal(t, data[:len(data)-len(rest)], again)
				}
			}
			datagram := client.out.guard.seal(nil, kind&plain.maxKind, uint64(i), append(bytes.Clone(data), plain.endCheck...))
			if explainAndRead(t, server, datagram).Err != nil {
				require.True(t, server.in.accepted.window.fresh(uint64(i)))
			}
			require.False(t, server.in.inbox.claimed)
			require.LessOrEqual(t, fragmentMemory(server), (MaxPartial+1)*plain.maxPacket)
		}
	})
}

package packet

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
		list := sealAll(t, client, packet, testInput)
		require.Len(t, list, 4)
		seq := hex.EncodeToString([]byte{1, 4 * round})
		if round == 0 {
			seq = "00"
		}
		require.True(t, strings.HasPrefix(hex.EncodeToString(list[0]), seq), "what fits goes first")
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
	for range DefaultMaxPackets {
		require.NoError(t, b.Add(&blob{make([]byte, 298)}))
	}
	require.ErrorIs(t, b.Add(testInput), ErrTooMany)
	require.Equal(t, 64, b.Len())
	b.Reset()
	require.Zero(t, b.Len())
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
		d := appendUvarint(appendUvarint(appendUvarint([]byte{index}, number), total), i)
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
	// Numbers that are longer than necessary, or never end.
	for _, header := range []string{"028000" + "b004" + "00", "0200" + "b0840000" + "00", "0200" + "b004" + "8000",
		"02" + "ffffffffffffffffff7f"} {
		data, err := hex.DecodeString(header)
		require.NoError(t, err)
		c, err := server.Open(client.out.guard.seal(nil, kindData, client.out.next, append(data, make([]byte, n)...)))
		require.NoError(t, err)
		client.out.next++
		_, err = c.Next()
		require.Equal(t, ErrGarbage, err, header)
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

	// A complete packet with bytes after its value is refused as a whole.
	f := &fragment{number: 50, total: 2 * n}
	for f.index = range 2 {
		f.data = make([]byte, n)
		d := append(p.appendFragment(nil, f.number, f.total, f.index), f.data...)
		c, err := server.Open(client.out.guard.seal(nil, kindData, client.out.next, d))
		require.NoError(t, err)
		client.out.next++
		_, err = c.only(nil)
		if f.index == 1 {
			require.ErrorIs(t, err, ErrInvalid)
			require.True(t, server.in.accepted.window.fresh(c.seq))
		}
	}
	require.Equal(t, make([]bool, MaxPartial), inUse(server))
}

// inUse reports which partials are in use.
func inUse(s *Session) (list []bool) {
	for _, pt := range s.in.assembler.partials {
		list = append(list, pt.data != nil)
	}
	return list
}

// TestFragmentMemory sends random fragments of many packets. The memory stays
// within its bound, and is given back when time has passed.
func TestFragmentMemory(t *testing.T) {
	p := fragmentProtocol(t, None, false)
	client, server := pair(t, p)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 20000 {
		total := p.room + 1 + random.IntN(p.maxPacket-p.room)
		index := random.IntN((total + p.fragmentLen - 1) / p.fragmentLen)
		d := p.appendFragment(nil, uint64(i/10+random.IntN(30)), total, index)
		d = append(d, make([]byte, min(p.fragmentLen, total-index*p.fragmentLen))...)
		c, err := server.Open(client.out.guard.seal(nil, kindData, uint64(i), d))
		require.NoError(t, err)
		for c.More() {
			c.Next()
		}
		a := server.in.assembler
		memory := cap(a.spare)
		for _, pt := range a.partials {
			memory += cap(pt.data)
		}
		require.LessOrEqual(t, memory, (MaxPartial+1)*p.maxPacket)
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

// TestFragmentsOverBadNetwork sends packets of all sizes through a network that
// loses, repeats and reorders, with many seeds. Every packet that arrives is
// intact and arrives once; one whose fragments are not lost or held up for long
// does arrive; and each value is reported once, as delivered if and only if the
// packet was handled.
func TestFragmentsOverBadNetwork(t *testing.T) {
	seeds := 40
	if testing.Short() || raceEnabled {
		seeds = 8
	}
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 5))
			client, server := pair(t, fragmentProtocol(t, protections[seed%uint64(len(protections))], true))
			var sent []*blob
			var lost []bool // whether a datagram of the packet was lost
			handled := map[int]int{}
			declined := map[int]bool{}
			m := server.p.NewMux()
			Handle(m, func(ctx context.Context, v *blob) {
				k := slices.IndexFunc(sent, func(b *blob) bool { return bytes.Equal(b.Data, v.Data) })
				require.GreaterOrEqual(t, k, 0, "a packet that was not sent")
				handled[k]++
				require.Equal(t, 1, handled[k])
				if random.IntN(20) == 0 {
					declined[k] = true
					ArrivalFrom(ctx).Decline()
				}
			})
			Handle(m, func(ctx context.Context, v *input) {})
			reported := map[int]bool{}
			client.OnReport(func(r Report) {
				for _, v := range r.Values {
					_, twice := reported[v.(int)]
					require.False(t, twice)
					reported[v.(int)] = r.Delivered
				}
			})
			loss := random.IntN(3) * 10
			var queue [][]byte
			now := testNow
			for i := range 600 {
				now = now.Add(10 * time.Millisecond)
				client.Tick(now)
				server.Tick(now)
				if i < 200 {
					k := len(sent)
					size := 8 + random.IntN(500)
					if random.IntN(4) == 0 {
						size = random.IntN(3000) + 8
					}
					sent = append(sent, testBlob(random, size))
					lost = append(lost, false)
					for _, d := range append(sealAll(t, client, testInput), sealAll(t, client, Tracked{sent[k], k})...) {
						if random.IntN(100) < loss {
							lost[k] = true
							continue
						}
						queue = append(queue, d)
						if random.IntN(10) == 0 {
							queue = append(queue, slices.Clone(d))
						}
					}
					for j := max(0, len(queue)-6); j < len(queue); j++ {
						other := max(0, j-random.IntN(5))
						queue[j], queue[other] = queue[other], queue[j]
					}
				} else {
					queue = append(queue, sealAll(t, client, testInput)...)
				}
				n := min(len(queue), random.IntN(12))
				if i >= 200 || len(queue) > 100 {
					n = len(queue)
				}
				for _, d := range queue[:n] {
					err := m.Dispatch(context.Background(), server, d)
					if err != nil {
						require.Contains(t, []error{ErrReplayed, ErrDeclined, ErrLate}, err)
					}
				}
				queue = queue[n:]
				d, err := server.AppendKeepalive(nil)
				require.NoError(t, err)
				_, err = client.Open(d)
				require.NoError(t, err)
			}
			client.Tick(now)
			complete := 0
			for k := range sent {
				delivered, ok := reported[k]
				require.True(t, ok, "packet %d is not reported", k)
				require.Equal(t, handled[k] == 1 && !declined[k], delivered, "packet %d", k)
				if lost[k] {
					continue
				}
				complete++
				if loss == 0 {
					require.Equal(t, 1, handled[k], "packet %d", k)
				}
			}
			require.NotZero(t, complete)
			require.Zero(t, server.Counters().Refused(ErrFragment))
			require.Zero(t, server.Counters().Refused(ErrRepeated))
		})
	}
}

// TestServerFragments sends packets in fragments to clients and back.
func TestServerFragments(t *testing.T) {
	p := fragmentProtocol(t, HMAC(16), true)
	values := map[uint64][]any{}
	a := newArena(t, p, ServerConfig{Reported: func(p *Peer, r Report) {
		if r.Delivered {
			values[p.User()] = append(values[p.User()], r.Values...)
		}
	}})
	Handle(a.mux, func(ctx context.Context, v *blob) { a.note("%d sent %d bytes", PeerFrom(ctx).User(), len(v.Data)) })
	clientMux := p.NewMux()
	received := 0
	Handle(clientMux, func(ctx context.Context, v *blob) { received += len(v.Data) })
	Handle(clientMux, func(ctx context.Context, v *input) {})
	a.opened = func(_ netip.AddrPort, c *Contents) { require.NoError(t, clientMux.Serve(context.Background(), *c)) }
	for user := range uint64(3) {
		c := a.mustJoin(user, testAddressOf(int(user)))
		require.NoError(t, c.Send(&blob{make([]byte, 1000*(user+1))}))
	}
	a.run()
	log := strings.Join(a.happened(), "; ")
	for user := range 3 {
		require.Contains(t, log, fmt.Sprintf("%d sent %d bytes", user, 1000*(user+1)))
	}
	b := p.NewBatch()
	require.NoError(t, b.Add(Tracked{&blob{make([]byte, 2000)}, "large"}))
	require.NoError(t, b.Add(Tracked{testInput, "small"}))
	require.NoError(t, a.server.Broadcast(b))
	for peer := range a.server.All() {
		require.NoError(t, peer.Send(Tracked{&blob{make([]byte, 5000)}, "other"}))
	}
	a.run()
	require.Equal(t, 3*7000, received)
	for range 3 {
		a.step(20 * time.Millisecond)
	}
	for user := range uint64(3) {
		require.Equal(t, []any{"small", "large", "other"}, values[user])
	}

	one, two := pair(t, p)
	sent := map[int]int{}
	require.NoError(t, Broadcast(b, []*Session{one, two}, func(i int, d []byte) error {
		sent[i]++
		return nil
	}))
	require.Equal(t, sent[0], sent[1])
	require.Greater(t, sent[0], 10)
}

// TestSplitFails stops a packet between two fragments. Its value is not
// reported, and the datagrams are.
func TestSplitFails(t *testing.T) {
	p := fragmentProtocol(t, None, true)
	client, server := pair(t, p)
	var values, reports int
	client.OnReport(func(r Report) { reports, values = reports+1, values+len(r.Values) })
	b := p.NewBatch()
	require.NoError(t, b.Add(Tracked{&blob{make([]byte, 2000)}, "large"}))
	sent := 0
	broken := errors.New("broken")
	require.Equal(t, broken, client.SealEach(b, func(d []byte) error {
		server.Decode(d)
		if sent++; sent == 3 {
			return broken
		}
		return nil
	}))
	client.out.guard.last = client.out.next
	require.Equal(t, ErrExhausted, client.SealEach(b, func([]byte) error { return nil }))
	d, err := server.AppendKeepalive(nil)
	require.NoError(t, err)
	_, err = client.Open(d)
	require.NoError(t, err)
	require.Equal(t, 3, reports)
	require.Zero(t, values)
}

package packet

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
)

// explainProtocol returns a protocol with everything that a datagram can have.
func explainProtocol(t testing.TB, protection Protection) *Protocol {
	c := testConfig(protection)
	c.Acks, c.Messages, c.MaxPacket, c.EndCheck, c.MTU = true, 8, 2000, true, 200
	return testProtocol(t, c)
}

// checkParts checks that parts follow each other from the first bit of a
// datagram, and are all of it unless it is refused.
func checkParts(t testing.TB, datagram []byte, e *tagcodec.Explanation) {
	end := 0
	for _, p := range e.Parts {
		require.Equal(t, end, p.Bit, "%v", e)
		require.Positive(t, p.Bits)
		require.NotEmpty(t, p.Path)
		end += p.Bits
	}
	require.LessOrEqual(t, end, 8*len(datagram))
	if e.Err == nil {
		require.Equal(t, 8*len(datagram), end, "%v", e)
	}
}

// knowledge is what a session knows that opening a datagram could change.
type knowledge struct {
	window, accepted, finished window
	inbox                      inbox
	partials                   [MaxPartial]partial
	flights                    [ringSize]flightState
	next, known, queued        uint64
	counted                    [numRefusals]uint64
}

func knowledgeOf(s *Session) (k knowledge) {
	k.window, k.inbox, k.next = s.in.window, s.in.inbox, s.out.next
	if s.in.accepted != nil {
		k.accepted, k.known = s.in.accepted.window, s.out.flights.known
		for i := range k.flights {
			k.flights[i] = s.out.flights.ring[i].state
		}
	}
	if s.in.assembler != nil {
		k.partials, k.finished = s.in.assembler.partials, s.in.assembler.finished
		for i := range k.partials {
			k.partials[i].data = bytes.Clone(k.partials[i].data)
		}
	}
	if s.out.queue != nil {
		k.queued = s.out.queue.first
	}
	for i := range k.counted {
		k.counted[i] = s.counters.n[i].Load()
	}
	return k
}

// explainAndRead explains a datagram and then reads it. Explaining must change
// nothing, and have the same error.
func explainAndRead(t testing.TB, s *Session, datagram []byte) *tagcodec.Explanation {
	before, sent := knowledgeOf(s), bytes.Clone(datagram)
	e := s.Explain(datagram)
	require.Equal(t, sent, datagram)
	require.Equal(t, before, knowledgeOf(s))
	checkParts(t, datagram, e)
	c, err := s.Open(datagram)
	for err == nil && c.More() {
		_, err = c.Next()
	}
	if err == nil {
		c.Accept()
	}
	var refusal, explained Refusal
	errors.As(err, &refusal)
	errors.As(e.Err, &explained)
	require.Equal(t, refusal, explained, "%v", e)
	return e
}

// TestExplainProtections explains datagrams of all protections, whole, cut off
// and with flipped bits.
func TestExplainProtections(t *testing.T) {
	eachProtection(t, func(t *testing.T, p *Protocol) {
		client, server := pair(t, p)
		datagram, err := client.Append(nil, testInput, testSnapshot(2), chat{"hi"})
		require.NoError(t, err)
		for i := range datagram {
			require.Error(t, explainAndRead(t, server, bytes.Clone(datagram[:i])).Err)
			flipped := bytes.Clone(datagram)
			flipped[i] ^= 0x41
			if e := explainAndRead(t, server, flipped); p.config.Protection != None {
				require.Error(t, e.Err)
			}
		}
		client, server = pair(t, p)
		again := bytes.Clone(datagram)
		e := explainAndRead(t, server, datagram)
		require.NoError(t, e.Err)
		values := map[string]any{}
		for _, part := range e.Parts {
			values[part.Path] = part.Value
		}
		require.Equal(t, testInput.Tick, values["input.Tick"])
		require.Equal(t, float32(1), values["snapshot.Bodies[1].Position[0]"])
		require.Equal(t, "hi", values["chat.Text"])
		require.Equal(t, ErrReplayed, explainAndRead(t, server, again).Err)

		server.out.next = 300
		datagram, err = server.AppendDisconnect(nil, ReasonKicked)
		require.NoError(t, err)
		e = explainAndRead(t, client, datagram)
		require.NoError(t, e.Err)
		require.Contains(t, e.String(), "disconnect")
		require.Contains(t, e.String(), "sequence number 300")
	})
}

// TestExplainGolden explains datagrams with acks, messages, fragments and packets.
func TestExplainGolden(t *testing.T) {
	client, server := pair(t, explainProtocol(t, AES256GCM))
	var out strings.Builder
	explain := func(to *Session, datagram []byte) { fmt.Fprintf(&out, "%v\n", explainAndRead(t, to, datagram)) }

	require.NoError(t, client.Queue(chat{"a"}))
	require.NoError(t, client.Queue(testInput))
	now := testNow
	client.Tick(now)
	lost, err := client.Append(nil, chat{"b"})
	require.NoError(t, err)
	now = now.Add(maxResend)
	client.Tick(now)
	both, err := client.Append(nil, chat{"c"})
	require.NoError(t, err)
	explain(server, bytes.Clone(lost))
	explain(server, both)
	for _, datagram := range sealAll(t, server, testSnapshot(40)) {
		explain(client, datagram)
	}
	explain(server, lost)
	require.Equal(t, explainGolden, out.String())
}

const explainGolden = `bit  bits  code                   field         value
0    4     0x0                    header        sequence number 0, in no bytes
4    4     0x0                    header        packets
8    8     0x4                    messages      index 4
16   8     0x0                    messages      number of the first 0
24   8     0x2                    messages      count 2
32   8     0x3                    messages      bytes of message 0: 3
40   3     0x2                    chat          type 2
43   6     0x1                    chat.Text     length 1
49   7     0x0                    chat.Text     padding
56   8     0x61                   chat.Text     "a"
64   8     0x6                    messages      bytes of message 1: 6
72   3     0x1                    input         type 1
75   32    0x1020304              input.Tick    16909060
107  2     0x2                    input.Thrust  1
109  10    0x0                    input.Aim     0
119  1     0x1                    input.Fire    true
120  3     0x2                    chat          type 2
123  6     0x1                    chat.Text     length 1
129  7     0x0                    chat.Text     padding
136  8     0x62                   chat.Text     "b"
144  32    0x3b945be1             seal          end check
176  128   0xd4a94090a09a9b0b...  seal          tag of aes-256-gcm

bit  bits  code                   field      value
0    4     0x1                    header     bytes of the sequence number 1
4    4     0x0                    header     packets
8    8     0x1                    header     sequence number 1
16   8     0x4                    messages   index 4
24   8     0x0                    messages   number of the first 0
32   8     0x2                    messages   count 2
40   8     0x3                    messages   bytes of message 0: 3
48   24    0x61000a               messages   message 0 was accepted before
72   8     0x6                    messages   bytes of message 1: 6
80   48    0x801008101821         messages   message 1 was accepted before
128  3     0x2                    chat       type 2
131  6     0x1                    chat.Text  length 1
137  7     0x0                    chat.Text  padding
144  8     0x63                   chat.Text  "c"
152  32    0x3b945be1             seal       end check
184  128   0x745f5cf5c04f04c6...  seal       tag of aes-256-gcm

bit   bits  code                   field     value
0     4     0x0                    header    sequence number 0, in no bytes
4     4     0x2                    header    acks and packets
8     4     0x1                    acks      bytes of the newest accepted number 1
12    4     0x1                    acks      code for the length of the set 1
16    8     0x1                    acks      newest accepted number 1
24    8     0x1                    acks      other accepted numbers [0]
32    8     0x3                    fragment  index 3
40    8     0x0                    fragment  number of the packet 0
48    16    0x1ba                  fragment  bytes of the packet 186
64    8     0x0                    fragment  index 0
72    912   0x10014000000268...    fragment  bytes
984   32    0x3b945be1             seal      end check
1016  128   0x2de8e270fbf21bcb...  seal      tag of aes-256-gcm

bit  bits  code                   field     value
0    4     0x1                    header    bytes of the sequence number 1
4    4     0x2                    header    acks and packets
8    8     0x1                    header    sequence number 1
16   4     0x1                    acks      bytes of the newest accepted number 1
20   4     0x1                    acks      code for the length of the set 1
24   8     0x1                    acks      newest accepted number 1
32   8     0x1                    acks      other accepted numbers [0]
40   8     0x3                    fragment  index 3
48   8     0x0                    fragment  number of the packet 0
56   16    0x1ba                  fragment  bytes of the packet 186
72   8     0x1                    fragment  index 1
80   576   0x84720f388649e810...  fragment  bytes, the last missing ones of snapshot
656  32    0x3b945be1             seal      end check
688  128   0xc6e1a11016714581...  seal      tag of aes-256-gcm

bit  bits  code  field   value
0    4     0x0   header  sequence number 0, in no bytes
4    4     0x0   header  packets
packet: the datagram was already accepted, or is too old to tell

`

// TestExplainFragments explains fragments that contradict each other, that repeat,
// and that complete a packet that is not valid.
func TestExplainFragments(t *testing.T) {
	p := explainProtocol(t, None)
	client, server := pair(t, p)
	explain := func(seq uint64, number uint64, total, index int) error {
		n := min(p.fragmentLen, total-index*p.fragmentLen)
		data := append(p.appendFragment(nil, number, total, index), make([]byte, n)...)
		data[len(data)-n] = 1 // an input, if it is the first
		datagram := client.out.guard.seal(nil, kindData, seq, append(data, p.endCheck...))
		return explainAndRead(t, server, datagram).Err
	}
	total := p.room + 10
	require.NoError(t, explain(0, 0, total, 0))
	require.Equal(t, ErrRepeated, explain(1, 0, total, 0))
	require.Equal(t, ErrFragment, explain(2, 0, total+1, 1))
	require.ErrorIs(t, explain(3, 0, total, 1), ErrInvalid)
	require.Equal(t, ErrLate, explain(4, 0, total, 0))
	require.Equal(t, ErrTooLarge, explain(5, 1, p.maxPacket+1, 0))
	for number := range uint64(6) {
		require.NoError(t, explain(6+number, 10+number, total, 0))
	}
	require.Equal(t, ErrLate, explain(12, 10, total, 1))
}

// TestExplainStateless explains datagrams without a session.
func TestExplainStateless(t *testing.T) {
	for prefix := range Prefix(len(prefixes)) {
		c := testConfig(None)
		c.EndCheck = true
		s := testProtocol(t, c).NewStateless(prefix)
		datagram, err := s.Append(nil, testInput, chat{"hi"})
		require.NoError(t, err)
		e := s.Explain(datagram)
		require.NoError(t, e.Err)
		checkParts(t, datagram, e)
		require.Equal(t, tagcodec.Part{Bits: 8 * prefixes[prefix].size, Path: "seal", What: prefix.String(), Code: e.Parts[0].Code}, e.Parts[0])
		require.Equal(t, 32, e.Parts[len(e.Parts)-1].Bits)
		for i := range datagram {
			for _, bad := range [][]byte{datagram[:i], append(bytes.Clone(datagram[:i]), ^datagram[i])} {
				e := s.Explain(bad)
				_, err := s.Open(bad)
				require.Equal(t, err, e.Err)
				checkParts(t, bad, e)
			}
		}
	}
}

// FuzzExplain explains datagrams before they are opened: any bytes, and any data
// from someone with the keys.
func FuzzExplain(f *testing.F) {
	one := append([]byte{4, 0, 1, 6}, inputPacket...)
	fragment := append([]byte{3, 5, 0xac, 2, 1}, make([]byte, 200)...)
	f.Add(byte(kindData), one, one)
	f.Add(byte(kindData), fragment, fragment)
	f.Add(byte(kindAcks), append([]byte{1, 2}, inputPacket...), append([]byte{0x11, 3, 6}, one...))
	f.Add(byte(kindAcks|kindControl), []byte{0x11, 3, 6, 1}, []byte{0, 2, 3})
	f.Add(byte(kindAcks), []byte{9}, []byte{0})                   // a bad ack section, and no packet after one
	f.Add(byte(kindAcks), []byte{1, 9, 1}, []byte{0, 7})          // acks of what was not sent, and an unknown type
	f.Add(byte(kindControl), []byte{7}, []byte{1, 1})             // no controls
	f.Add(byte(kindData), []byte{4, 0, 1, 0}, []byte{0x14, 1})    // a message of no bytes, and a bad index
	f.Add(byte(kindData), []byte{4, 0x80, 0}, []byte{4, 1, 1, 1}) // a bad number, and a message after a gap
	plain, sealed := explainProtocol(f, None), explainProtocol(f, ChaCha20Poly1305)
	f.Fuzz(func(t *testing.T, kind byte, first, second []byte) {
		_, server := pair(t, sealed)
		explainAndRead(t, server, bytes.Clone(first))
		_, server = pair(t, plain)
		explainAndRead(t, server, bytes.Clone(first))
		client, server := pair(t, plain)
		for range 5 {
			_, err := server.AppendKeepalive(nil)
			require.NoError(t, err)
		}
		for i, data := range [][]byte{first, second, first} {
			datagram := client.out.guard.seal(nil, kind&plain.maxKind, uint64(i), append(bytes.Clone(data), plain.endCheck...))
			explainAndRead(t, server, datagram)
		}
	})
}

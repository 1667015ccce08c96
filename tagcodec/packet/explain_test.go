package packet

import (
	"bytes"
	"errors"
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

// TestExplainTransport explains acks, messages that were accepted before, and the
// fragment that completes a packet.
func TestExplainTransport(t *testing.T) {
	client, server := pair(t, explainProtocol(t, AES256GCM))
	require.NoError(t, client.Queue(chat{"a"}))
	require.NoError(t, client.Queue(testInput))
	client.Tick(testNow)
	first, err := client.Append(nil, chat{"b"})
	require.NoError(t, err)
	client.Tick(testNow.Add(maxResend))
	both, err := client.Append(nil, chat{"c"})
	require.NoError(t, err)
	explain := func(to *Session, datagram []byte, lines ...string) {
		text := explainAndRead(t, to, datagram).String()
		for _, line := range lines {
			require.Contains(t, text, line)
		}
	}
	explain(server, first, "number of the first 0\n", "count 2\n", "bytes of message 1: 6\n", `"a"`)
	explain(server, both, "message 0 was accepted before\n", "message 1 was accepted before\n", `"c"`)
	list := sealAll(t, server, testSnapshot(40))
	explain(client, list[0], "newest accepted number 1\n", "other accepted numbers [0]\n", "bytes of the packet 186\n", "bytes\n")
	explain(client, list[1], "index 1\n", "bytes, the last missing ones of snapshot\n")
}

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

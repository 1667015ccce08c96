package packet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/gobitpack/bitpack/internal/typename"
)

// Messages are packets that are sent again until they are acknowledged. A
// datagram with messages starts with them, after the ack section. They start
// with a type index, the one after that of fragments if there are any, padded to
// whole bytes. Two numbers follow, encoded like those of a fragment: the number
// of the first message, counted in each direction of a session from 0, and the
// number of messages, which is not 0. Then comes each message: its length in
// bytes and the packet.
//
// The first message of a datagram is always the oldest that the other side has
// not acknowledged, so that there is never a gap before it.

// ErrQueueFull says that [Config.Messages] messages have not been acknowledged
// yet.
var ErrQueueFull = errors.New("packet: the queue of messages is full")

// maxMessagesHeader is the length of what follows the type index of messages: a
// number and a count. A message takes at least 4 bytes with what is reserved for
// its length, so a count has at most 2. maxMessageHeader is the length of all
// that precedes the first message.
const (
	maxMessagesHeader = 10 + 2
	maxMessageLen     = 3
	maxMessageHeader  = maxMessagesHeader + maxMessageLen
)

// maxResend is the longest time after which messages are sent again.
const maxResend = 2 * time.Second

// message is a message that has not been acknowledged.
type message struct {
	data  []byte // the packet
	value any    // of a Tracked packet, or nil
	total typeTotal
}

// queue holds the messages of a session that have not been acknowledged. It is
// guarded by session.out.
type queue struct {
	ring  []message     // by number
	first uint64        // the number of the oldest
	next  uint64        // the number of the next message to be added
	sent  uint64        // all earlier messages have been sent
	at    time.Duration // when messages were last sent
	wait  time.Duration // how long after at they are sent again
	ticks uint8         // number of ticks since messages are due
}

func (q *queue) message(number uint64) *message { return &q.ring[number%uint64(len(q.ring))] }

// fit returns the number after the last message that fits into room bytes with
// those before it. It counts most messages at most.
func (q *queue) fit(p *spec, room, most int) uint64 {
	room -= (p.width+7)/8 + maxMessagesHeader
	n := q.first
	for ; n < q.next && most > 0; n++ {
		if room -= len(q.message(n).data) + maxMessageLen; room < 0 {
			break
		}
		most--
	}
	return n
}

// due reports whether the messages up to number end are to be sent now.
func (q *queue) due(end uint64, now time.Duration) bool {
	return end > q.first && (end > q.sent || now-q.at >= q.wait)
}

// append appends the messages that are due and returns the number after the last
// of them, or 0. If flush is set, they are due.
func (q *queue) append(dst []byte, p *spec, o *outgoing, now, wait time.Duration) ([]byte, uint64) {
	room := p.room - o.end
	if o.fragment.total > 0 {
		room -= p.room - p.fragmentLen + len(o.fragment.data)
	}
	end := q.fit(p, room, p.config.MaxPackets-o.packets-1)
	if !q.due(end, now) && !(o.flush && end > q.first) {
		return dst, 0
	}
	if end > q.sent {
		q.sent, q.wait = end, wait
	} else {
		q.wait = min(2*q.wait, maxResend)
	}
	q.at, q.ticks = now, 0
	dst = p.appendIndex(dst, p.messageIndex)
	dst = binary.AppendUvarint(dst, q.first)
	dst = binary.AppendUvarint(dst, end-q.first)
	for n := q.first; n < end; n++ {
		data := q.message(n).data
		dst = append(binary.AppendUvarint(dst, uint64(len(data))), data...)
	}
	return dst, end
}

// acknowledge removes the messages before number end and appends their values.
func (q *queue) acknowledge(end uint64, values []any, wait time.Duration) []any {
	for ; q.first < end; q.first++ {
		m := q.message(q.first)
		if m.value != nil {
			values = append(values, m.value)
		}
		m.value = nil
		q.wait = wait
	}
	return values
}

// Queue adds a message: a packet that is sent until the other side has
// acknowledged it. The other side handles each message once, in the order in
// which they were queued, but in no order with other packets. Datagrams of the
// session carry messages where there is room; [Session.Flush] sends those that
// have waited. The value of a [Tracked] message is reported when it is delivered.
//
// A handler that declines a message sees it again, until it accepts the message.
// Later messages wait.
//
// Queue fails with [ErrQueueFull] if [Config.Messages] messages wait, and with
// [ErrBudget] if the message does not fit into a datagram. It panics if the
// protocol has no messages. Messages are for events such as a chat line or the
// end of a round, some kilobytes per round trip at most. For bulk data use a
// stream, such as one of QUIC.
func (s *Session) Queue(v any) error {
	p := s.p
	if p.messageIndex < 0 {
		panic("packet: Queue: the protocol has no messages")
	}
	b := p.borrowBatch()
	defer batches.Put(b)
	if err := b.Add(v); err != nil {
		return err
	}
	if len(b.large) > 0 || b.end > p.maxMessage {
		packet, _ := untracked(v)
		i := p.index[reflect.TypeOf(packet)]
		return &Error{Op: "send", Type: p.types[i].Type, Reason: ErrBudget,
			Err: fmt.Errorf("%s takes more than the %d bytes of a message", typename.Of(p.types[i].Type), p.maxMessage)}
	}
	s.out.Lock()
	defer s.out.Unlock()
	q := s.out.queue
	if q.next-q.first == uint64(len(q.ring)) {
		return ErrQueueFull
	}
	m := q.message(q.next)
	m.data, m.total = append(m.data[:0], b.data[:b.end]...), b.totals[0]
	if len(b.values) > 0 {
		m.value = b.values[0]
	}
	q.next++
	return nil
}

// Queued returns the number of messages that have not been acknowledged.
func (s *Session) Queued() int {
	if s.out.queue == nil {
		return 0
	}
	s.out.Lock()
	defer s.out.Unlock()
	return int(s.out.queue.next - s.out.queue.first)
}

// tick counts the ticks since messages are due.
func (q *queue) tick(p *spec, now time.Duration) {
	if q.due(q.fit(p, p.room, p.config.MaxPackets-1), now) {
		q.ticks = min(q.ticks+1, 2)
	}
}

// inbox is what a session knows of the other side's messages. It is guarded by
// session.in.
type inbox struct {
	expected uint64 // the number of the next message
	claimed  bool   // its handler is running
}

// takeMessages reads what precedes the messages of a datagram.
func (c *Contents) takeMessages() Refusal {
	if c.packets++; c.packets > 1 {
		return ErrGarbage // messages come first
	}
	rest, refusal := c.p.readIndex(c.rest, c.p.messageIndex)
	if refusal != 0 {
		return refusal
	}
	if c.number, rest, refusal = readUvarint(rest, 1<<63); refusal != 0 {
		return refusal
	}
	count, rest, refusal := readUvarint(rest, 1<<31-1)
	switch {
	case refusal != 0:
		return refusal
	case count == 0:
		return ErrGarbage
	case count >= uint64(c.p.config.MaxPackets):
		return ErrTooMany
	}
	c.preamble = int32(len(c.rest) - len(rest))
	c.messages, c.rest = int32(count), rest
	return 0
}

// takeMessage takes the message at the start of the rest. It is the next packet,
// or has been handled before.
func (c *Contents) takeMessage() Refusal {
	c.packets++
	size, rest, refusal := readUvarint(c.rest, 1<<31-1)
	switch {
	case refusal != 0:
		return refusal
	case size == 0:
		return ErrGarbage
	case size > uint64(len(rest)):
		return ErrTruncated
	}
	in := &c.session.in
	in.Lock()
	defer in.Unlock()
	switch {
	case c.number == in.inbox.expected && !in.inbox.claimed:
		c.unit, c.message = rest[:size:size], true
	case c.number == in.inbox.expected: // another goroutine is handling it
		c.failed = true
	case c.number > in.inbox.expected && !c.failed:
		return ErrMessage
	case c.number < in.inbox.expected:
		in.counts.resent++
		in.counts.resentMessages += int64(size)
	}
	in.counts.messageHeaders += int64(int(c.preamble) + len(c.rest) - len(rest))
	c.preamble, c.rest = 0, rest[size:]
	c.number++
	c.messages--
	return 0
}

// claim reports whether the message that is next may be handled. It must be
// followed by unclaim.
func (c *Contents) claim() bool {
	in := &c.session.in
	in.Lock()
	defer in.Unlock()
	c.claimed = !in.inbox.claimed && c.number == in.inbox.expected+1
	in.inbox.claimed = in.inbox.claimed || c.claimed
	return c.claimed
}

// unclaim ends the handling of a message, if one is being handled.
func (c *Contents) unclaim(accepted bool) {
	if !c.claimed {
		return
	}
	in := &c.session.in
	in.Lock()
	defer in.Unlock()
	c.claimed, in.inbox.claimed = false, false
	if accepted {
		in.inbox.expected++
	}
}

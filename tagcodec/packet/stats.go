package packet

import (
	"iter"
	"reflect"
	"slices"
	"sync/atomic"
)

// Stats are what a session has sent, received and refused: see [Session.Stats]
// and [Server.Stats]. The zero value has counted nothing.
type Stats struct {
	Sent, Received Traffic

	// Delivered and Lost are the numbers of datagrams sent that the other side
	// has acknowledged, and that count as lost. Both are 0 without [Config.Acks].
	Delivered, Lost int64
	// Late is the number of lost datagrams whose acknowledgements arrived after all.
	Late int64

	refused [numRefusals]uint64
}

// Traffic is what has passed in one direction. The bits of all Types and of the
// Overhead add up to 8 * Bytes.
//
// A datagram is sent when it has been sealed, and received when it has proved to
// be authentic and new. A datagram refused before that counts as a refusal and
// nothing else. Datagrams of the handshake and of a [Stateless] do not count.
type Traffic struct {
	Datagrams int64
	Bytes     int64 // of the datagrams, without the headers of UDP and IP
	Fragments int64 // of packets that take several datagrams
	Resent    int64 // messages that were sent or received before

	// Types are the packets by type, in the order of the protocol. It is nil in
	// zero Stats.
	Types []TypeStats

	Overhead Overhead
}

// TypeStats are the packets of one type. A packet is sent with its datagram, or
// with the last of its fragments. It is received when it has been decoded and its
// handler, if there is one, has returned. A packet that is refused or declined does
// not count. A message counts once, however often it is sent.
type TypeStats struct {
	Type    reflect.Type
	Packets int64
	Bytes   int64 // with the type index and padding
	Bits    int64 // of the values alone
	Largest int64 // bits of the largest value
}

// Mean returns the mean number of bits of a packet's value, or 0 if there are no
// packets.
func (t TypeStats) Mean() float64 {
	if t.Packets == 0 {
		return 0
	}
	return float64(t.Bits) / float64(t.Packets)
}

// Overhead has the numbers of bits that are not of the values of packets.
type Overhead struct {
	Headers   int64 // the first byte of each datagram and the sequence number
	Seals     int64 // checksums, MACs and tags, and end checks
	Acks      int64 // acknowledgements
	Controls  int64 // keepalives and disconnects
	Fragments int64 // the headers of fragments
	Messages  int64 // the headers and lengths of messages
	Resent    int64 // messages that were sent or received before
	Indices   int64 // type indices
	Padding   int64 // the bits that fill the last byte of each packet

	// Unused are all other bits: fragments of packets that are not complete, and
	// packets that were refused or declined or have not been read. Those of a
	// fragment become bits of its type when the packet is complete.
	Unused int64
}

// Bits returns the sum of all fields.
func (o Overhead) Bits() (sum int64) {
	for _, part := range o.parts() {
		sum += *part.bits
	}
	return sum
}

// overheadPart is a field of an Overhead.
type overheadPart struct {
	name string
	bits *int64
}

func (o *Overhead) parts() [10]overheadPart {
	return [...]overheadPart{
		{"headers", &o.Headers}, {"seals", &o.Seals}, {"acks", &o.Acks}, {"controls", &o.Controls},
		{"fragment headers", &o.Fragments}, {"message headers", &o.Messages}, {"resent messages", &o.Resent},
		{"type indices", &o.Indices}, {"padding", &o.Padding}, {"unused", &o.Unused},
	}
}

// Refused returns the number of datagrams refused for r.
func (s Stats) Refused(r Refusal) uint64 { return s.refused[r] }

// Refusals returns an iterator over the refusals and their numbers, without those
// that did not occur.
func (s Stats) Refusals() iter.Seq2[Refusal, uint64] { return occurred(s.Refused) }

// Add returns the sum of s and t. It panics if both have counted types and these
// are not of equal protocols.
func (s Stats) Add(t Stats) Stats { return s.combine(&t, 1) }

// Sub returns the difference of s and an earlier value for the same session or
// server: what has passed since then. Largest is still that of s. Divided by the
// time that has passed, the numbers are rates. Sub panics as Add does.
func (s Stats) Sub(earlier Stats) Stats { return s.combine(&earlier, -1) }

// combine returns s and sign times t, which share no memory with the result.
func (s Stats) combine(t *Stats, sign int64) Stats {
	s.Sent.combine(&t.Sent, sign)
	s.Received.combine(&t.Received, sign)
	s.Delivered += sign * t.Delivered
	s.Lost += sign * t.Lost
	s.Late += sign * t.Late
	for r, n := range t.refused {
		s.refused[r] += uint64(sign) * n
	}
	return s
}

// combine adds sign times t. It replaces s.Types.
func (s *Traffic) combine(t *Traffic, sign int64) {
	s.Datagrams += sign * t.Datagrams
	s.Bytes += sign * t.Bytes
	s.Fragments += sign * t.Fragments
	s.Resent += sign * t.Resent
	s.Types = slices.Clone(s.Types)
	if len(s.Types) == 0 {
		s.Types = make([]TypeStats, len(t.Types))
		for i := range t.Types {
			s.Types[i].Type = t.Types[i].Type
		}
	}
	for i := range t.Types {
		if len(s.Types) != len(t.Types) || s.Types[i].Type != t.Types[i].Type {
			panic("packet: Stats: the protocols have different types")
		}
		a, b := &s.Types[i], &t.Types[i]
		if sign > 0 {
			a.Largest = max(a.Largest, b.Largest)
		}
		a.Packets += sign * b.Packets
		a.Bytes += sign * b.Bytes
		a.Bits += sign * b.Bits
	}
	others := t.Overhead.parts()
	for i, part := range s.Overhead.parts() {
		*part.bits += sign * *others[i].bits
	}
}

// Stats returns what the session has sent, received and refused so far. Counting
// is always on; it takes no memory per packet. Stats itself allocates.
func (s *Session) Stats() Stats {
	p := s.p
	// A datagram is counted before its packets, and read here after them, so that
	// Unused is not negative.
	received := make([]TypeStats, len(p.types))
	for i := range received {
		received[i] = s.in.types[i].load(p.types[i].Type)
	}
	controls := s.in.controls.Load()

	var st Stats
	s.out.Lock()
	out, sent, acks := s.out.counts, slices.Clone(s.out.types), s.out.learned
	if f := s.out.flights; f != nil {
		st.Delivered, st.Lost, st.Late = f.estimates.allDelivered, f.estimates.allLost, f.estimates.allLate
	}
	s.out.Unlock()
	s.in.Lock()
	in := s.in.counts
	s.in.Unlock()

	in.acks, in.controls = acks, controls
	st.Sent, st.Received = p.traffic(&out, sent), p.traffic(&in, received)
	for r := 1; r < numRefusals; r++ {
		st.refused[r] = s.own.Refused(Refusal(r))
	}
	return st
}

// Stats returns the sum of the statistics of all peers, including those that have
// left, and the refusals of the server and its gate. Of a peer that has left, it
// has what was counted until then. The difference of two values is what has
// passed between them: see [Stats.Sub].
func (s *Server) Stats() Stats {
	s.mu.RLock()
	defer s.mu.RUnlock()
	total := Stats(s.gone)
	for _, p := range s.order {
		total = total.Add(p.session.Stats())
	}
	for r := 1; r < numRefusals; r++ {
		total.refused[r] = s.Counters().Refused(Refusal(r))
	}
	return total
}

// goneStats are the statistics of the peers that have left. The type has no String
// method, which would otherwise be part of every program with a Server.
type goneStats Stats

// counts are those of one direction of a session. Those without a comment
// are bytes.
type counts struct {
	datagrams int64 // a number
	bytes     int64
	headers   int64
	acks      int64
	controls  int64

	fragments       int64 // a number
	fragmentHeaders int64

	messageHeaders int64
	resent         int64 // a number
	resentMessages int64
}

// traffic returns the Traffic of a direction. The sizes that are the same for all
// datagrams or packets follow from their numbers.
func (p *spec) traffic(t *counts, types []TypeStats) Traffic {
	var packets, bytes, bits int64
	for i := range types {
		packets, bytes, bits = packets+types[i].Packets, bytes+types[i].Bytes, bits+types[i].Bits
	}
	o := Overhead{
		Headers: 8 * t.headers, Seals: 8 * t.datagrams * int64(p.config.Protection.size()+len(p.endCheck)),
		Acks: 8 * t.acks, Controls: 8 * t.controls, Fragments: 8 * t.fragmentHeaders,
		Messages: 8 * t.messageHeaders, Resent: 8 * t.resentMessages,
		Indices: packets * int64(p.width), Padding: 8*bytes - bits - packets*int64(p.width),
	}
	o.Unused = 8*t.bytes - bits - o.Bits()
	return Traffic{Datagrams: t.datagrams, Bytes: t.bytes, Fragments: t.fragments, Resent: t.resent, Types: types, Overhead: o}
}

// typeTotal counts packets of the type with an index.
type typeTotal struct {
	index                         int
	packets, bytes, bits, largest int64
}

// addTotal adds a packet to the total of its type.
func (b *Batch) addTotal(t typeTotal) {
	for i := range b.totals {
		if o := &b.totals[i]; o.index == t.index {
			o.packets++
			o.bytes += t.bytes
			o.bits += t.bits
			o.largest = max(o.largest, t.largest)
			return
		}
	}
	b.totals = append(b.totals, t)
}

// add adds packets that are sent. The caller holds session.out.
func (t *TypeStats) add(o *typeTotal) {
	t.Packets += o.packets
	t.Bytes += o.bytes
	t.Bits += o.bits
	t.Largest = max(t.Largest, o.largest)
}

// typeCounter counts received packets of one type. Its bytes are never fewer than
// those of the counted packets and bits, because add adds them first and load loads
// them last.
type typeCounter struct{ packets, bytes, bits, largest atomic.Int64 }

// add adds a packet of a number of bytes, whose value has a number of bits.
func (c *typeCounter) add(bytes, bits int) {
	c.bytes.Add(int64(bytes))
	c.packets.Add(1)
	c.bits.Add(int64(bits))
	for old := c.largest.Load(); int64(bits) > old; old = c.largest.Load() {
		if c.largest.CompareAndSwap(old, int64(bits)) {
			return
		}
	}
}

func (c *typeCounter) load(t reflect.Type) TypeStats {
	s := TypeStats{Type: t, Largest: c.largest.Load(), Bits: c.bits.Load(), Packets: c.packets.Load()}
	s.Bytes = c.bytes.Load()
	return s
}

// initStats makes room for the counts of each type.
func (s *session) initStats() {
	s.counters = &s.own
	s.in.types = make([]typeCounter, len(s.p.types))
	s.out.types = make([]TypeStats, len(s.p.types))
	for i := range s.out.types {
		s.out.types[i].Type = s.p.types[i].Type
	}
}

// refuse counts a refusal for the session, and in the counters that it shares.
func (s *session) refuse(r Refusal) {
	s.own.Refuse(r)
	if s.counters != &s.own {
		s.counters.Refuse(r)
	}
}

// countSealed counts a datagram of a size, with data of a length before it was
// sealed. The caller holds s.out.
func (s *session) countSealed(o *outgoing, size, data int) {
	t := &s.out.counts
	t.datagrams++
	t.bytes += int64(size)
	t.headers += int64(size - data - s.p.config.Protection.size())
	if o.kind == kindControl {
		t.controls += int64(o.end)
	}
	for i := range o.totals {
		s.out.types[o.totals[i].index].add(&o.totals[i])
	}
	if t := o.completed; t != nil {
		s.out.types[t.index].add(t)
	}
}

// countMessages counts the messages before number end, which take size bytes with
// their headers. Those before number fresh have been sent before. The caller
// holds s.out.
func (s *session) countMessages(fresh, end uint64, size int) {
	t, q := &s.out.counts, s.out.queue
	for n := q.first; n < end; n++ {
		m := q.message(n)
		size -= len(m.data)
		if n < fresh {
			t.resent++
			t.resentMessages += int64(len(m.data))
		} else {
			s.out.types[m.total.index].add(&m.total)
		}
	}
	t.messageHeaders += int64(size)
}

// countRefusal counts the refusal of a packet.
func (c *Contents) countRefusal(r Refusal) {
	if c.session != nil {
		c.session.refuse(r)
	} else {
		c.counters.Refuse(r)
	}
}

// countPacket counts a packet of the type with index i that has been accepted.
// Its value has a number of bits.
func (c *Contents) countPacket(i, bytes, bits int) {
	c.counters.accept()
	if c.session != nil {
		c.session.in.types[i].add(bytes, bits)
	}
}

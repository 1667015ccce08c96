package packet

import (
	"errors"
	"time"
)

// ErrUnreported says that a session has sent 512 datagrams since it could last
// report which of them are lost: see [Session.Tick].
var ErrUnreported = errors.New("packet: too many datagrams since the last call of Session.Tick")

// Tracked is a packet with a value of the program. It can be sent wherever a
// packet can. In a protocol with [Config.Acks] the session reports the value
// once: when the other side has read and accepted the packet, or when the packet
// counts as lost. Other protocols ignore the value.
type Tracked struct {
	Packet any
	Value  any // reported unless it is nil
}

// Report says what became of a datagram that a session has sent.
type Report struct {
	// Sequence is the datagram's sequence number.
	Sequence uint64
	// Delivered says that the other side has read and accepted every packet of
	// the datagram. Otherwise the datagram counts as lost.
	Delivered bool
	// Values are the values of the [Tracked] packets that are delivered or lost
	// with the datagram. The slice is valid until the function that receives the
	// report returns.
	Values []any
}

// ringSize is the number of sent datagrams that a session can remember: those
// that may still be acknowledged and as many that wait to be reported as lost.
const ringSize = 2 * WindowSize

// flight is a sent datagram. A place in the ring is that of a datagram only if it has
// the datagram's number: another goroutine may have reused it.
type flight struct {
	seq    uint64
	at     time.Duration
	values []any  // of its packets, or nil
	whole  *whole // the value of the packet in fragments that it has a part of, or nil
	end    uint64 // the messages before this number are delivered with it
	size   int32
	state  flightState
}

type flightState uint8

// The states of a flight.
const (
	resolved  flightState = iota // it has been reported
	flying                       // neither acknowledged nor lost
	arrived                      // acknowledged, and about to be reported
	reporting                    // the program is called with its report
	given                        // reported as lost, but its ack may still arrive
)

// A datagram counts as lost once one that was sent leastReorder or more datagrams later
// has been acknowledged: kPacketThreshold of RFC 9002, section 6.1.1. The number grows up
// to mostReorder in a network that reorders more.
const (
	leastReorder = 3
	mostReorder  = 32
)

// flights are the datagrams that a session has sent and the program has not
// heard of. They are guarded by session.out.
type flights struct {
	ring   [ringSize]flight // by sequence number
	oldest uint64           // all earlier ones are resolved or given up
	known  uint64           // 1 more than the highest acknowledged number, or 0
	late   uint64           // the messages before this number came with datagrams that were given up
	beyond uint64           // how much leastReorder has grown
	report func(Report)

	queue     *queue   // of the session, or nil
	settled   []*whole // to reuse
	spare     [][]any  // empty slices for values, to reuse
	estimates estimator
}

func (f *flights) at(seq uint64) *flight { return &f.ring[seq%ringSize] }

// outdated returns the number below which datagrams that are still flying are lost
// because no ack can name them any more.
func outdated(next uint64) uint64 { return max(next, WindowSize) - WindowSize }

// isLost reports whether the flying datagram with the number seq counts as lost: a
// newer one has been acknowledged, and it is too far behind that one by number or by
// time. These are the two thresholds of RFC 9002, section 6.1.
func (f *flights) isLost(seq, next uint64, now time.Duration) bool {
	switch {
	case seq < outdated(next):
		return true
	case seq+1 >= f.known:
		return false
	}
	return f.known-1-seq >= leastReorder+f.beyond || now-f.at(seq).at >= f.estimates.lossDelay()
}

// makeRoom makes room for the datagram with the number next, and reports
// whether there is any.
func (f *flights) makeRoom(next uint64) bool {
	for f.oldest < next {
		switch fl := f.at(f.oldest); {
		case fl.state == resolved || fl.state == given:
		case fl.state == flying && f.report == nil && f.oldest < outdated(next):
			f.giveUp(fl)
		default:
			return next-f.oldest < ringSize
		}
		f.oldest++
	}
	return true
}

// depart records a datagram that is sent now.
func (f *flights) depart(seq uint64, size int, o *outgoing, now time.Duration) {
	fl := f.at(seq)
	fl.seq, fl.at, fl.size, fl.state = seq, now, int32(size), flying
	fl.whole, fl.end = o.whole, o.messages
	if len(o.values) > 0 {
		fl.values = append(f.valuesOf(fl), o.values...)
	}
	f.estimates.sent += int64(size)
}

// arrive records the datagrams that an ack section acknowledges. It keeps those
// bits of the set whose datagrams are to be reported. next is the number of the
// next datagram to send.
func (f *flights) arrive(set *numberSet, next uint64, now time.Duration) Refusal {
	if set.newest >= next {
		return ErrAcks
	}
	f.known = max(f.known, set.newest+1)
	for i := set.before(WindowSize); i >= 0; i = set.before(i) {
		seq := set.newest - uint64(i)
		fl := f.at(seq)
		fresh := fl.seq == seq && seq >= outdated(next)
		if fresh && fl.state == given {
			f.estimates.arrivedLate(int64(fl.size), now-fl.at)
			f.late = max(f.late, fl.end)
			f.beyond = min(max(f.beyond, f.known-min(f.known, seq+leastReorder)), mostReorder-leastReorder)
			fl.state = resolved
		}
		if !fresh || fl.state != flying {
			set.bits[i/64] &^= 1 << (i % 64)
			continue
		}
		fl.state = arrived
		f.settleValue(fl, true)
		if end := max(fl.end, f.late); end > 0 {
			fl.values = f.queue.acknowledge(end, f.valuesOf(fl), f.estimates.resendAfter())
		}
		f.estimates.delivered(int64(fl.size))
		if i == 0 {
			f.estimates.sample(now - fl.at)
		}
		if f.report == nil {
			f.forget(fl, resolved)
		}
	}
	return 0
}

// lose records that a datagram is lost.
func (f *flights) lose(fl *flight) {
	f.estimates.lost()
	f.settleValue(fl, false)
}

// giveUp records that a datagram is lost that nobody hears of.
func (f *flights) giveUp(fl *flight) {
	f.lose(fl)
	f.forget(fl, given)
}

// settleValue adds the value of the datagram's packet in fragments to those of
// the datagram, if it is delivered or lost with it.
func (f *flights) settleValue(fl *flight, delivered bool) {
	if fl.whole != nil && f.settle(fl.whole, 1, delivered) {
		fl.values = append(f.valuesOf(fl), fl.whole.value)
		fl.whole.value = nil
	}
	fl.whole = nil
}

// valuesOf returns the values of a datagram, to append to. Slices are reused
// among all datagrams, so that there are only as many as have been in use at a
// time, and not one of the greatest length for each place in the ring.
func (f *flights) valuesOf(fl *flight) []any {
	if n := len(f.spare); fl.values == nil && n > 0 {
		fl.values, f.spare = f.spare[n-1], f.spare[:n-1]
	}
	return fl.values
}

// forget forgets the values of a datagram, and sets its last state.
func (f *flights) forget(fl *flight, last flightState) {
	if cap(fl.values) > 0 {
		clear(fl.values)
		f.spare = append(f.spare, fl.values[:0])
	}
	fl.values, fl.state = nil, last
}

// OnReport sets the function that is called with a [Report] of each datagram
// that the session has sent, keepalives included. It must be called before the
// session is used, and panics if the protocol has no [Config.Acks].
//
// Each datagram is reported once. Datagrams that arrived are reported while a
// datagram that acknowledges them is opened, in the order of their numbers.
// A lost datagram is reported by the first [Session.Tick] at which a newer one has
// been acknowledged and one of these is true, as in RFC 9002: the newer one was sent
// 3 or more datagrams later, or 9/8 of the round trip have passed since the lost one
// was sent. Both limits grow while acknowledgements arrive late, up to 32 datagrams
// and twice the round trip. Without acknowledgements a datagram is lost when [WindowSize] newer ones
// have been sent. If an acknowledgement arrives after the report, it is counted in
// [Stats.Late]. Nothing is reported after the session's last tick.
//
// The function is called without any lock held and may use the session. No method
// that sends calls it, so a program may send while it holds a lock that the
// function takes.
func (s *Session) OnReport(f func(r Report)) {
	if s.out.flights == nil {
		panic("packet: OnReport: the protocol has no acknowledgements")
	}
	s.out.flights.report = f
}

// learn records the acknowledgements of an authentic datagram, which take size
// bytes, and reports them.
func (s *session) learn(set *numberSet, size int) Refusal {
	s.out.Lock()
	f := s.out.flights
	refusal := f.arrive(set, s.out.next, s.now())
	if refusal == 0 {
		s.out.learned += int64(size)
	}
	report := f.report
	s.out.Unlock()
	if refusal != 0 || report == nil {
		return refusal
	}
	for i := set.before(WindowSize); i >= 0; i = set.before(i) {
		s.reportOne(set.newest-uint64(i), arrived)
	}
	return 0
}

// reportOne reports the datagram with the number seq if it is in the given state:
// arrived or, if it is lost, flying.
func (s *session) reportOne(seq uint64, state flightState) {
	f := s.out.flights
	s.out.Lock()
	fl := f.at(seq)
	if fl.seq != seq || fl.state != state { // another goroutine reports it, or has done so
		s.out.Unlock()
		return
	}
	last := resolved
	if state == flying {
		f.lose(fl)
		last = given
	}
	fl.state = reporting
	values := fl.values
	s.out.Unlock()
	f.report(Report{Sequence: seq, Delivered: state == arrived, Values: values})
	s.out.Lock()
	f.forget(fl, last)
	s.out.Unlock()
}

// reportLost reports the datagrams that are lost by now.
func (s *session) reportLost() {
	f, now := s.out.flights, s.now()
	s.out.Lock()
	next := s.out.next
	to := max(f.known, outdated(next)) // no later one is lost
	for seq := f.oldest; seq < to; seq++ {
		if fl := f.at(seq); fl.seq != seq || fl.state != flying || !f.isLost(seq, next, now) {
			continue
		}
		if f.report == nil {
			f.giveUp(f.at(seq))
			continue
		}
		s.out.Unlock()
		s.reportOne(seq, flying)
		s.out.Lock()
	}
	f.makeRoom(s.out.next)
	s.out.Unlock()
}

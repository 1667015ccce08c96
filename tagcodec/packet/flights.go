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

// flight is a sent datagram.
type flight struct {
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
)

// flights are the datagrams that a session has sent and the program has not
// heard of. They are guarded by session.out.
type flights struct {
	ring   [ringSize]flight // by sequence number
	oldest uint64           // all earlier ones are resolved
	known  uint64           // 1 more than the highest acknowledged number, or 0
	report func(Report)

	queue     *queue   // of the session, or nil
	settled   []*whole // to reuse
	spare     [][]any  // empty slices for values, to reuse
	estimates estimator
}

func (f *flights) at(seq uint64) *flight { return &f.ring[seq%ringSize] }

// lost returns the number below which datagrams that are still flying are lost.
func lost(next uint64) uint64 { return max(next, WindowSize) - WindowSize }

// makeRoom makes room for the datagram with the number next, and reports
// whether there is any.
func (f *flights) makeRoom(next uint64) bool {
	for f.oldest < lost(next) {
		switch fl := f.at(f.oldest); {
		case fl.state == resolved:
		case fl.state == flying && f.report == nil:
			f.lose(fl)
			f.forget(fl)
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
	fl.at, fl.size, fl.state = now, int32(size), flying
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
		if seq < lost(next) || fl.state != flying {
			set.bits[i/64] &^= 1 << (i % 64)
			continue
		}
		fl.state = arrived
		f.settleValue(fl, true)
		if fl.end > 0 {
			fl.values = f.queue.acknowledge(fl.end, f.valuesOf(fl), f.estimates.resendAfter())
		}
		f.estimates.delivered(int64(fl.size))
		if i == 0 {
			f.estimates.sample(now - fl.at)
		}
		if f.report == nil {
			f.forget(fl)
		}
	}
	return 0
}

// lose records that a datagram is lost.
func (f *flights) lose(fl *flight) {
	f.estimates.lost()
	f.settleValue(fl, false)
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

// forget forgets a datagram.
func (f *flights) forget(fl *flight) {
	if cap(fl.values) > 0 {
		clear(fl.values)
		f.spare = append(f.spare, fl.values[:0])
	}
	fl.values, fl.state = nil, resolved
}

// OnReport sets the function that is called with a [Report] of each datagram
// that the session has sent, keepalives included. It must be called before the
// session is used, and panics if the protocol has no [Config.Acks].
//
// Each datagram is reported once. Datagrams that arrived are reported while a
// datagram that acknowledges them is opened, in the order of their numbers.
// A datagram is lost when [WindowSize] newer ones have been sent, and the next
// [Session.Tick] reports it. An acknowledgement that arrives in between does not
// count. Nothing is reported after the session's last tick.
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

// reportOne reports the datagram with the number seq, which is arrived or, if
// it is lost, flying.
func (s *session) reportOne(seq uint64, state flightState) {
	f := s.out.flights
	s.out.Lock()
	fl := f.at(seq)
	if fl.state != state { // another goroutine reports it
		s.out.Unlock()
		return
	}
	if state == flying {
		f.lose(fl)
	}
	fl.state = reporting
	values := fl.values
	s.out.Unlock()
	f.report(Report{Sequence: seq, Delivered: state == arrived, Values: values})
	s.out.Lock()
	f.forget(fl)
	s.out.Unlock()
}

// reportLost reports the datagrams that are lost by now.
func (s *session) reportLost() {
	f := s.out.flights
	s.out.Lock()
	from, to := f.oldest, lost(s.out.next)
	if f.report == nil {
		from = to
	}
	s.out.Unlock()
	for ; from < to; from++ {
		s.reportOne(from, flying)
	}
	s.out.Lock()
	f.makeRoom(s.out.next)
	s.out.Unlock()
}

package packet

import "time"

// setTime tells the session what time it is. Time does not run backwards.
func (s *session) setTime(now time.Time) {
	if !s.p.timed {
		return
	}
	start := s.start.Load()
	if start == nil {
		first := now // allocated
		s.start.CompareAndSwap(nil, &first)
		start = s.start.Load()
	}
	for since := int64(now.Sub(*start)); ; {
		old := s.clock.Load()
		if since <= old || s.clock.CompareAndSwap(old, since) {
			return
		}
	}
}

// now returns the time since the first call of setTime.
func (s *session) now() time.Duration { return time.Duration(s.clock.Load()) }

// Tick tells the session what time it is. It reports the datagrams that are lost,
// updates the estimates, and gives up packets whose fragments have been missing
// for too long. A program that uses neither a [Server] nor a [Client] calls it
// several times a second, before it sends. All values of now must come from one
// clock. In a protocol with neither acknowledgements nor fragments Tick does
// nothing.
func (s *Session) Tick(now time.Time) {
	s.setTime(now)
	if a := s.in.assembler; a != nil {
		s.in.Lock()
		a.expire(s.now())
		s.in.Unlock()
	}
	if s.out.flights == nil {
		return
	}
	s.reportLost()
	s.in.Lock()
	if owes := &s.in.accepted.owes; *owes > 0 {
		*owes = min(*owes+1, overdue)
	}
	s.in.Unlock()
	s.out.Lock()
	defer s.out.Unlock()
	s.out.flights.estimates.tick(s.now())
	if q := s.out.queue; q != nil {
		q.tick(s.p.spec, s.now())
	}
}

// Flush appends a datagram to dst if one is due: if acknowledgements or messages
// have waited since the tick before the last. Otherwise it returns dst unchanged.
// A program that uses neither a [Server] nor a [Client] calls it after
// [Session.Tick].
func (s *Session) Flush(dst []byte) ([]byte, error) {
	if s.out.flights == nil {
		return dst, nil
	}
	s.in.Lock()
	due := s.in.accepted.owes == overdue
	s.in.Unlock()
	if q := s.out.queue; q != nil && !due {
		s.out.Lock()
		due = q.ticks == 2
		s.out.Unlock()
	}
	if !due {
		return dst, nil
	}
	return s.seal(dst, &outgoing{flush: true})
}

// overdue is the value of accepted.owes from which on a datagram is sent for the
// sake of the ack: between the two ticks the program had its chance to send.
const overdue = 3

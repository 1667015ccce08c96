package packet

import "time"

// Estimates are what a session has learned about the network from
// acknowledgements. All are moving averages.
type Estimates struct {
	// RTT is the time between sending a datagram and receiving its
	// acknowledgement. It includes the time until the other side sends its next
	// datagram, and is as coarse as the intervals between the times that the
	// session is told. Jitter is the mean deviation from RTT. Both are 0 before
	// the first acknowledgement.
	RTT, Jitter time.Duration
	// Loss is the share of the datagrams that are lost, from 0 to 1. A datagram
	// with a packet that is refused counts as lost. One whose acknowledgement
	// arrives after it was given up does not.
	Loss float64
	// SendRate is the number of bytes that are sent in a second, and
	// DeliveryRate the number of those that are acknowledged, without the
	// headers of UDP and IP.
	SendRate, DeliveryRate float64
}

// estimator makes the estimates. It is guarded by session.out.
type estimator struct {
	Estimates
	measured bool          // RTT is valid
	latest   time.Duration // the last round trip
	reorder  time.Duration // how much later than RTT an ack has come

	sent, acked int64         // bytes since start
	start       time.Duration // of the current interval
	rated       bool          // the rates are valid

	allDelivered, allLost, allLate int64 // datagrams
}

// rateInterval is the shortest interval over which rates are measured.
const rateInterval = 250 * time.Millisecond

// sample takes one round trip into account, as in RFC 6298.
func (e *estimator) sample(rtt time.Duration) {
	e.latest = rtt
	if !e.measured {
		e.measured = true
		e.RTT, e.Jitter = rtt, rtt/2
		return
	}
	e.Jitter += ((rtt - e.RTT).Abs() - e.Jitter) / 4
	e.RTT += (rtt - e.RTT) / 8
}

func (e *estimator) delivered(size int64) {
	e.acked += size
	e.allDelivered++
	e.Loss -= float64(e.Loss / 64)
}

func (e *estimator) lost() {
	e.allLost++
	e.Loss += float64((1 - e.Loss) / 64)
}

// arrivedLate takes back that a datagram is lost, whose ack took so long.
func (e *estimator) arrivedLate(size int64, took time.Duration) {
	e.acked += size
	e.allLate++
	e.Loss = max(0, e.Loss-1.0/64)
	e.reorder = max(e.reorder, took-e.RTT)
}

// lossDelay returns how long after it was sent a datagram is lost if a newer one has
// been acknowledged: kTimeThreshold of RFC 9002, section 6.1.2. It grows up to twice the
// round trip in a network that reorders more.
func (e *estimator) lossDelay() time.Duration {
	if !e.measured {
		return 333 * time.Millisecond // kInitialRtt
	}
	rtt := max(e.RTT, e.latest)
	return max(rtt+min(max(rtt/8, e.reorder), rtt), time.Millisecond)
}

// tick updates the rates once an interval has passed.
func (e *estimator) tick(now time.Duration) {
	passed := now - e.start
	if passed < rateInterval {
		return
	}
	sent, acked := float64(e.sent)/passed.Seconds(), float64(e.acked)/passed.Seconds()
	if !e.rated {
		e.rated = true
		e.SendRate, e.DeliveryRate = sent, acked
	}
	e.SendRate += float64((sent - e.SendRate) / 4)
	e.DeliveryRate += float64((acked - e.DeliveryRate) / 4)
	e.sent, e.acked, e.start = 0, 0, now
}

// resendAfter returns how long to wait for an acknowledgement before sending
// again, as in RFC 6298 with other bounds.
func (e *estimator) resendAfter() time.Duration {
	if !e.measured {
		return 250 * time.Millisecond
	}
	return min(max(e.RTT+4*e.Jitter, 50*time.Millisecond), 2*time.Second)
}

// Estimates returns what the session has learned about the network. It is zero
// for protocols without [Config.Acks]. The estimates depend on the times given
// to [Session.Tick].
func (s *Session) Estimates() Estimates {
	if s.out.flights == nil {
		return Estimates{}
	}
	s.out.Lock()
	defer s.out.Unlock()
	return s.out.flights.estimates.Estimates
}

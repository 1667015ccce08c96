package delta

import "fmt"

// Sender sends the snapshots of one session to one receiver. It keeps the images
// that it has sent within the window, and refers to those that the receiver has
// acknowledged. One goroutine may use it at a time.
type Sender struct {
	untyped  *untyped
	sent     []sent // by tick
	started  bool
	last     uint64 // tick of the last snapshot
	age      uint64
	complete uint64

	completeAt uint64 // tick of the last complete snapshot
	roundTrip  uint64 // ticks from a snapshot to its acknowledgement: the largest, which decays
}

// leastWait is the number of ticks between complete snapshots before the Sender has
// measured the round trip.
const leastWait = 4

// sent is a snapshot that a Sender has sent, or that a Receiver has read.
type sent struct {
	tick    uint64
	image   *Image // nil after a Reset
	spacing spacing
	acked   bool
}

// NewSender returns a Sender for one session.
func (c *Codec[T]) NewSender() *Sender { return &Sender{untyped: &c.untyped} }

// Append appends the message of a snapshot to dst. Ticks must increase. The
// Sender keeps the image, which other senders may share, until it is older than
// the window.
//
// A snapshot is complete if the receiver has acknowledged none in the window. Complete
// snapshots are large, so there is at most one in a round trip, and at most one in four
// ticks: until then Append appends nothing, and there is nothing to send. The round
// trip is measured in ticks, from the calls of [Sender.Ack].
func (s *Sender) Append(dst []byte, tick uint64, image *Image) ([]byte, error) {
	if s.started && tick <= s.last {
		return dst, &Error{Op: "append", Bit: -1, Err: fmt.Errorf("%w: %d is not after %d", ErrTick, tick, s.last)}
	}
	if err := s.untyped.owns(image, "append"); err != nil {
		return dst, err
	}
	s.sent = forget(s.sent, tick, s.untyped.config.window)
	h := header{tick: tick}
	refs := Refs{Tick: tick}
	base := s.base()
	if base < 0 && s.complete > 0 && tick-s.completeAt < max(s.roundTrip, leastWait) {
		s.started, s.last, s.age = true, tick, 0
		return dst, nil
	}
	if base >= 0 {
		h.spacing = s.space(tick, base)
		h.usual = s.usual(tick, base, h.spacing)
		s.fill(&refs, base, h.spacing)
	}
	data, err := s.untyped.append(dst, image, &refs, &h)
	if err != nil {
		return dst, err
	}
	s.started, s.last, s.age = true, tick, 0
	if base >= 0 {
		s.age = tick - refs.Base.Tick
	} else {
		s.complete++
		s.completeAt = tick
	}
	s.sent = append(s.sent, sent{tick: tick, image: image.hold(), spacing: h.spacing})
	return data, nil
}

// Ack tells the Sender that the receiver has read the snapshot of a tick with
// success: [Receiver.Read] returned no error, or ErrLate or ErrRepeated. That a
// datagram has arrived is not enough. Ticks that are unknown or too old are
// ignored.
func (s *Sender) Ack(tick uint64) {
	for i := range s.sent {
		if s.sent[i].tick == tick && s.sent[i].image != nil {
			if !s.sent[i].acked {
				took := s.last - tick + 1
				s.roundTrip = max(took, s.roundTrip-s.roundTrip/8)
			}
			s.sent[i].acked = true
		}
	}
}

// Reset forgets all acknowledgements, so that the next snapshot is complete. If one
// was complete less than a round trip ago, [Sender.Append] waits first. Reset is for a
// receiver that has lost its references, which asks for this after ErrBaseline.
func (s *Sender) Reset() {
	for i := range s.sent {
		if s.sent[i].image != nil {
			s.sent[i].image.drop()
		}
		// The receiver may have the image all the same. So its spacing counts in
		// usual, until it is older than the window.
		s.sent[i].image, s.sent[i].acked = nil, false
	}
}

// Age returns how many ticks before the last snapshot its base was, or 0 if the
// snapshot was complete.
func (s *Sender) Age() uint64 { return s.age }

// Completes returns how many snapshots were complete.
func (s *Sender) Completes() uint64 { return s.complete }

// forget releases the images that are window ticks old or more.
func forget(list []sent, tick uint64, window int) []sent {
	n := 0
	for _, s := range list {
		if tick > s.tick && tick-s.tick >= uint64(window) {
			if s.image != nil {
				s.image.drop()
			}
			continue
		}
		list[n] = s
		n++
	}
	clear(list[n:])
	return list[:n]
}

// base returns the index of the newest snapshot that is acknowledged, or -1.
func (s *Sender) base() int {
	for i := len(s.sent) - 1; i >= 0; i-- {
		if s.sent[i].acked {
			return i
		}
	}
	return -1
}

// The best distances of older images are measured: see docs/DELTA.md.
var (
	firstDistances  = []uint8{2, 3, 1, 4, 5, 6, 7} // indices of distances
	secondMultiples = []uint8{3, 2, 1}             // indices of multiples
)

// space returns the spacing of a snapshot whose base is s.sent[base]. Two older
// images are better than one.
func (s *Sender) space(tick uint64, base int) spacing {
	at := s.sent[base].tick
	lag := uint8(tick - at)
	one := spacing{lag: lag}
	for _, i := range firstDistances {
		if s.acked(at, distances[i]) < 0 {
			continue
		}
		if one.older == 0 {
			one.older = 4 * i
		}
		for _, j := range secondMultiples {
			if s.acked(at, distances[i]*multiples[j]) >= 0 {
				return spacing{lag, 4*i + j}
			}
		}
	}
	return one
}

// acked returns the index of the acknowledged snapshot that is distance ticks
// before a tick, or -1.
func (s *Sender) acked(tick, distance uint64) int {
	for i := range s.sent {
		if s.sent[i].tick+distance == tick && s.sent[i].acked {
			return i
		}
	}
	return -1
}

// usual reports whether the spacing is that of the base, and no other snapshot
// could be meant.
func (s *Sender) usual(tick uint64, base int, space spacing) bool {
	if s.sent[base].spacing != space {
		return false
	}
	n := 0
	for i := range s.sent {
		if lag := s.sent[i].spacing.lag; lag > 0 && s.sent[i].tick+uint64(lag) == tick {
			n++
		}
	}
	return n == 1
}

// fill sets the references of a snapshot.
func (s *Sender) fill(refs *Refs, base int, space spacing) {
	refs.Base = Ref{s.sent[base].tick, s.sent[base].image}
	for i, d := range space.apart() {
		if d > 0 {
			older := &s.sent[s.acked(refs.Base.Tick, d)]
			refs.Older[i] = Ref{older.tick, older.image}
		}
	}
}

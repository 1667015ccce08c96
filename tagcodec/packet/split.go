package packet

import (
	"fmt"

	"github.com/gobitpack/bitpack/internal/typename"
)

// large is a packet of a batch that takes several datagrams.
type large struct {
	data   []byte
	totals [1]typeTotal
	value  any // of a Tracked packet, or nil
}

// addLarge adds an encoded packet.
func (b *Batch) addLarge(data []byte, total typeTotal, value any) {
	if len(b.large) < cap(b.large) {
		b.large = b.large[:len(b.large)+1]
	} else {
		b.large = append(b.large, large{})
	}
	l := &b.large[len(b.large)-1]
	l.data, l.totals[0], l.value = append(l.data[:0], data...), total, value
}

// errSplit returns the error for a batch that one datagram cannot hold.
func (b *Batch) errSplit() error {
	typ, size := b.p.types[b.large[0].totals[0].index].Type, len(b.large[0].data)
	return &Error{Op: "send", Type: typ, Reason: ErrBudget,
		Err: fmt.Errorf("%s takes %d bytes, but a datagram has room for %d; use SealEach to send it in fragments",
			typename.Of(typ), size, b.p.room)}
}

// SealEach seals all datagrams of a batch and calls send with each: one with the
// packets that share a datagram, and then those with the fragments of larger
// packets. The bytes are valid until send returns. It stops at the first error,
// which may be one of send. The value of a [Tracked] packet that was sent in part
// is then not reported. SealEach panics if the batch is of another protocol.
func (s *Session) SealEach(b *Batch, send func(datagram []byte) error) error {
	if b.p.spec != s.p.spec {
		panic("packet: SealEach: the batch belongs to another protocol")
	}
	if b.Len() == 0 {
		return ErrEmpty
	}
	buf := datagrams.Get().(*[]byte)
	defer datagrams.Put(buf)
	if b.packets > 0 {
		o := b.outgoing()
		datagram, err := s.seal((*buf)[:0], &o)
		if err != nil {
			return err
		}
		*buf = datagram
		if err := send(datagram); err != nil {
			return err
		}
	}
	for i := range b.large {
		if err := s.split(buf, &b.large[i], send); err != nil {
			return err
		}
	}
	return nil
}

// split sends a packet in fragments.
func (s *session) split(buf *[]byte, l *large, send func(datagram []byte) error) error {
	p := s.p
	count := (len(l.data) + p.fragmentLen - 1) / p.fragmentLen
	s.out.Lock()
	number := s.out.fragmented
	s.out.fragmented++
	var w *whole
	if f := s.out.flights; f != nil && l.value != nil {
		w = f.newWhole(l.value, count)
	}
	s.out.Unlock()
	for i := range count {
		from := i * p.fragmentLen
		body := l.data[from:min(from+p.fragmentLen, len(l.data))]
		o := outgoing{body: body, end: len(body), packets: 1, whole: w, split: true, number: number, total: len(l.data), index: i}
		if i == count-1 {
			o.totals = l.totals[:]
		}
		datagram, err := s.seal((*buf)[:0], &o)
		unsealed := count - i
		if err == nil {
			*buf = datagram
			unsealed--
			err = send(datagram)
		}
		if err != nil {
			s.abandon(w, unsealed)
			return err
		}
	}
	return nil
}

// whole is the value of a packet in fragments. It is delivered with the last of
// the fragments and lost with the first that is lost.
type whole struct {
	value any
	left  int  // fragments that are neither delivered nor lost
	lost  bool // the value has been reported, or is not to be
}

// newWhole returns a whole. It reuses one that has been settled.
func (f *flights) newWhole(value any, fragments int) *whole {
	var w *whole
	if n := len(f.settled); n > 0 {
		w, f.settled = f.settled[n-1], f.settled[:n-1]
	} else {
		w = new(whole)
	}
	*w = whole{value: value, left: fragments}
	return w
}

// settle records that n fragments are delivered or lost, and reports whether the
// value is now delivered or lost with them.
func (f *flights) settle(w *whole, n int, delivered bool) bool {
	w.left -= n
	due := !w.lost && (!delivered || w.left == 0)
	w.lost = w.lost || !delivered
	if w.left == 0 {
		f.settled = append(f.settled, w)
	}
	return due
}

// abandon gives up a packet after some of its fragments were not sent. Its value
// is not reported.
func (s *session) abandon(w *whole, unsealed int) {
	if w == nil {
		return
	}
	s.out.Lock()
	defer s.out.Unlock()
	s.out.flights.settle(w, unsealed, false)
}

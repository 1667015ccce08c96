package packet

import (
	"fmt"
	"slices"

	"github.com/gobitpack/bitpack/internal/typename"
)

// large is a packet of a batch that takes several datagrams.
type large struct {
	data  []byte
	total typeTotal
	value any // of a Tracked packet, or nil
}

// addLarge adds an encoded packet.
func (b *Batch) addLarge(data []byte, total typeTotal, value any) {
	if len(b.large) < cap(b.large) {
		b.large = b.large[:len(b.large)+1]
	} else {
		b.large = append(b.large, large{})
	}
	l := &b.large[len(b.large)-1]
	l.data, l.total, l.value = append(l.data[:0], data...), total, value
}

// sealable returns why Seal refuses the batch, or nil. It panics if the batch
// belongs to another protocol than p.
func (b *Batch) sealable(p *Protocol) error {
	switch {
	case b.p.spec != p.spec:
		panic("packet: Seal: the batch belongs to another protocol")
	case len(b.large) > 0:
		return b.errSplit()
	case b.packets == 0:
		return ErrEmpty
	}
	return nil
}

// errSplit returns the error for a batch that one datagram cannot hold.
func (b *Batch) errSplit() error {
	typ, size := b.p.types[b.large[0].total.index].Type, len(b.large[0].data)
	return &Error{Op: "send", Type: typ, Reason: ErrBudget,
		Err: fmt.Errorf("%s takes %d bytes, but a datagram has room for %d; use SealEach to send it in fragments",
			typename.Of(typ), size, b.p.room)}
}

// SealEach seals all datagrams of a batch and calls send with each: one with the
// packets that share a datagram, and then those with the fragments of larger
// packets. If there is room beside the last fragment of a larger packet, it
// shares the datagram of the others, which is then sent last. The bytes are valid
// until send returns. It stops at the first error, which may be one of send. The
// value of a [Tracked] packet that was not sent, or sent in part, is then not
// reported. SealEach panics if the batch is of another protocol.
func (s *Session) SealEach(b *Batch, send func(datagram []byte) error) error {
	if b.p.spec != s.p.spec {
		panic("packet: SealEach: the batch belongs to another protocol")
	}
	if b.Len() == 0 {
		return ErrEmpty
	}
	buf := datagrams.Get().(*[]byte)
	defer datagrams.Put(buf)
	others, shared := b.outgoing(), b.shared()
	if shared < 0 && b.packets > 0 {
		datagram, err := s.seal((*buf)[:0], &others)
		if err != nil {
			return err
		}
		*buf = datagram
		if err := send(datagram); err != nil {
			return err
		}
	}
	for i := range b.large {
		var beside outgoing
		if i == shared {
			beside = others
		}
		if err := s.split(buf, &b.large[i], beside, send); err != nil {
			return err
		}
	}
	return nil
}

// shared returns the index of the large packet whose last fragment fits into the
// datagram of the other packets, or -1.
func (b *Batch) shared() int {
	return slices.IndexFunc(b.large, func(l large) bool {
		last := (len(l.data)-1)%b.p.fragmentLen + 1
		return b.packets > 0 && b.end+last <= b.p.fragmentLen
	})
}

// split sends a packet in fragments, the last of them after the packets beside.
func (s *session) split(buf *[]byte, l *large, beside outgoing, send func(datagram []byte) error) error {
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
		var o outgoing
		if i == count-1 {
			o = beside
			o.completed = &l.total
		}
		o.fragment = fragment{number, len(l.data), i, l.data[from:min(from+p.fragmentLen, len(l.data))]}
		o.packets++
		o.whole = w
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

package packet

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/gobitpack/bitpack/internal/typename"
)

// Batch is the packets of one datagram, encoded and ready to be sealed for any
// number of sessions. It is for one goroutine at a time while packets are
// added, and for any number while it is sealed.
type Batch struct {
	p       *Protocol
	kind    byte   // kindData, but for the batch of sealControl
	data    []byte // the packets and the end check
	end     int    // where the packets end
	packets int
}

// NewBatch returns an empty batch.
func (p *Protocol) NewBatch() *Batch { return &Batch{p: p} }

// Reset empties the batch and keeps its memory.
func (b *Batch) Reset() { b.kind, b.data, b.end, b.packets = kindData, b.data[:0], 0, 0 }

// Len returns the number of packets.
func (b *Batch) Len() int { return b.packets }

// Size returns the bytes of the packets, which are [Protocol.Room] at most.
func (b *Batch) Size() int { return b.end }

// Add encodes one more packet, a value of a type of the protocol or a pointer
// to one. After an error the batch is as it was. If the packet would not fit
// into the datagram it fails with [ErrBudget]: the batch is full, or, if it is
// empty, the packet is too large for any. If the batch has as many packets as
// the protocol allows it fails with [ErrTooMany].
func (b *Batch) Add(v any) error {
	p := b.p
	i, ok := p.index[reflect.TypeOf(v)]
	if !ok {
		return &Error{Op: "send", Type: reflect.TypeOf(v), Reason: ErrUnknownType}
	}
	if b.packets >= p.config.MaxPackets {
		return &Error{Op: "send", Type: p.types[i].Type, Reason: ErrTooMany}
	}
	data, err := appendPacket(b.data[:b.end], p.codecs[i], i, p.width, v)
	switch size := len(data) - b.end; {
	case err != nil:
		err = &Error{Op: "send", Type: p.types[i].Type, Reason: ErrInvalid, Err: err}
	case len(data) > p.room:
		err = &Error{Op: "send", Type: p.types[i].Type, Reason: ErrBudget,
			Err: fmt.Errorf("%s takes %d bytes, and %d of %d are left", typename.Of(p.types[i].Type), size, p.room-b.end, p.room)}
	default:
		b.end = len(data)
		b.packets++
	}
	b.data = append(data[:b.end], p.endCheck...)
	return err
}

// batches holds those of [Session.Append].
var batches = sync.Pool{New: func() any { return new(Batch) }}

// datagrams holds those of [Broadcast].
var datagrams = sync.Pool{New: func() any { return new([]byte) }}

// Broadcast sends the packets of a batch to each of the sessions: they are
// encoded already, and only sealed once for each. It hands every datagram to
// send with the index of its session; the bytes are valid until send returns.
// What fails for one session does not keep the others from their datagrams:
// Broadcast returns the errors of all, joined.
func Broadcast(b *Batch, sessions []*Session, send func(i int, datagram []byte) error) error {
	buf := datagrams.Get().(*[]byte)
	defer datagrams.Put(buf)
	var errs []error
	for i, s := range sessions {
		datagram, err := s.Seal((*buf)[:0], b)
		if err == nil {
			*buf = datagram
			err = send(i, datagram)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("packet: broadcast to session %d: %w", i, err))
		}
	}
	return errors.Join(errs...)
}

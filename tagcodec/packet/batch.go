package packet

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/gobitpack/bitpack/internal/typename"
)

// Batch holds the packets of one datagram, already encoded, to be sealed for
// any number of sessions. While packets are added, it must be used by one
// goroutine at a time. Any number of goroutines may seal it.
type Batch struct {
	p       *Protocol
	kind    byte   // kindData, except in sealControl
	data    []byte // the packets and the end check
	end     int    // offset of the end of the packets
	packets int
	values  []any       // of Tracked packets
	totals  []typeTotal // of the packets that share a datagram
	large   []large     // packets that take several datagrams
}

// NewBatch returns an empty batch.
func (p *Protocol) NewBatch() *Batch { return &Batch{p: p} }

// Reset empties the batch but retains its memory.
func (b *Batch) Reset() {
	clear(b.values)
	for i := range b.large {
		b.large[i].value = nil
	}
	b.large = b.large[:0]
	b.kind, b.data, b.end, b.packets, b.values, b.totals = kindData, b.data[:0], 0, 0, b.values[:0], b.totals[:0]
}

// Len returns the number of packets.
func (b *Batch) Len() int { return b.packets + len(b.large) }

// Size returns the number of bytes of the packets that share a datagram, at most
// [Protocol.Room]. Packets that are sent in fragments are not among them.
func (b *Batch) Size() int { return b.end }

// Add encodes one more packet, a value of one of the protocol's types, a pointer
// to one, or a [Tracked] packet. On error the batch is unchanged. If the packet does not fit
// into the datagram, Add fails with [ErrBudget]: the batch is full or, if it is
// empty, the packet is too large for any datagram. A packet that is larger than a
// datagram, but within [Config.MaxPacket] or [Type.MaxPacket], is sent in
// fragments: see [Session.SealEach]. If the batch already holds
// [Config.MaxPackets] packets, Add fails with [ErrTooMany].
func (b *Batch) Add(v any) error {
	p := b.p
	v, value := untracked(v)
	i, ok := p.index[reflect.TypeOf(v)]
	if !ok {
		return &Error{Op: "send", Type: reflect.TypeOf(v), Reason: ErrUnknownType}
	}
	if b.Len() >= p.config.MaxPackets {
		return &Error{Op: "send", Type: p.types[i].Type, Reason: ErrTooMany}
	}
	data, bits, err := appendPacket(b.data[:b.end], p.codecs[i], i, p.width, v)
	size := len(data) - b.end
	total := typeTotal{i, 1, int64(size), int64(bits), int64(bits)}
	switch {
	case err != nil:
		err = &Error{Op: "send", Type: p.types[i].Type, Reason: ErrInvalid, Err: err}
	case size > p.room && size <= p.limits[i]:
		b.addLarge(data[b.end:], total, value)
	case len(data) > p.room:
		err = &Error{Op: "send", Type: p.types[i].Type, Reason: ErrBudget,
			Err: fmt.Errorf("%s takes %d bytes, but only %d of %d are left", typename.Of(p.types[i].Type), size, p.room-b.end, p.room)}
	default:
		b.end = len(data)
		b.packets++
		b.addTotal(total)
		if value != nil {
			b.values = append(b.values, value)
		}
	}
	b.data = append(data[:b.end], p.endCheck...)
	return err
}

// untracked returns the packet and the value of a [Tracked] packet, or v.
func untracked(v any) (packet, value any) {
	switch t := v.(type) {
	case Tracked:
		return t.Packet, t.Value
	case *Tracked:
		return t.Packet, t.Value
	}
	return v, nil
}

// addAll adds packets until one fails.
func (b *Batch) addAll(packets []any) error {
	for _, v := range packets {
		if err := b.Add(v); err != nil {
			return err
		}
	}
	return nil
}

// batches is a pool of batches for datagrams that are sealed at once.
var batches = sync.Pool{New: func() any { return new(Batch) }}

// borrowBatch returns an empty batch, which the caller returns to batches.
func (p *Protocol) borrowBatch() *Batch {
	b := batches.Get().(*Batch)
	b.p = p
	b.Reset()
	return b
}

// datagrams is a pool of buffers for outgoing datagrams.
var datagrams = sync.Pool{New: func() any { return new([]byte) }}

// Broadcast sends the packets of a batch to each session. They are already
// encoded, and sealed once for each session. Broadcast calls send with the
// index of the session and its datagram, whose bytes are valid until send
// returns. If a packet is sent in fragments, there are several datagrams for each
// session, as by [Session.SealEach]. A failure for one session does not affect the others: Broadcast
// returns all errors, joined.
func Broadcast(b *Batch, sessions []*Session, send func(i int, datagram []byte) error) error {
	var errs []error
	for i, s := range sessions {
		err := s.SealEach(b, func(datagram []byte) error { return send(i, datagram) })
		if err != nil {
			errs = append(errs, failed(fmt.Sprintf("broadcast to session %d", i), err))
		}
	}
	return errors.Join(errs...)
}

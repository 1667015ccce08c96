package packet

import (
	"context"
	"fmt"
	"reflect"
	"sync"
)

// Mux dispatches packets to the handlers of their types. It is safe for
// concurrent use once all handlers are set.
type Mux struct {
	p        *Protocol
	handlers []handler // by type index; nil if there is none

	// unhandled holds an error for each type. They are allocated in advance,
	// because anyone may send a packet of a type without a handler.
	unhandled []*Error
}

// NewMux returns a mux without handlers. [Handle] adds them.
func (p *Protocol) NewMux() *Mux {
	m := &Mux{p: p, handlers: make([]handler, len(p.types))}
	for _, info := range p.types {
		m.unhandled = append(m.unhandled, &Error{Op: "read", Type: info.Type, Reason: ErrUnhandled})
	}
	return m
}

// handler handles the packet at the start of data, which is of the type with
// index i of p, and returns its length in bits. The error and exact are those of
// readPacket.
type handler interface {
	serve(ctx context.Context, p *Protocol, i int, data []byte, exact bool) (end int, err error)
}

// Handle sets the handler for packets of type T. The packet is valid until the
// handler returns, and its memory is then reused; package tagcodec documents
// how much memory it may retain. A handler that keeps the packet, or a slice, a
// map or a pointer in it, must [Take] it. Use [Session.Decode] for a type whose
// links may be set later. The context is the one passed to [Mux.Dispatch] or
// [Mux.Serve], and can carry other values, such as the client that sent the
// packet. With [Config.Acks], [ArrivalFrom] returns the datagram from it, and
// the datagram is acknowledged when all of its handlers have returned. A side that receives only some of the types needs handlers for those
// only. Handle panics if T is not a type of the protocol or already has a
// handler. It is not a method of Mux because methods cannot have type
// parameters.
func Handle[T any](m *Mux, f func(ctx context.Context, v *T)) {
	t := reflect.TypeFor[T]()
	i, ok := m.p.index[t]
	switch {
	case !ok || t.Kind() == reflect.Pointer:
		panic(fmt.Sprintf("packet: Handle: the protocol has no type %v", t))
	case m.handlers[i] != nil:
		panic(fmt.Sprintf("packet: Handle: %v already has a handler", t))
	}
	m.handlers[i] = &handles[T]{f: f, values: sync.Pool{New: func() any { return new(T) }}}
}

type handles[T any] struct {
	f      func(context.Context, *T)
	values sync.Pool
}

func (h *handles[T]) serve(ctx context.Context, p *Protocol, i int, data []byte, exact bool) (int, error) {
	v := h.values.Get().(*T)
	defer h.values.Put(v)
	end, err := readPacket(data, p.codecs[i], p.width, exact, v)
	if err == nil {
		h.f(ctx, v)
	}
	return end, err
}

// Dispatch opens a datagram and calls the handlers of its packets in order. It
// stops at the first packet that is refused; earlier packets have been handled
// by then. A packet after the first [Config.MaxPackets] is refused. A packet whose type
// has no handler is refused with [ErrUnhandled], in an [*Error] that names the
// type, before it is decoded. Dispatch returns nil for a keepalive, and the
// [Reason] of a disconnect. It panics if the session is of another protocol.
func (m *Mux) Dispatch(ctx context.Context, s *Session, datagram []byte) error {
	if s.p.spec != m.p.spec {
		panic("packet: Dispatch: the session belongs to another protocol")
	}
	var c Contents
	if refusal := s.open(&c, datagram); refusal != 0 {
		return refusal
	}
	return m.serve(ctx, &c)
}

// Serve calls the handlers of the packets of an opened datagram, as
// [Mux.Dispatch] does.
func (m *Mux) Serve(ctx context.Context, c Contents) error {
	if c.p != nil && c.p.spec != m.p.spec {
		panic("packet: Serve: the contents belong to another protocol")
	}
	return m.serve(ctx, &c)
}

func (m *Mux) serve(ctx context.Context, c *Contents) error {
	if c.control == Disconnect {
		return c.reason
	}
	if c.p != nil && c.p.messageIndex >= 0 {
		defer c.unclaim(false) // after a panic
	}
	var a *Arrival
	if c.session != nil && c.session.in.accepted != nil && c.More() {
		a = c.session.arrival(ctx, c.seq)
		ctx = a
	}
	declined, err := m.serveAll(ctx, c, a)
	if a != nil {
		c.session.done(a)
	}
	if err == nil && declined {
		return ErrDeclined
	}
	if err == nil {
		c.Accept()
	}
	return err
}

// serveAll calls the handlers, and reports whether one declined its packet. a is
// the context or nil.
func (m *Mux) serveAll(ctx context.Context, c *Contents, a *Arrival) (declined bool, err error) {
	for c.More() {
		i, err := c.peek()
		if err != nil {
			return declined, err
		}
		h := m.handlers[i]
		if h == nil {
			c.refuse(ErrUnhandled)
			return declined, m.unhandled[i]
		}
		data, exact := c.next()
		end, err := h.serve(ctx, c.p, i, data, exact)
		if err != nil {
			return declined, c.fail(i, err)
		}
		if a != nil && a.declined {
			a.declined, declined = false, true
			c.decline(end)
			continue
		}
		c.done(i, end)
	}
	return declined, nil
}

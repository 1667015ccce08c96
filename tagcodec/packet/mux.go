package packet

import (
	"context"
	"fmt"
	"reflect"
	"sync"
)

// Mux hands packets to the handlers of their types. It is safe for concurrent
// use once its handlers are set.
type Mux struct {
	p        *Protocol
	handlers []handler // by type, or nil

	// unhandled are the errors of types without handlers. They are made before
	// there is a need, because anybody may send a packet of such a type.
	unhandled []*Error
}

// NewMux returns a mux without handlers.
func NewMux(p *Protocol) *Mux {
	m := &Mux{p: p, handlers: make([]handler, len(p.types))}
	for _, info := range p.types {
		m.unhandled = append(m.unhandled, &Error{Op: "read", Type: info.Type, Reason: ErrUnhandled})
	}
	return m
}

// handler handles the next packet of c, of the type of index i, and returns
// what is behind it. It takes c by value, which does not escape so.
type handler interface {
	serve(ctx context.Context, c Contents, i int) (rest []byte, err error)
}

// Handle sets the handler of the packets of type T. The packet is the
// handler's until it returns: its memory is reused, and what of it is kept is
// bounded as package tagcodec says. A type whose links may be set later is
// better read with [Session.Decode]. What the handler needs
// besides, such as the client that sent it, it finds in the context that
// [Mux.Dispatch] is given. Handle panics if T is no type of the protocol, or
// has a handler. A mux of a side that receives only some of the types has
// handlers for these alone.
func Handle[T any](m *Mux, f func(ctx context.Context, v *T)) {
	t := reflect.TypeFor[T]()
	i, ok := m.p.index[t]
	switch {
	case !ok || t.Kind() == reflect.Pointer:
		panic(fmt.Sprintf("packet: Handle: the protocol has no type %v", t))
	case m.handlers[i] != nil:
		panic(fmt.Sprintf("packet: Handle: %v has a handler", t))
	}
	m.handlers[i] = &handles[T]{f: f, values: sync.Pool{New: func() any { return new(T) }}}
}

type handles[T any] struct {
	f      func(context.Context, *T)
	values sync.Pool
}

func (h *handles[T]) serve(ctx context.Context, c Contents, i int) ([]byte, error) {
	v := h.values.Get().(*T)
	defer h.values.Put(v)
	err := c.read(i, v)
	if err == nil {
		h.f(ctx, v)
	}
	return c.rest, err
}

// Dispatch opens a datagram and calls the handlers of its packets, one after
// the other. A packet that is refused ends the datagram; those before it were
// handled. So does one more than [Config.MaxPackets]. One whose type has no
// handler is refused with [ErrUnhandled], in an [*Error] of the type, before it
// is decoded. A keepalive has nothing to handle. The error of a disconnect is its
// [Reason]. Dispatch panics if the session is of another protocol.
func (m *Mux) Dispatch(ctx context.Context, s *Session, datagram []byte) error {
	if s.p.agreed != m.p.agreed {
		panic("packet: Dispatch: the session is of another protocol")
	}
	c, err := s.Open(datagram)
	if err != nil {
		return err
	}
	return m.serve(ctx, c)
}

// Serve calls the handlers of the packets of a datagram that was opened, as
// [Mux.Dispatch] does.
func (m *Mux) Serve(ctx context.Context, c Contents) error {
	if c.p != nil && c.p.agreed != m.p.agreed {
		panic("packet: Serve: the contents are of another protocol")
	}
	return m.serve(ctx, c)
}

func (m *Mux) serve(ctx context.Context, c Contents) error {
	if c.control == Disconnect {
		return c.reason
	}
	for c.More() {
		i, err := c.peek()
		if err != nil {
			return err
		}
		h := m.handlers[i]
		if h == nil {
			c.refuse(ErrUnhandled)
			return m.unhandled[i]
		}
		if c.rest, err = h.serve(ctx, c, i); err != nil {
			return err
		}
	}
	return nil
}

package packet

import (
	"context"
	"reflect"
)

// Arrival is the datagram that a handler is called for. [ArrivalFrom] returns
// it from the handler's context. It is valid until the handler returns.
type Arrival struct {
	context.Context // the context given to Dispatch or Serve

	session  Session
	seq      uint64
	declined bool
	reusable bool
}

type arrivalKey struct{}

// ArrivalFrom returns the datagram that a handler is called for, or nil if the
// protocol has no [Config.Acks] or the datagram belongs to no session.
func ArrivalFrom(ctx context.Context) *Arrival {
	a, _ := ctx.Value(arrivalKey{}).(*Arrival)
	return a
}

// Sequence returns the sequence number of the datagram.
func (a *Arrival) Sequence() uint64 { return a.seq }

// Session returns the session that the datagram belongs to.
func (a *Arrival) Session() *Session { return &a.session }

// Decline says that the handler does not accept the packet. The datagram is then
// not acknowledged, and its sender learns that the packet is lost. The remaining
// packets are handled all the same. The caller of [Mux.Serve] or [Mux.Dispatch]
// gets [ErrDeclined].
func (a *Arrival) Decline() { a.declined = true }

// Value returns a for [ArrivalFrom], and otherwise the value of the context
// given to Dispatch or Serve.
func (a *Arrival) Value(key any) any {
	if key == (arrivalKey{}) {
		return a
	}
	return a.Context.Value(key)
}

// arrival returns the context for the handlers of a datagram. A session reuses
// it for the same parent only, so that a handler that keeps it too long does not
// see the values of another peer.
func (s *session) arrival(parent context.Context, seq uint64) *Arrival {
	a := s.spare.Swap(nil)
	if a == nil || a.Context != parent {
		a = &Arrival{Context: parent, session: Session{s}, reusable: reflect.ValueOf(parent).Comparable()}
	}
	a.seq, a.declined = seq, false
	return a
}

// done ends the use of a.
func (s *session) done(a *Arrival) {
	if a.reusable {
		s.spare.Store(a)
	}
}

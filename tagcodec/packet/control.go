package packet

import (
	"errors"
	"fmt"
)

// Control is the purpose of a datagram without packets. Such a datagram has a
// sequence number and is protected like any other.
type Control uint8

// The controls, with their values on the wire.
const (
	NoControl  Control = iota // a datagram of packets
	Keepalive                 // the sender is alive
	Disconnect                // the sender has ended the session for a Reason
)

// String returns the control's name.
func (c Control) String() string {
	if int(c) < len(controlNames) {
		return controlNames[c]
	}
	return fmt.Sprintf("control %d", uint8(c))
}

// size returns the number of bytes of a control.
func (c Control) size() int64 {
	if c == Disconnect {
		return 2
	}
	return 1
}

var controlNames = [...]string{"no control", "keepalive", "disconnect"}

// Reason is why a session ended. [Session.Decode] and [Mux.Dispatch] return it
// as the error for a disconnect, and [Client.Tick] returns it after the client
// has ended.
type Reason uint8

// The reasons that this package defines. An application may define its own from
// ReasonApplication on.
const (
	// ReasonLeft means that the client ended the session without another
	// reason.
	ReasonLeft Reason = iota + 1
	// ReasonTimeout means that the other side was silent for too long.
	ReasonTimeout
	// ReasonKicked means that the server removed the client.
	ReasonKicked
	// ReasonReplaced means that the user joined again or, in a protocol without
	// keys, that another client joined from the same address.
	ReasonReplaced
	// ReasonShutdown means that the server is shutting down.
	ReasonShutdown
	// ReasonExhausted means that the session cannot send any more datagrams;
	// see [ErrExhausted].
	ReasonExhausted

	// ReasonApplication is the first reason that an application may define.
	ReasonApplication Reason = 128
)

var reasonTexts = map[Reason]string{
	ReasonLeft:      "the client left",
	ReasonTimeout:   "timed out",
	ReasonKicked:    "kicked",
	ReasonReplaced:  "replaced by a later session",
	ReasonShutdown:  "the server is shutting down",
	ReasonExhausted: "the session has used all its sequence numbers",
}

// Error returns the reason.
func (r Reason) Error() string {
	if text, ok := reasonTexts[r]; ok {
		return "packet: disconnected: " + text
	}
	return fmt.Sprintf("packet: disconnected: reason %d", uint8(r))
}

// ErrKeepalive is the error of [Session.Decode] for a keepalive, which has no
// packet.
var ErrKeepalive = errors.New("packet: the datagram is a keepalive")

// AppendKeepalive appends a keepalive to dst. On error it returns dst
// unchanged.
func (s *Session) AppendKeepalive(dst []byte) ([]byte, error) {
	return s.sealControl(dst, Keepalive, 0)
}

// AppendDisconnect appends a disconnect to dst, which tells the other side that
// the session has ended. It panics if reason is 0. A disconnect is not
// acknowledged: send the same datagram several times, and nothing afterwards.
// On error AppendDisconnect returns dst unchanged.
func (s *Session) AppendDisconnect(dst []byte, reason Reason) ([]byte, error) {
	if reason == 0 {
		panic("packet: AppendDisconnect: the reason must not be 0")
	}
	return s.sealControl(dst, Disconnect, reason)
}

func (s *Session) sealControl(dst []byte, c Control, reason Reason) ([]byte, error) {
	b := s.p.borrowBatch()
	defer batches.Put(b)
	b.kind, b.packets = kindControl, 1
	b.data = append(b.data, byte(c))
	if c == Disconnect {
		b.data = append(b.data, byte(reason))
	}
	b.end = len(b.data)
	b.data = append(b.data, s.p.endCheck...)
	return s.Seal(dst, b)
}

// disconnects is the number of times a disconnect is sent, since it is not
// acknowledged.
const disconnects = 3

// dismiss sends a disconnect. If the session cannot seal one, the other side
// times out instead.
func (s *Session) dismiss(reason Reason, send func(datagram []byte)) {
	buf := datagrams.Get().(*[]byte)
	defer datagrams.Put(buf)
	datagram, err := s.AppendDisconnect((*buf)[:0], reason)
	if err != nil {
		return
	}
	*buf = datagram
	for range disconnects {
		send(datagram)
	}
}

// readControl parses the data of a control datagram, and reports whether it is
// valid.
func (c *Contents) readControl() bool {
	data := c.rest
	c.rest = nil
	switch {
	case len(data) == 1 && Control(data[0]) == Keepalive:
		c.control = Keepalive
	case len(data) == 2 && Control(data[0]) == Disconnect && data[1] != 0:
		c.control, c.reason = Disconnect, Reason(data[1])
	default:
		return false
	}
	return true
}

// Control returns the control of a datagram without packets, or NoControl.
func (c *Contents) Control() Control { return c.control }

// Reason returns the reason of a [Disconnect], or 0.
func (c *Contents) Reason() Reason { return c.reason }

// ErrIncomplete is the error of [Session.Decode] for a datagram whose fragment
// does not complete a packet.
var ErrIncomplete = errors.New("packet: the datagram completes no packet")

// none returns the error for a datagram without packets.
func (c *Contents) none() error {
	if c.control == Disconnect {
		return c.reason
	}
	return ErrKeepalive
}

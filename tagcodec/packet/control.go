package packet

import (
	"errors"
	"fmt"
	"slices"
)

// Control says what a datagram is for that has no packets. Such a datagram has
// a sequence number and is protected like any other.
type Control uint8

// The controls, as they are sent.
const (
	NoControl  Control = iota // a datagram of packets
	Keepalive                 // the sender is alive, and has nothing else to say
	Disconnect                // the sender has ended the session, for a Reason
)

// String returns the control's name.
func (c Control) String() string {
	if int(c) < len(controlNames) {
		return controlNames[c]
	}
	return fmt.Sprintf("control %d", uint8(c))
}

var controlNames = [...]string{"no control", "keepalive", "disconnect"}

// maxControl is the length of the longest control: its number and a reason.
const maxControl = 2

// Reason is why a session ended. As an error it is what [Session.Decode],
// [Mux.Dispatch] and [Client.Tick] return when the other side has disconnected.
type Reason uint8

// The reasons of the package. Those from ReasonProgram on are the program's.
const (
	// ReasonLeft says that the client ended the session, and gave no other reason.
	ReasonLeft Reason = iota + 1
	// ReasonTimeout says that nothing was heard of the other side for too long.
	ReasonTimeout
	// ReasonKicked says that the server has removed the client.
	ReasonKicked
	// ReasonReplaced says that the user joined again, or another client from the
	// same address.
	ReasonReplaced
	// ReasonShutdown says that the server shuts down.
	ReasonShutdown
	// ReasonExhausted says that the session cannot send any more datagrams, see
	// [ErrExhausted].
	ReasonExhausted

	// ReasonProgram is the first of the reasons that the program gives a meaning.
	ReasonProgram Reason = 128
)

var reasonTexts = map[Reason]string{
	ReasonLeft:      "left",
	ReasonTimeout:   "nothing was heard for too long",
	ReasonKicked:    "kicked",
	ReasonReplaced:  "replaced by a later session",
	ReasonShutdown:  "the server shuts down",
	ReasonExhausted: "no sequence number left",
}

// Error returns the reason.
func (r Reason) Error() string {
	if text, ok := reasonTexts[r]; ok {
		return "packet: disconnected: " + text
	}
	return fmt.Sprintf("packet: disconnected: reason %d", uint8(r))
}

// ErrKeepalive says that [Session.Decode] met a keepalive, which has no packet.
var ErrKeepalive = errors.New("packet: the datagram is a keepalive")

// AppendKeepalive appends a datagram to dst that says nothing but that this side
// is alive. After an error it returns dst as it was.
func (s *Session) AppendKeepalive(dst []byte) ([]byte, error) {
	return s.sealControl(dst, Keepalive, 0)
}

// AppendDisconnect appends a datagram to dst that says that this side has ended
// the session. The reason must not be 0. Nobody answers it: send the same
// datagram several times, and nothing afterwards. After an error it returns dst
// as it was.
func (s *Session) AppendDisconnect(dst []byte, reason Reason) ([]byte, error) {
	if reason == 0 {
		panic("packet: AppendDisconnect: there is no reason 0")
	}
	return s.sealControl(dst, Disconnect, reason)
}

func (s *Session) sealControl(dst []byte, c Control, reason Reason) ([]byte, error) {
	dst = slices.Grow(dst, s.p.Overhead()+maxControl)
	s.out.Lock()
	defer s.out.Unlock()
	plain := append(s.out.control[:0], byte(c))
	if c == Disconnect {
		plain = append(plain, byte(reason))
	}
	return s.seal(dst, kindControl, append(plain, s.p.endCheck...))
}

// disconnects is how often a disconnect is sent. Nobody answers it.
const disconnects = 3

// dismiss sends a disconnect. If the session cannot seal one the other side
// finds that nobody answers.
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

// readControl sets what a control datagram says from its data.
func (c *Contents) readControl() (refusal Refusal) {
	data := c.rest
	c.rest = nil
	switch {
	case len(data) == 1 && Control(data[0]) == Keepalive:
		c.control = Keepalive
	case len(data) == 2 && Control(data[0]) == Disconnect && data[1] != 0:
		c.control, c.reason = Disconnect, Reason(data[1])
	default:
		return ErrGarbage
	}
	return 0
}

// Control returns what a datagram without packets is for, and NoControl for
// one of packets.
func (c *Contents) Control() Control { return c.control }

// Reason returns the reason of a [Disconnect], and otherwise 0.
func (c *Contents) Reason() Reason { return c.reason }

// none returns the error of a datagram without packets.
func (c *Contents) none() error {
	if c.control == Disconnect {
		return c.reason
	}
	return ErrKeepalive
}

package packet

import (
	"fmt"
	"iter"
	"reflect"
	"sync/atomic"

	"github.com/gobitpack/bitpack/internal/errtext"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// Refusal is a reason to refuse a datagram. Each is a sentinel for errors.Is
// and an index of [Counters]. A datagram is refused with the Refusal itself,
// without allocating, if that says everything: if the fault is before the
// packets, if no type has a packet's index, or if a packet is cut off.
// Otherwise the error is an [*Error] that wraps the Refusal and adds the type
// of the bad packet and what is wrong with it. With keys, the error of a packet
// that is cut off inside its value is an [*Error] too.
type Refusal uint8

// The refusals, in the order in which they are checked: cheap checks come
// before those that look at every byte.
const (
	_ Refusal = iota

	// ErrTruncated says that a datagram is shorter than any of its kind, or
	// ends before its last value.
	ErrTruncated
	// ErrTooLong says that a datagram is longer than the protocol allows.
	ErrTooLong
	// ErrGarbage says that a datagram is malformed: no sender produces it.
	ErrGarbage
	// ErrReplayed says that a datagram with this sequence number was accepted
	// before, or that it is too old to tell.
	ErrReplayed
	// ErrChecksum says that the CRC does not match. The datagram was damaged or
	// is of another protocol; a CRC cannot tell which.
	ErrChecksum
	// ErrForged says that the MAC or the AEAD's tag does not match. The
	// datagram was made or changed without the key, or is of another protocol,
	// session or direction.
	ErrForged
	// ErrEndCheck says that the datagram does not end with the end check: it
	// was cut off or is of another protocol.
	ErrEndCheck
	// ErrUnknownType says that no type has the index of a received packet, or
	// that the type of a value to send is not part of the protocol.
	ErrUnknownType
	// ErrUnhandled says that a mux has no handler for the type of a packet.
	ErrUnhandled
	// ErrInvalid says that a packet is not a valid value of its type. The
	// [*Error] around it wraps the error of tagcodec.
	ErrInvalid
	// ErrTooMany says that a datagram holds more packets than
	// [Config.MaxPackets].
	ErrTooMany
	// ErrSeveral says that [Session.Decode] got a datagram of several packets.
	ErrSeveral
	// ErrDeclined says that a handler did not accept a packet: see
	// [Arrival.Decline].
	ErrDeclined
	// ErrFragment says that a fragment contradicts an earlier one of the same
	// packet.
	ErrFragment
	// ErrRepeated says that a fragment has been received before, in another
	// datagram.
	ErrRepeated
	// ErrLate says that a fragment is of a packet that is complete, or that has
	// been given up because of [PartialTimeout] or [MaxPartial].
	ErrLate
	// ErrTooLarge says that a fragment is of a packet that is larger than
	// [Config.MaxPacket].
	ErrTooLarge
	// ErrMessage says that a message was sent before an earlier one was
	// acknowledged, or in the wrong order.
	ErrMessage
	// ErrAcks says that a datagram acknowledges one that was never sent.
	ErrAcks

	// ErrStranger says that a datagram is not part of the handshake and its
	// sender has no session, or that a reply of the handshake is not for this
	// client.
	ErrStranger
	// ErrFormat says that the other side of a handshake uses another [Format],
	// that of another version of this package.
	ErrFormat
	// ErrProtocol says that the other side of a handshake uses another protocol,
	// or that a [Stateless] datagram starts with the id of another.
	ErrProtocol
	// ErrToken says that a client's token has expired or was issued for another
	// address. The client is challenged again.
	ErrToken
	// ErrBusy says that an address has reached the limits of [GateConfig].
	ErrBusy
	// ErrDenied says that a client is unknown or does not have its secret.
	ErrDenied
	// ErrFull says that a server has reached its limit of clients, or its limit
	// for the client's address.
	ErrFull
	// ErrOccupied says that the user, or someone else at the client's address,
	// already has a session.
	ErrOccupied
	// ErrClosed says that a server is shutting down.
	ErrClosed

	numRefusals = int(iota)
)

var refusalTexts = [numRefusals]string{
	0:              "accepted",
	ErrTruncated:   "the datagram is truncated",
	ErrTooLong:     "the datagram is longer than the protocol allows",
	ErrGarbage:     "the datagram is malformed",
	ErrReplayed:    "the datagram was already accepted, or is too old to tell",
	ErrChecksum:    "the checksum does not match: the datagram is damaged or from another protocol",
	ErrForged:      "the datagram is forged or from another session",
	ErrEndCheck:    "the end check does not match: the datagram is truncated or from another protocol",
	ErrUnknownType: "the protocol has no such packet type",
	ErrUnhandled:   "the packet type has no handler",
	ErrInvalid:     "the packet is invalid",
	ErrTooMany:     "the datagram has more packets than the protocol allows",
	ErrSeveral:     "the datagram has more than one packet",
	ErrDeclined:    "the handler declined the packet",
	ErrFragment:    "the fragment contradicts an earlier one",
	ErrRepeated:    "the fragment was already received",
	ErrLate:        "the fragment is of a packet that is complete or given up",
	ErrTooLarge:    "the packet in fragments is larger than the protocol allows",
	ErrMessage:     "messages are missing before the first one",
	ErrAcks:        "the datagram acknowledges one that was never sent",
	ErrStranger:    "the sender has no session",
	ErrFormat:      "the other side uses another datagram format",
	ErrProtocol:    "the other side uses another protocol",
	ErrToken:       "the token has expired or was issued for another address",
	ErrBusy:        "too many attempts to join from the address",
	ErrDenied:      "the user is unknown or the secret is wrong",
	ErrFull:        "the server is full",
	ErrOccupied:    "the user or the address already has a session",
	ErrClosed:      "the server is shutting down",
}

// Error returns the text of the refusal.
func (r Refusal) Error() string {
	if int(r) >= numRefusals {
		return fmt.Sprintf("packet: refusal %d", uint8(r))
	}
	return "packet: " + refusalTexts[r]
}

// Error reports one packet that could not be sent or read.
type Error struct {
	Op   string       // "send" or "read"
	Type reflect.Type // the packet's type, or that of a value that is not a packet; nil for a nil value
	// Reason is the sentinel: a [Refusal] or [ErrBudget]. It is ErrInvalid for
	// a value that its tags do not allow.
	Reason error
	// Err is the underlying error, such as that of tagcodec, or nil.
	Err error
}

// Error returns the reason and the underlying error, or the reason and the
// type.
func (e *Error) Error() string {
	switch {
	case e.Err != nil:
		return fmt.Sprintf("%v: %s", e.Reason, errtext.Bare(e.Err))
	case e.Type == nil:
		return fmt.Sprintf("%v: nil", e.Reason)
	}
	return fmt.Sprintf("%v: %s", e.Reason, typename.Of(e.Type))
}

// Unwrap returns the reason and the underlying error, if there is one.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Reason}
	}
	return []error{e.Reason, e.Err}
}

// Counters counts accepted packets, and refused datagrams by reason. The zero
// value is ready to use. Any number of sessions and goroutines may share it.
type Counters struct {
	n [numRefusals]atomic.Uint64 // index 0 counts accepted packets
}

// Accepted returns the number of accepted packets.
func (c *Counters) Accepted() uint64 { return c.n[0].Load() }

// Refused returns the number of datagrams refused for r.
func (c *Counters) Refused(r Refusal) uint64 { return c.n[r].Load() }

// Refusals returns an iterator over the refusals counted so far and their
// numbers.
func (c *Counters) Refusals() iter.Seq2[Refusal, uint64] { return occurred(c.Refused) }

// occurred returns an iterator over the refusals whose number is not 0, and their
// numbers.
func occurred(number func(Refusal) uint64) iter.Seq2[Refusal, uint64] {
	return func(yield func(Refusal, uint64) bool) {
		for r := Refusal(1); int(r) < numRefusals; r++ {
			if n := number(r); n > 0 && !yield(r, n) {
				return
			}
		}
	}
}

func (c *Counters) accept() { c.n[0].Add(1) }

// Refuse counts a refusal. Sessions and gates count their own. A server uses
// Refuse for those that it makes itself, such as [ErrStranger].
func (c *Counters) Refuse(r Refusal) { c.n[r].Add(1) }

// failed returns an error of another package, which is not nil, under the name of
// this one. where says what it is about, or is empty.
func failed(where string, err error) error {
	return &core.Renamed{Package: "packet", Where: where, Err: err}
}

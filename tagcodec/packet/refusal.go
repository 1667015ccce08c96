package packet

import (
	"fmt"
	"iter"
	"reflect"
	"sync/atomic"

	"github.com/gobitpack/bitpack/internal/typename"
)

// Refusal is a reason to refuse a datagram. Each is a sentinel for errors.Is,
// and an index of [Counters]. Where it says all that is known, as of what stands
// in front of the packets, of an index that no type has and of a packet that is
// cut off, a datagram is refused with the Refusal itself, so that nothing is
// allocated. Otherwise there is an [*Error] around it, which has the type of the
// packet that is at fault and what is wrong with it.
type Refusal uint8

// The refusals, in the order in which they are looked for: what is cheap to
// see comes before what takes a look at every byte.
const (
	_ Refusal = iota

	// ErrTruncated says that a datagram is shorter than any of its kind, or
	// ends before its last value.
	ErrTruncated
	// ErrTooLong says that a datagram is longer than the protocol allows.
	ErrTooLong
	// ErrGarbage says that the first bytes are none that a sender makes.
	ErrGarbage
	// ErrReplayed says that a datagram of this sequence number was accepted
	// before, or that it is so old that nobody knows.
	ErrReplayed
	// ErrChecksum says that the CRC is wrong. The datagram was damaged, or it is
	// of another protocol: a CRC cannot tell these apart.
	ErrChecksum
	// ErrForged says that the MAC or the AEAD's tag is wrong. The datagram was
	// made or changed by someone without the key, or it is of another protocol,
	// session or direction.
	ErrForged
	// ErrEndCheck says that the end check is not where the datagram ends: it was
	// cut off, or it is of another protocol.
	ErrEndCheck
	// ErrUnknownType says that a packet has an index that no type has, or that a
	// value to send is of no type of the protocol.
	ErrUnknownType
	// ErrUnhandled says that the mux has no handler for the type of a packet.
	ErrUnhandled
	// ErrInvalid says that a packet is none that its type can have. The [*Error]
	// around it wraps what tagcodec says about it.
	ErrInvalid
	// ErrTooMany says that a datagram holds more packets than the protocol allows:
	// see [Config.MaxPackets].
	ErrTooMany
	// ErrSeveral says that [Session.Decode] met a datagram of several packets.
	ErrSeveral

	// ErrStranger says that a datagram is not for the handshake, and its sender
	// has no session.
	ErrStranger
	// ErrFormat says that the other side of a handshake has another version of
	// this package, whose datagrams have another [Format].
	ErrFormat
	// ErrProtocol says that the other side of a handshake speaks another
	// protocol.
	ErrProtocol
	// ErrToken says that a client answered with a token that is too old, or was
	// not given to its address. It is challenged again.
	ErrToken
	// ErrBusy says that an address joins more often than its gate allows: see
	// [GateConfig].
	ErrBusy
	// ErrDenied says that a client is not known, or does not have its secret.
	ErrDenied
	// ErrFull says that a server has as many clients as it may have, or as it may
	// have of the client's address.
	ErrFull
	// ErrOccupied says that the user, or somebody else at the client's address,
	// has a session.
	ErrOccupied
	// ErrClosed says that a server is shutting down.
	ErrClosed

	numRefusals = int(iota)
)

var refusalTexts = [numRefusals]string{
	"accepted",
	"the datagram is truncated",
	"the datagram is longer than the protocol allows",
	"the datagram is garbage",
	"the datagram was accepted before, or is too old to tell",
	"the checksum is wrong: the datagram is damaged, or of another protocol",
	"the datagram is forged, or of another session",
	"the end check is missing",
	"the protocol has no such packet type",
	"the packet type has no handler",
	"the packet is not valid",
	"the datagram holds more packets than the protocol allows",
	"the datagram holds several packets",
	"the sender has no session",
	"the other side speaks another format of datagrams",
	"the other side speaks another protocol",
	"the token is stale, or was given to another address",
	"too many have joined from the address",
	"the client is not known, or does not have the secret",
	"the server is full",
	"the user or the address has a session already",
	"the server is shutting down",
}

// Error returns the reason.
func (r Refusal) Error() string {
	if int(r) >= numRefusals {
		return fmt.Sprintf("packet: refusal %d", uint8(r))
	}
	return "packet: " + refusalTexts[r]
}

// Error is the failure of one packet, to send or to read.
type Error struct {
	Op   string       // "send" or "read"
	Type reflect.Type // of the packet, or of the value to send that is none; nil for nil
	// Reason is the sentinel: a [Refusal], [ErrBudget], or ErrInvalid for a value
	// that its tags do not allow.
	Reason error
	// Err is what else is known: the error of tagcodec, or nil.
	Err error
}

// Error returns the type, the reason and what else is known.
func (e *Error) Error() string {
	switch {
	case e.Err != nil:
		return fmt.Sprintf("%v: %v", e.Reason, e.Err)
	case e.Type == nil:
		return fmt.Sprintf("%v: nil", e.Reason)
	}
	return fmt.Sprintf("%v: %s", e.Reason, typename.Of(e.Type))
}

// Unwrap returns the reason and what else is known.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Reason}
	}
	return []error{e.Reason, e.Err}
}

// Counters counts the packets that were accepted and the datagrams that were
// refused, by their reasons. The zero Counters is ready, and may be shared by
// any number of sessions and goroutines.
type Counters struct {
	n [numRefusals]atomic.Uint64 // those accepted at 0
}

// Accepted returns the packets that were accepted.
func (c *Counters) Accepted() uint64 { return c.n[0].Load() }

// Refused returns the datagrams that were refused for a reason.
func (c *Counters) Refused(r Refusal) uint64 { return c.n[r].Load() }

// Refusals returns the reasons for which datagrams were refused, with their
// numbers.
func (c *Counters) Refusals() iter.Seq2[Refusal, uint64] {
	return func(yield func(Refusal, uint64) bool) {
		for r := 1; r < numRefusals; r++ {
			if n := c.n[r].Load(); n > 0 && !yield(Refusal(r), n) {
				return
			}
		}
	}
}

func (c *Counters) accept() { c.n[0].Add(1) }

// Refuse counts a refusal. A session and a gate count their own; a server
// counts with it what it refuses itself, such as [ErrStranger].
func (c *Counters) Refuse(r Refusal) { c.n[r].Add(1) }

package main

import (
	"errors"
	"fmt"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/quic-go/quic-go"
)

// Sizes of datagrams in bytes. How much fits depends on the path. It is 1243 at
// first and 1404 once quic-go has found that the path carries Ethernet's 1500.
const (
	// maxDatagram is more than quic-go sends, so that it says how much it sends.
	maxDatagram = 1500
	// minDatagram is less than every QUIC path carries. A client that takes only
	// smaller datagrams would have the server send too many.
	minDatagram = 1000
)

// errPath means that a client takes only datagrams below minDatagram.
var errPath = errors.New("quic: the path takes only tiny datagrams")

// The maximum sizes in bits of an entity, and of the rest of a Snapshot.
var (
	entityBits   = tagcodec.MustFor[Entity]().MaxBits()
	snapshotBits = snapshots.MaxBits() - maxEntities*entityBits
)

// entitiesIn returns how many entities fit in a datagram whatever their values.
func entitiesIn(size int) int { return (8*size - snapshotBits) / entityBits }

// state is the world after a tick. Several goroutines send it, so nothing may
// change it.
type state struct {
	tick     uint32
	entities []Entity
}

// datagramSender is a *quic.Conn.
type datagramSender interface {
	SendDatagram([]byte) error
}

// splitter sends states in as few datagrams as the path allows.
type splitter struct {
	conn   datagramSender
	limit  int // the largest datagram that may fit
	buffer []byte
}

// send sends a state. If a datagram is too large it continues with smaller ones.
// It may block.
func (s *splitter) send(w *state) error {
	if w.tick%tickRate == 0 || s.limit == 0 {
		s.limit = maxDatagram // the path may have become better
	}
	for first := 0; first < len(w.entities); {
		part := Snapshot{Tick: w.tick, First: first, Entities: w.entities[first:]}
		part.Entities = part.Entities[:min(len(part.Entities), entitiesIn(s.limit))]
		var err error
		if s.buffer, err = snapshots.Append(s.buffer[:0], &part); err != nil {
			return err
		}
		err = s.conn.SendDatagram(s.buffer) // which copies the bytes
		var tooLarge *quic.DatagramTooLargeError
		switch {
		case err == nil:
			first += len(part.Entities)
		case !errors.As(err, &tooLarge):
			return err
		case tooLarge.MaxDatagramPayloadSize < minDatagram:
			return fmt.Errorf("%w: %d bytes", errPath, tooLarge.MaxDatagramPayloadSize)
		default:
			s.limit = int(tooLarge.MaxDatagramPayloadSize)
		}
	}
	return nil
}

package main

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/gobitpack/bitpack/tagcodec/delta"
	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// codec codes the snapshots of the server.
var codec = delta.MustFor[World](delta.WithTickRate(tickRate))

// Update is a snapshot for a client: the message of a delta.Sender. Its limit
// leaves room for the longest, which has Codec.MaxBits.
type Update struct {
	Message []byte `bp:"bytes,maxlen=7600"`
}

// Seen acknowledges the snapshots that a client has read with success, and asks
// for a complete one if the client has lost its images. It repeats the ticks of
// the last few acknowledgements, in case those are lost.
type Seen struct {
	Ticks    []uint64 `bp:"varint,maxlen=4"`
	Complete bool
}

// protocol has the hash of the codec in its id. Two sides that disagree about
// the world, or how it is predicted, turn each other away. The MTU is larger than
// packet.DefaultMTU for complete snapshots alone: a game on the internet selects
// what each client sees, so that these fit.
var protocol = packet.MustNew(packet.Config{
	Application: "replication",
	Version:     1,
	DataHash:    codec.Hash(),
	Protection:  packet.HMAC(8),
	MTU:         7700,
}, packet.Of[Update](), packet.Of[Seen]())

// timeout is how long each side waits for the other.
const timeout = 2 * time.Second

// secretOf stands in for the login service of a game. See examples/arena.
func secretOf(user uint64) []byte {
	secret := sha256.Sum256(fmt.Append(nil, "the secret of user ", user))
	return secret[:]
}

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

// Update is a snapshot for a client: the message of a delta.Sender. The protocol
// is not valid unless the longest message fits.
type Update struct {
	Message []byte `bp:"bytes,maxlen=7600"`
}

// Restart asks for a complete snapshot. A client that has lost its images sends
// it for each delta that it cannot read.
type Restart struct{}

// config lets complete snapshots and long deltas travel in fragments.
var config = packet.Config{
	Application: "replication",
	Version:     1,
	Protection:  packet.HMAC(8),
	MTU:         packet.DefaultMTU,
	MaxPacket:   7700,
	Acks:        true,
}

// protocol has the hash of the codec in its id, because an Update carries its
// messages. Two sides that disagree about the world, or how it is predicted, turn
// each other away.
var protocol = packet.MustNew(config, packet.Of[Update]().Carries(codec), packet.Of[Restart]())

// timeout is how long each side waits for the other.
const timeout = 2 * time.Second

// secretOf stands in for the login service of a game. See examples/arena.
func secretOf(user uint64) []byte {
	secret := sha256.Sum256(fmt.Append(nil, "the secret of user ", user))
	return secret[:]
}

package main

import (
	"fmt"

	"github.com/gobitpack/bitpack/tagcodec/delta"
	"github.com/gobitpack/bitpack/tagcodec/packet"
)

var codec = delta.MustFor[World](delta.WithTickRate(tickRate))

// Update is a snapshot for a client: the message of a delta.Sender.
type Update struct {
	Message []byte `bp:"bytes,maxlen=60000"`
}

// Seen acknowledges the snapshots that a client has read, and asks for a complete
// one if it has lost its references. It repeats the ticks of the last few
// acknowledgements, in case those are lost.
type Seen struct {
	Ticks    []uint64 `bp:"varint,maxlen=4"`
	Complete bool
}

// protocol has the hash of the codec in its id, so that two sides that disagree
// about the world, or how it is predicted, do not speak to each other.
var protocol = packet.MustNew(packet.Config{
	Application: fmt.Sprintf("replication %x", codec.Hash()),
	Version:     1,
	Protection:  packet.HMAC(8),
}, packet.Of[Update](), packet.Of[Seen]())

package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"

	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// tickRate is how often a second the server simulates and broadcasts.
const tickRate = 60

// maxBodies is how many bodies fit into a datagram at their largest: the
// protocol would not be built with more.
const maxBodies = 224

// Snapshot is the whole state of the world.
type Snapshot struct {
	Tick   uint32
	Bodies []Body `bp:"maxlen=224"`
}

// Body is a disc that slides over the floor.
type Body struct {
	Position [2]float32 `bp:"float,min=-500,max=500,res=0.25"` // metres
	AtRest   bool
	Velocity [2]float32 `bp:"float,min=-60,max=60,bits=8,if=!AtRest"` // metres per second
}

// Input is what a player does. A datagram has the last few, so that the loss of
// one loses nothing.
type Input struct {
	Tick   uint32 // of the snapshot that the player has seen
	Thrust [2]int `bp:"int,min=-1,max=1"`
}

// config is that of the protocol, but for its types.
var config = packet.Config{
	Application: "arena",
	Version:     1,
	Protection:  packet.ChaCha20Poly1305,
	MTU:         packet.DefaultMTU,
}

var protocol = packet.MustNew(config, packet.Of[Snapshot](), packet.Of[Input]())

// changedInput is the Input of a client that was not updated: its Thrust has
// another range.
type changedInput struct {
	Tick   uint32
	Thrust [2]int `bp:"int,min=-8,max=8"`
}

// changedProtocol is the protocol of that client.
var changedProtocol = packet.MustNew(config, packet.Of[Snapshot](), packet.Of[changedInput]())

// secrets stands for the login of a game, which gives each player a secret
// over TLS and lets the server know it. Here both make it of the same key.
type secrets struct{ key [32]byte }

func (s *secrets) of(user uint64) []byte {
	mac := hmac.New(sha256.New, s.key[:])
	mac.Write(binary.LittleEndian.AppendUint64(nil, user))
	return mac.Sum(nil)
}

package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"

	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// tickRate is the number of ticks per second. The server simulates and
// broadcasts in each.
const tickRate = 60

// maxBodies is the number of bodies of maximum size that fit in a datagram.
// Building the protocol fails if it is larger.
const maxBodies = 224

// Snapshot is the whole state of the world.
type Snapshot struct {
	Tick   uint32
	Bodies []Body `bp:"maxlen=224"`
}

// Body is a disc sliding on the floor.
type Body struct {
	Position [2]float32 `bp:"float,min=-500,max=500,res=0.25"` // metres
	AtRest   bool
	Velocity [2]float32 `bp:"float,min=-60,max=60,bits=8,if=!AtRest"` // metres per second
}

// Input is a player's action. Each datagram repeats the last few, so that
// losing one datagram loses nothing.
type Input struct {
	Tick   uint32 // of the latest snapshot seen by the player
	Thrust [2]int `bp:"int,min=-1,max=1"`
}

// config is the configuration of the protocol without its types.
var config = packet.Config{
	Application: "arena",
	Version:     1,
	Protection:  packet.ChaCha20Poly1305,
	MTU:         packet.DefaultMTU,
}

var protocol = packet.MustNew(config, packet.Of[Snapshot](), packet.Of[Input]())

// changedInput is the Input of an outdated client: its Thrust has another
// range.
type changedInput struct {
	Tick   uint32
	Thrust [2]int `bp:"int,min=-8,max=8"`
}

// changedProtocol is the protocol of the outdated client.
var changedProtocol = packet.MustNew(config, packet.Of[Snapshot](), packet.Of[changedInput]())

// secrets stands in for the login service of a game. A real one would send each
// player a secret over TLS and share it with the server. Here both derive it
// from the same key.
type secrets struct{ key [32]byte }

func (s *secrets) of(user uint64) []byte {
	mac := hmac.New(sha256.New, s.key[:])
	mac.Write(binary.LittleEndian.AppendUint64(nil, user))
	return mac.Sum(nil)
}

package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"

	"github.com/gobitpack/bitpack/tagcodec/delta"
	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// tickRate is the number of ticks per second. The server simulates and sends
// updates in each.
const tickRate = 60

// maxBodies is the maximum number of bodies.
const maxBodies = 1000

// World is the state of the world, or the part of it that a player sees.
type World struct {
	Bodies []Body `bp:"maxlen=1000"`
}

// Body is a disc sliding on the floor.
type Body struct {
	ID       uint16 `bp:"int,min=0,max=999,key"`
	AtRest   bool
	Position [2]float32 `bp:"float,min=-500,max=500,res=0.25,pred=vel:Velocity"` // metres
	Velocity [2]float32 `bp:"float,min=-60,max=60,bits=8,if=!AtRest"`            // metres per second
}

// codec codes what a player sees as the difference from what it has seen.
var codec = delta.MustFor[World](delta.WithTickRate(tickRate))

// Update is what a player sees: the message of a delta.Sender. The first ones
// are complete and may take several datagrams, which package packet sends as
// fragments. The protocol is not valid unless the longest message fits.
type Update struct {
	Message []byte `bp:"bytes,maxlen=6500"`
}

// Input is a player's action. Only the newest counts, so none is sent again.
type Input struct {
	Thrust [2]int `bp:"int,min=-1,max=1"`
}

// Bomb blows up a player's body. It is a message, which package packet sends
// until it arrives.
type Bomb struct{}

// Welcome tells a player which body is its own. It is a message.
type Welcome struct {
	Body uint16 `bp:"int,min=0,max=999"`
}

// Blast tells a player where something blew up. It is a message.
type Blast struct {
	At [2]float32 `bp:"float,min=-500,max=500,res=0.25"`
}

// config is the configuration of the protocol without its types.
var config = packet.Config{
	Application: "arena",
	Version:     1,
	Protection:  packet.ChaCha20Poly1305,
	MTU:         packet.DefaultMTU,
	MaxPacket:   6600,
	Acks:        true,
	Messages:    64,
}

var protocol = packet.MustNew(config, packet.Of[Update]().Carries(codec),
	packet.Of[Input](), packet.Of[Bomb](), packet.Of[Welcome](), packet.Of[Blast]())

// changedInput is the Input of an outdated client: its Thrust has another
// range.
type changedInput struct {
	Thrust [2]int `bp:"int,min=-8,max=8"`
}

// changedProtocol is the protocol of the outdated client.
var changedProtocol = packet.MustNew(config, packet.Of[Update]().Carries(codec),
	packet.Of[changedInput](), packet.Of[Bomb](), packet.Of[Welcome](), packet.Of[Blast]())

// secrets stands in for the login service of a game. A real one would send each
// player a secret over TLS and share it with the server. Here both derive it
// from the same key.
type secrets struct{ key [32]byte }

func (s *secrets) of(user uint64) []byte {
	mac := hmac.New(sha256.New, s.key[:])
	mac.Write(binary.LittleEndian.AppendUint64(nil, user))
	return mac.Sum(nil)
}

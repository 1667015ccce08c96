package main

import "github.com/gobitpack/bitpack/tagcodec"

// Player is the update that a server sends about one player, many times a
// second. The tags state what the game knows about each value, and only the
// rest is sent.
type Player struct {
	Sequence    uint16
	Position    [3]float32 `bp:"float,min=-1024,max=1024,res=0.01"` // metres, in steps of a centimetre
	Orientation [4]float32 `bp:"float,min=-1,max=1,res=0.001"`      // unit quaternion
	AtRest      bool
	Velocity    [3]float32 `bp:"float,min=-32,max=32,res=0.1,if=!AtRest"` // metres per second
	Health      int        `bp:"int,min=0,max=100"`
	Weapon      Weapon     `bp:"enum,max=4"`
	Name        string     `bp:"string,maxlen=15"`
	Events      []Event    `bp:"maxlen=63"`
}

// Weapon is what a player holds.
type Weapon uint8

// The weapons.
const (
	Unarmed Weapon = iota
	Pistol
	Rifle
	Shotgun
	Bow
)

// Event is a hit (a negative amount) or a heal since the last packet.
type Event struct {
	Tick   uint8 `bp:"uint,bits=6"`
	Target int   `bp:"int,min=0,max=1023"`
	Amount int   `bp:"int,min=-100,max=100"`
}

// players is the codec. It is created once and used by every goroutine.
var players = tagcodec.MustFor[Player]()

// runner returns a running player.
func runner() Player {
	return Player{
		Sequence:    40021,
		Position:    [3]float32{312.45, -27.08, 1.72},
		Orientation: [4]float32{0, 0, 0.383, 0.924},
		Velocity:    [3]float32{4.2, -1.5, 0},
		Health:      87,
		Weapon:      Rifle,
		Name:        "Ripley",
		Events: []Event{
			{Tick: 12, Target: 5, Amount: -34},
			{Tick: 15, Target: 731, Amount: 20},
		},
	}
}

// standing returns the same player after it has stopped.
func standing() Player {
	p := runner()
	p.AtRest = true
	p.Velocity = [3]float32{}
	return p
}

package main

import "math/rand/v2"

// Constants of the simulation, in metres and seconds.
const (
	wall     = 500
	maxSpeed = 60
	thrust   = 40 // acceleration of a player's entity
)

// world is a walled floor on which entities move.
type world struct {
	tick     uint32
	entities []Entity
	thrust   [][2]int // the action of the player of each entity
}

// newWorld returns a world in which every second entity moves.
func newWorld(seed uint64) *world {
	random := rand.New(rand.NewPCG(seed, 0))
	within := func(limit float32) float32 { return (2*random.Float32() - 1) * limit }
	w := &world{entities: make([]Entity, maxEntities), thrust: make([][2]int, maxEntities)}
	for i := range w.entities {
		e := &w.entities[i]
		e.Position = [2]float32{within(wall), within(wall)}
		if i%2 == 1 {
			e.Velocity = [2]float32{within(maxSpeed), within(maxSpeed)}
		}
	}
	return w
}

// step simulates one tick.
func (w *world) step() {
	w.tick++
	for i := range w.entities {
		e := &w.entities[i]
		for axis := range 2 {
			v := e.Velocity[axis] + float32(w.thrust[i][axis])*thrust/tickRate
			v = min(max(v, -maxSpeed), maxSpeed)
			p := e.Position[axis] + v/tickRate
			if p < -wall || p > wall {
				p, v = min(max(p, -wall), wall), -v
			}
			e.Position[axis], e.Velocity[axis] = p, v
		}
	}
}

package main

import "math/rand/v2"

// Constants of the simulation, in metres and seconds.
const (
	wall      = 500
	maxSpeed  = 60
	friction  = 0.99  // factor applied to the speed in each tick
	restSpeed = 0.5   // a slower body comes to rest
	thrust    = 40    // acceleration of a player
	sight     = 300   // how far a player sees, along each axis
	blastSize = 150.0 // radius of a blast
	blastEach = 45    // ticks between blasts that no player causes
)

// world is a walled floor on which bodies slide, bounce and come to rest. Blasts
// send nearby bodies flying.
type world struct {
	World
	tick   uint64
	thrust [][2]int // action of the player of each body
	bombs  []int    // bodies that blow up in the next step
	blasts []Blast  // of the last step
	random *rand.Rand
}

func newWorld(bodies int, seed uint64) *world {
	w := &world{
		World:  World{make([]Body, bodies)},
		thrust: make([][2]int, bodies),
		random: rand.New(rand.NewPCG(seed, 0)),
	}
	for i := range w.Bodies {
		w.Bodies[i] = Body{ID: uint16(i), Position: [2]float32{w.within(wall), w.within(wall)}, AtRest: true}
	}
	return w
}

// within returns a number in [-limit, limit].
func (w *world) within(limit float32) float32 { return (2*w.random.Float32() - 1) * limit }

// step simulates one tick.
func (w *world) step() {
	w.tick++
	w.blasts = w.blasts[:0]
	if w.tick%blastEach == 1 {
		w.blast([2]float32{w.within(wall), w.within(wall)})
	}
	for _, body := range w.bombs {
		w.blast(w.Bodies[body].Position)
	}
	w.bombs = w.bombs[:0]
	for i := range w.Bodies {
		b := &w.Bodies[i]
		speed := float32(0)
		for axis := range 2 {
			v := b.Velocity[axis]*friction + float32(w.thrust[i][axis]*thrust)/tickRate
			v = min(max(v, -maxSpeed), maxSpeed)
			p := b.Position[axis] + v/tickRate
			if p < -wall || p > wall {
				p, v = min(max(p, -wall), wall), -v
			}
			b.Position[axis], b.Velocity[axis] = p, v
			speed += v * v
		}
		if b.AtRest = speed < restSpeed*restSpeed; b.AtRest {
			b.Velocity = [2]float32{}
		}
	}
}

// blast pushes bodies near a point away from it.
func (w *world) blast(at [2]float32) {
	w.blasts = append(w.blasts, Blast{at})
	for i := range w.Bodies {
		b := &w.Bodies[i]
		x, y := b.Position[0]-at[0], b.Position[1]-at[1]
		if d := x*x + y*y; d > 1 && d < blastSize*blastSize {
			b.Velocity[0] += x * maxSpeed / blastSize
			b.Velocity[1] += y * maxSpeed / blastSize
		}
	}
}

// seen appends the ids of the bodies that the player of a body sees, its own
// among them.
func (w *world) seen(ids []int64, body int) []int64 {
	from := w.Bodies[body].Position
	for i := range w.Bodies {
		at := w.Bodies[i].Position
		if x, y := at[0]-from[0], at[1]-from[1]; max(x, -x, y, -y) < sight {
			ids = append(ids, int64(i))
		}
	}
	return ids
}

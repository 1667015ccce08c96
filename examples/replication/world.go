package main

import (
	"math"
	"math/rand/v2"
)

// World is what the server sends: bodies that bounce in a box.
type World struct {
	Bodies []Body `bp:"maxlen=640"`
}

// Body moves and turns until it rests. Every second some are kicked.
type Body struct {
	ID       uint32     `bp:"int,min=0,max=65535,key"`
	Position [3]float32 `bp:"float,min=-64,max=64,res=0.002,pred=lin"`
	Rotation [4]float32 `bp:"quat,bits=9,pred=lin"`
	Resting  bool

	velocity, spin [3]float32
}

const tickRate = 60

// newWorld returns a world of n bodies.
func newWorld(n int, r *rand.Rand) *World {
	w := &World{Bodies: make([]Body, n)}
	for i := range w.Bodies {
		b := &w.Bodies[i]
		b.ID, b.Rotation[3] = uint32(i), 1
		b.Position = [3]float32{r.Float32()*100 - 50, r.Float32()*100 - 50, 0}
		b.Resting = true
	}
	return w
}

// step moves the world by a tick. Now and then a body is replaced by another.
func (w *World) step(tick uint64, r *rand.Rand) {
	if tick%tickRate == 0 {
		for range len(w.Bodies) / 8 {
			b := &w.Bodies[r.IntN(len(w.Bodies))]
			b.velocity = [3]float32{r.Float32()*20 - 10, r.Float32()*20 - 10, 5 + r.Float32()*10}
			b.spin = [3]float32{r.Float32()*6 - 3, r.Float32()*6 - 3, r.Float32()*6 - 3}
			b.Resting = false
		}
	}
	if tick%97 == 0 {
		b := &w.Bodies[r.IntN(len(w.Bodies))]
		*b = Body{ID: uint32(len(w.Bodies)) + uint32(tick/97), Rotation: [4]float32{3: 1}, Resting: true}
	}
	for i := range w.Bodies {
		if b := &w.Bodies[i]; !b.Resting {
			b.step()
		}
	}
}

// step moves a body that does not rest.
func (b *Body) step() {
	const dt = 1.0 / tickRate
	b.velocity[2] -= 9.8 * dt
	fast := false
	for i := range 3 {
		b.Position[i] += float32(b.velocity[i] * dt)
		if limit := float32(63); i < 2 && (b.Position[i] > limit || b.Position[i] < -limit) {
			b.velocity[i] = -b.velocity[i]
			b.Position[i] = min(max(b.Position[i], -limit), limit)
		}
		fast = fast || math.Abs(float64(b.velocity[i])) > 0.3
	}
	if b.Position[2] < 0 {
		b.Position[2] = 0
		b.velocity = [3]float32{b.velocity[0] * 0.8, b.velocity[1] * 0.8, -b.velocity[2] * 0.5}
		for i := range b.spin {
			b.spin[i] *= 0.7
		}
	}
	q, s := b.Rotation, b.spin
	b.Rotation[0] += float32(dt / 2 * (float32(s[0]*q[3]) + float32(s[1]*q[2]) - float32(s[2]*q[1])))
	b.Rotation[1] += float32(dt / 2 * (float32(s[1]*q[3]) + float32(s[2]*q[0]) - float32(s[0]*q[2])))
	b.Rotation[2] += float32(dt / 2 * (float32(s[2]*q[3]) + float32(s[0]*q[1]) - float32(s[1]*q[0])))
	b.Resting = !fast
}

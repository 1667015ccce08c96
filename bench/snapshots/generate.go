package snapshots

import (
	"math"
	"math/rand/v2"
)

// Generate returns frames of cubes in simple physics, for where there are no
// recordings: a player's cube rolls through a grid of cubes, pushes those that it
// meets, and they tumble until friction stops them. It is the same on every
// machine that rounds as IEEE 754 says.
func Generate(frames int) []Cubes {
	type body struct{ position, velocity, spin [3]float64 }
	r := rand.New(rand.NewPCG(1, 2))
	var bodies [901]body
	bodies[0].position = [3]float64{-12, 0, 1}
	for i := 1; i < len(bodies); i++ {
		bodies[i].position = [3]float64{float64((i-1)%30) - 14.5, float64((i-1)/30) - 14.5, 0.2}
	}
	rotations := [901][4]float64{}
	for i := range rotations {
		rotations[i][3] = 1
	}
	all := make([]Cubes, frames)
	for f := range all {
		angle := float64(f) / 90
		bodies[0].velocity = [3]float64{8 * math.Cos(angle), 8 * math.Sin(angle), 0}
		bodies[0].spin = [3]float64{-4 * math.Sin(angle), 4 * math.Cos(angle), 0}
		for i := range bodies {
			b := &bodies[i]
			moving := i == 0
			if i > 0 {
				var away [3]float64
				distance := 0.0
				for k := range 3 {
					away[k] = b.position[k] - bodies[0].position[k]
					distance += float64(away[k] * away[k])
				}
				if distance < 2.5 {
					for k := range 2 {
						b.velocity[k] = 2*away[k] + r.NormFloat64()
						b.spin[k] = r.NormFloat64() * 3
					}
					b.velocity[2] = 3
				}
				for k := range 3 {
					b.velocity[k], b.spin[k] = b.velocity[k]*0.98, b.spin[k]*0.98
					moving = moving || math.Abs(b.velocity[k]) > 0.05
				}
				if b.velocity[2] -= 9.8 / 60; b.position[2] <= 0.2 {
					b.position[2], b.velocity[2] = 0.2, max(0, -0.3*b.velocity[2]-0.1)
				}
			}
			if moving {
				for k := range 3 {
					b.position[k] = min(max(b.position[k]+float64(b.velocity[k]/60), -31), 31)
				}
				turn(&rotations[i], &b.spin)
			}
			c := &all[f].Cubes[i]
			c.Position = Position{fix(b.position[0]), fix(b.position[1]), max(0, min(8191, fix(b.position[2])))}
			for k := range 4 {
				c.Orientation[k] = float32(rotations[i][k])
			}
			c.Interacting = moving
		}
	}
	return all
}

// fix returns a coordinate in 1/512 of a metre.
func fix(x float64) int16 { return int16(math.Floor(float64(x*512) + 0.5)) }

// turn turns a rotation for a frame.
func turn(q *[4]float64, spin *[3]float64) {
	x, y, z := spin[0]/120, spin[1]/120, spin[2]/120
	p := *q
	q[0] += float64(x*p[3]) + float64(y*p[2]) - float64(z*p[1])
	q[1] += float64(y*p[3]) + float64(z*p[0]) - float64(x*p[2])
	q[2] += float64(z*p[3]) + float64(x*p[1]) - float64(y*p[0])
	q[3] -= float64(x*p[0]) + float64(y*p[1]) + float64(z*p[2])
	length := math.Sqrt(float64(q[0]*q[0]) + float64(q[1]*q[1]) + float64(q[2]*q[2]) + float64(q[3]*q[3]))
	for i := range q {
		q[i] /= length
	}
}

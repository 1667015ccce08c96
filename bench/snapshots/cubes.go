// Package snapshots holds recorded and generated game states for measuring
// deltas.
package snapshots

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/compress"
)

// Cubes is a frame of the delta cube challenge.
type Cubes struct{ Cubes [901]Cube }

// Cube is the state of a cube.
type Cube struct {
	Orientation [4]float32 `bp:"quat,bits=9,pred=lin"`
	Position    Position
	Interacting bool
}

// Position is in 1/512 of a metre.
type Position struct {
	X int16 `bp:"int,min=-16384,max=16383,pred=lin"`
	Y int16 `bp:"int,min=-16384,max=16383,pred=lin"`
	Z int16 `bp:"int,min=0,max=8191,pred=lin"`
}

// Match is a frame of a match with a ball and up to eight cars. Its ticks are
// 1/120 of a second.
type Match struct {
	Slots [9]*Body `bp:"step=auto"`
}

// Body is the ball or a car.
type Body struct {
	Kind     uint8 `bp:"int,min=1,max=2"`
	Sleeping bool
	Velocity [3]int32   `bp:"int,bits=20"`
	Spin     [3]float64 `bp:"float,min=-6.5536,max=6.5535,bits=17"`
	Position struct {
		X int32 `bp:"int,min=-524288,max=524287"`
		Y int32 `bp:"int,min=-1048576,max=1048575"`
		Z int32 `bp:"int,min=0,max=262143"`
	} `bp:"pred=vel:Velocity"`
	Rotation        [4]float64 `bp:"quat,bits=18,pred=vel:Spin"`
	Steer, Throttle uint8
	Handbrake       bool
}

// Rotations are 64 rotations.
type Rotations struct {
	Q [64]Rotation
}

// Rotation is one of them.
type Rotation struct {
	Q [4]float32 `bp:"quat,bits=9"`
}

// ReadRotations reads pairs of rotations: what they are, and what they were.
func ReadRotations(name string) (now, before []Rotations, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, nil, err
	}
	for n, lines := 0, bufio.NewScanner(z); lines.Scan(); n++ {
		var x [8]int32
		for i, text := range strings.SplitN(lines.Text(), ",", 8) {
			v, err := strconv.ParseInt(text, 10, 32)
			if err != nil && n == 0 {
				n-- // the header
				break
			}
			if err != nil {
				return nil, nil, err
			}
			x[i] = int32(v)
		}
		if n < 0 {
			continue
		}
		if n%64 == 0 {
			now, before = append(now, Rotations{}), append(before, Rotations{})
		}
		a, b := smallestThree(x[:4], 9), smallestThree(x[4:], 9)
		for i := range 4 {
			now[n/64].Q[n%64].Q[i] = float32(a[i])
			before[n/64].Q[n%64].Q[i] = float32(b[i])
		}
	}
	return now[:len(now)-1], before[:len(before)-1], nil // the last ones are not full
}

// read returns the integers of a compressed file.
func read(name string) ([]int32, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	v := make([]int32, len(data)/4)
	for i := range v {
		v[i] = int32(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return v, nil
}

// ReadCubes reads frames of 901 cubes of 8 integers.
func ReadCubes(name string) ([]Cubes, error) {
	v, err := read(name)
	if err != nil {
		return nil, err
	}
	q, err := compress.NewQuat(9)
	if err != nil {
		return nil, err
	}
	frames := make([]Cubes, len(v)/(901*8))
	for i := range frames {
		for k := range frames[i].Cubes {
			x := v[(i*901+k)*8:][:8]
			rotation, ok := q.Decode32(uint64(x[0]) | uint64(x[1])<<2 | uint64(x[2])<<11 | uint64(x[3])<<20)
			if !ok {
				return nil, fmt.Errorf("frame %d: cube %d has no rotation", i, k)
			}
			frames[i].Cubes[k] = Cube{rotation, Position{int16(x[4]), int16(x[5]), int16(x[6])}, x[7] != 0}
		}
	}
	return frames, nil
}

// ReadMatch reads frames of 9 bodies of 18 integers.
func ReadMatch(name string) ([]Match, error) {
	v, err := read(name)
	if err != nil {
		return nil, err
	}
	q, err := compress.NewQuat(18)
	if err != nil {
		return nil, err
	}
	spin, err := compress.NewFloat64Bits(-6.5536, 6.5535, 17)
	if err != nil {
		return nil, err
	}
	frames := make([]Match, len(v)/(9*18))
	for i := range frames {
		for k := range 9 {
			x := v[(i*9+k)*18:][:18]
			if x[0] == 0 {
				continue
			}
			b := &Body{Kind: uint8(x[0]), Sleeping: x[1] != 0, Velocity: [3]int32(x[9:12]), Steer: uint8(x[15]), Throttle: uint8(x[16]), Handbrake: x[17] != 0}
			b.Position.X, b.Position.Y, b.Position.Z = x[2], x[3], x[4]
			for j := range 3 {
				b.Spin[j] = spin.Decode(uint64(x[12+j] + 65536))
			}
			code, ok := q.Encode(smallestThree(x[5:9], 18))
			if b.Rotation, _ = q.Decode(code); !ok {
				return nil, fmt.Errorf("frame %d: body %d has no rotation", i, k)
			}
			frames[i].Slots[k] = b
		}
	}
	return frames, nil
}

// smallestThree returns the quaternion of an index and three components of n
// bits. Some recordings have codes that are not valid here: another component
// than the indexed one is larger by a step.
func smallestThree(x []int32, n int) (q [4]float64) {
	most := float64(int(1)<<n - 1)
	sum, k := 0.0, 1
	for i := range q {
		if int32(i) != x[0] {
			q[i] = (2*float64(x[k]) - most) / most / math.Sqrt2
			sum += q[i] * q[i]
			k++
		}
	}
	q[x[0]] = math.Sqrt(max(0, 1-sum))
	return q
}

package tagcodec_test

import (
	"bytes"
	"fmt"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// Velocities are those of a rigid body.
type Velocities struct{ Linear, Angular [3]float32 }

// Motion is Velocities with the at_rest bit of the articles: 1 if the body is at
// rest, otherwise 0 and the velocities. No field holds the bit.
type Motion Velocities

func (m *Motion) Serialize(s *bits.Stream) error {
	atRest := *m == Motion{} // a reading Stream sets it
	s.Bool(&atRest)
	if !atRest {
		return tagcodec.Serialize(s, (*Velocities)(m))
	}
	if s.Reading() {
		*m = Motion{}
	}
	return s.Err()
}

// A body at rest costs one bit in place of its velocities. A method computes the
// bit, or the program sets a bool before it writes. The bytes are the same. The
// tag optional needs neither, and its bit is 0 at rest.
func Example_atRest() {
	type Pose struct {
		Position    [3]float32
		Orientation [4]float32
	}
	type ByMethod struct {
		Pose   Pose
		Motion Motion
	}
	type ByField struct {
		Pose   Pose
		AtRest bool
		Motion Velocities `bp:"if=!AtRest"`
	}
	type ByOptional struct {
		Pose   Pose
		Motion Velocities `bp:"optional"`
	}
	for _, v := range []Velocities{{}, {Linear: [3]float32{0, 0, -9.75}}} {
		method := ByMethod{Motion: Motion(v)}
		field := ByField{Motion: v, AtRest: v == Velocities{}}
		optional := ByOptional{Motion: v}
		data, err := tagcodec.Marshal(&method)
		data2, err2 := tagcodec.Marshal(&field)
		data3, err3 := tagcodec.Marshal(&optional)
		fmt.Println(cost(&method), cost(&field), cost(&optional), "bits", err, err2, err3)
		fmt.Println(bytes.Equal(data, data2), "with the bit", data[28]&1, "and", data3[28]&1, "with optional")

		used := ByMethod{Motion: Motion{Linear: [3]float32{1, 2, 3}}}
		fmt.Println(tagcodec.Unmarshal(data, &used), used == method)
	}

	// Output:
	// 225 225 225 bits <nil> <nil> <nil>
	// true with the bit 1 and 0 with optional
	// <nil> true
	// 417 417 417 bits <nil> <nil> <nil>
	// true with the bit 0 and 1 with optional
	// <nil> true
}

// The location of the book chapter: two coordinates in steps of 0.1, and a height
// that is 0 for 90 of 100 cats and 100 for 7 of them.
func Example_location() {
	type Location struct {
		X float32 `bp:"float,min=-2000,max=2000,res=0.1"`
		Y float32 `bp:"common=0|100"`
		Z float32 `bp:"float,min=-2000,max=2000,res=0.1"`
	}
	heights, locations := 0, 0
	for i := range 100 {
		var v Location
		if i >= 97 {
			v.Y = float32(i)
		} else if i >= 90 {
			v.Y = 100
		}
		n := cost(&v)
		locations += n
		heights += n - 2*cost(&struct {
			X float32 `bp:"float,min=-2000,max=2000,res=0.1"`
		}{})
	}
	fmt.Println(float64(heights)/100, "bits for a height of 32")
	fmt.Println(float64(locations)/100, "bits for a location of 96")

	// Output:
	// 2.93 bits for a height of 32
	// 34.93 bits for a location of 96
}

// The transform of the book chapter has a translation and a rotation of raw
// floats, and a scale of 1, 2+32 or 2+96 bits.
func Example_transform() {
	type Transform struct {
		Translation [3]float32
		Rotation    [4]float32
		Scale       [3]float32
	}
	type Prop struct {
		Transform Transform `bp:"affine"`
	}
	for _, scale := range [][3]float32{{1, 1, 1}, {2, 2, 2}, {1, 2, 1}} {
		fmt.Println(scale, cost(&Prop{Transform{Rotation: [4]float32{0, 0, 0, 1}, Scale: scale}}), "bits")
	}

	// Output:
	// [1 1 1] 225 bits
	// [2 2 2] 258 bits
	// [1 2 1] 322 bits
}

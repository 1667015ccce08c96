package tagcodec_test

import (
	"fmt"

	"github.com/gobitpack/bitpack/tagcodec"
)

// Smallest three stores an orientation in 29 bits instead of 128. With 9 bits
// per component, the maximum error is half a degree. A quaternion and its
// negative are the same rotation and have the same encoding.
func Example_quat() {
	type Cube struct {
		Orientation [4]float32 `bp:"quat,bits=9"` // x, y, z, w
	}
	for _, q := range [][4]float32{{0, 0, 0.6, 0.8}, {0, 0, -0.6, -0.8}} {
		data, err := tagcodec.Marshal(Cube{q})
		var out Cube
		err2 := tagcodec.Unmarshal(data, &out)
		fmt.Printf("%d bits: % x %.3f %v %v\n", cost(&Cube{q}), data, out.Orientation, err, err2)
	}

	_, err := tagcodec.Marshal(Cube{})
	fmt.Println(err)

	// Output:
	// 29 bits: 03 04 88 1d [0.001 0.001 0.599 0.801] <nil> <nil>
	// 29 bits: 03 04 88 1d [0.001 0.001 0.599 0.801] <nil> <nil>
	// tagcodec: marshal Cube.Orientation at bit 0: value out of range: a quaternion of length 0 is no rotation: the identity is x=y=z=0, w=1
}

// Sending x, y, z and the sign of w makes the identity exact. These are the 49
// bits of the book.
func Example_quatSign() {
	type Cube struct {
		Orientation struct{ W, X, Y, Z float64 } `bp:"quat,mode=sign,bits=16"`
	}
	var v, out Cube
	v.Orientation.W = 1
	data, err := tagcodec.Marshal(v)
	err2 := tagcodec.Unmarshal(data, &out)
	fmt.Println(cost(&v), "bits:", out.Orientation, err, err2)

	// Output:
	// 49 bits: {1 0 0 0} <nil> <nil>
}

// A direction is stored as two numbers instead of three: a point on an
// octahedron that is unfolded into a square. The axes are exact.
func Example_unit() {
	type Vec3 struct{ X, Y, Z float32 }
	type Gun struct {
		Aim Vec3 `bp:"unit,bits=10"`
	}
	for _, aim := range []Vec3{{0, -1, 0}, {0.48, 0.6, -0.64}} {
		data, err := tagcodec.Marshal(Gun{aim})
		var out Gun
		err2 := tagcodec.Unmarshal(data, &out)
		fmt.Printf("%d bits: % x %.3f %v %v\n", cost(&Gun{aim}), data, out.Aim, err, err2)
	}

	// Output:
	// 20 bits: ff 01 00 {0.000 -1.000 0.000} <nil> <nil>
	// 20 bits: 4c bf 0d {0.481 0.599 -0.640} <nil> <nil>
}

// A scale of 1 costs one bit. A uniform scale costs two bits and a float.
func Example_affine() {
	type Pose struct {
		Translation [3]float32 `bp:"float,min=-512,max=512,res=0.01"` // 51 bits
		Rotation    [4]float32 `bp:"quat,bits=9"`                     // 29 bits
		Scale       [3]float32 `bp:"half"`                            // 16 bits each
	}
	type Prop struct {
		Pose Pose `bp:"affine"`
	}
	for _, scale := range [][3]float32{{1, 1, 1}, {2, 2, 2}, {1, 2, 1}} {
		v := Prop{Pose{Rotation: [4]float32{0, 0, 0, 1}, Scale: scale}}
		fmt.Println(scale, cost(&v), "bits")
	}

	// Output:
	// [1 1 1] 81 bits
	// [2 2 2] 98 bits
	// [1 2 1] 130 bits
}

// A matrix is sent as a translation, a rotation and a scale. The options min,
// max and res apply to the translation, and bits applies to the rotation.
func Example_matrix() {
	type Prop struct {
		World [16]float32 `bp:"affine,min=-512,max=512,res=0.01,bits=9"`
	}
	identity := [16]float32{0: 1, 5: 1, 10: 1, 15: 1}
	moved := identity
	moved[12], moved[13] = 100, -7.5
	fmt.Println(cost(&Prop{identity}), cost(&Prop{moved}), "bits in place of 512")

	moved[4] = 0.5
	_, err := tagcodec.Marshal(Prop{moved})
	fmt.Println(err)

	// Output:
	// 81 81 bits in place of 512
	// tagcodec: marshal Prop.World at bit 0: value out of range: the matrix has a shear, which an Affine cannot represent
}

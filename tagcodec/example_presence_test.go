package tagcodec_test

import (
	"fmt"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// cost returns the encoded size of *v in bits.
func cost(v any) int {
	m := bits.NewMeasurer()
	if err := tagcodec.Serialize(bits.NewWriteStream(m), v); err != nil {
		fmt.Println(err)
	}
	return m.Bit()
}

// An optional value costs one bit if it is zero, and one extra bit otherwise.
func Example_optional() {
	type Wheel struct {
		Steering int8    `bp:"int,min=-45,max=45,optional"`
		Slip     float32 `bp:"float,min=0,max=1,res=0.01,optional"`
	}
	fmt.Println(cost(&Wheel{}), "bits straight ahead")
	fmt.Println(cost(&Wheel{Steering: -12}), "bits in a curve")
	fmt.Println(cost(&Wheel{Steering: -45, Slip: 0.3}), "bits in a drift")
	fmt.Println(cost(&Wheel{Slip: 0.001}), "bits where the quantum of the slip is 0")

	// Each value has only one encoding.
	err := tagcodec.Unmarshal([]byte{1 | 45<<1, 0}, &Wheel{})
	fmt.Println(err)

	// Output:
	// 2 bits straight ahead
	// 9 bits in a curve
	// 16 bits in a drift
	// 2 bits where the quantum of the slip is 0
	// tagcodec: unmarshal Wheel.Steering at bit 0: not the canonical encoding
}

// A struct or array is optional as a whole. For a slice or map, the option
// applies to the elements.
func Example_optionalStruct() {
	type Vec3 struct{ X, Y, Z int16 }
	type Body struct {
		Velocity Vec3    `bp:"int,min=-1000,max=1000,optional"`
		Torques  [3]int8 `bp:"optional"`
		Damage   []int8  `bp:"maxlen=3,optional"`
	}
	fmt.Println(cost(&Body{}), "bits at rest")
	fmt.Println(cost(&Body{Velocity: Vec3{Z: -9}}), "bits in free fall")
	fmt.Println(cost(&Body{Damage: []int8{0, 7, 0}}), "bits with a dent")

	// Output:
	// 4 bits at rest
	// 37 bits in free fall
	// 15 bits with a dent
}

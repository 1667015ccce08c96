package tagcodec_test

import (
	"fmt"

	"github.com/gobitpack/bitpack/tagcodec"
)

// Only the objects whose bool is set are sent. The modes differ in how they
// encode the indices.
func Example_subset() {
	type Object struct {
		Moved bool
		X     uint8
	}
	type (
		Bitmap struct {
			Objects [64]Object `bp:"subset=bitmap,by=Moved"`
		}
		Index struct {
			Objects [64]Object `bp:"subset=index,by=Moved"`
		}
		Sentinel struct {
			Objects [64]Object `bp:"subset=sentinel,by=Moved"`
		}
		Relative struct {
			Objects [64]Object `bp:"subset=relative,by=Moved"`
		}
		Auto struct {
			Objects [64]Object `bp:"subset=auto,by=Moved"`
		}
	)
	for _, moved := range [][]int{{}, {50}, {20, 21, 22, 23}} {
		var objects [64]Object
		for _, i := range moved {
			objects[i] = Object{true, 9}
		}
		fmt.Println(cost(&Bitmap{objects}), cost(&Index{objects}), cost(&Sentinel{objects}),
			cost(&Relative{objects}), cost(&Auto{objects}))
	}

	// Output:
	// 64 7 7 12 9
	// 72 21 22 26 23
	// 96 63 67 53 55
}

// Elements that were not sent are decoded as zero, even into an existing
// variable. The bool is not written, because the presence of the element
// implies it.
func Example_subsetRead() {
	type Object struct {
		Moved bool
		X     uint8
	}
	type Scene struct {
		Objects [4]Object `bp:"subset=index,by=Moved"`
	}
	data, err := tagcodec.Marshal(Scene{[4]Object{2: {true, 9}, 3: {false, 7}}})
	fmt.Printf("% x %v\n", data, err) // 3 bits of count, 2 of index, 8 of X

	old := Scene{[4]Object{{true, 1}, {true, 2}, {true, 3}, {true, 4}}}
	err = tagcodec.Unmarshal(data, &old)
	fmt.Println(old.Objects, err)

	err = tagcodec.Unmarshal([]byte{0xFF}, &old)
	fmt.Println(err)

	// Output:
	// 31 01 <nil>
	// [{false 0} {false 0} {true 9} {false 0}] <nil>
	// tagcodec: unmarshal Scene.Objects at bit 0: length out of bounds: 7 is outside [0, 4]
}

// Pointer elements need no bool. They are present if they are non-nil.
func Example_subsetPointers() {
	type Slots struct {
		Ammo [8]*uint8 `bp:"uint,bits=6,subset=bitmap"`
	}
	full := uint8(63)
	fmt.Println(cost(&Slots{}), cost(&Slots{[8]*uint8{1: &full, 6: &full}}))

	// Output:
	// 8 20
}

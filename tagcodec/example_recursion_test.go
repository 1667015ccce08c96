package tagcodec_test

import (
	"fmt"

	"github.com/gobitpack/bitpack/tagcodec"
)

// Octree is a tree whose nodes have up to eight children.
type Octree struct {
	Solid bool
	Parts [8]*Octree `bp:"subset=relative"`
}

// A type may contain itself, even in a subset.
func Example_octree() {
	tree := Octree{Parts: [8]*Octree{2: {Solid: true}, 3: {Parts: [8]*Octree{0: {Solid: true}}}}}
	data, err := tagcodec.Marshal(&tree)
	fmt.Printf("%d bits: % x %v\n", cost(&tree), data, err)

	var out Octree
	err = tagcodec.Unmarshal(data, &out)
	fmt.Println(out.Parts[2].Solid, out.Parts[3].Solid, out.Parts[3].Parts[0].Solid, err)

	// Output:
	// 32 bits: 2c d7 1c e5 <nil>
	// true false true <nil>
}

// Union members may contain the union itself, as in this expression from the
// rules of a game. The depth limit applies to them too.
func Example_expression() {
	type (
		Expr any
		Num  int8
		Sum  struct {
			A, B Expr `bp:"union"`
		}
		Rule struct {
			Damage Expr `bp:"union"`
		}
	)
	codec, err := tagcodec.For[Rule](tagcodec.WithUnion[Expr](Num(0), Sum{}), tagcodec.WithMaxDepth(3))
	if err != nil {
		fmt.Println(err)
		return
	}
	v := Rule{Sum{Num(5), Sum{Num(-1), nil}}}
	data, err := codec.Append(nil, &v)
	fmt.Printf("% x %v\n", data, err)

	var out Rule
	fmt.Println(codec.Unmarshal(data, &out), out)
	fmt.Println(codec.Unmarshal([]byte{0xAA, 0xAA}, &out)) // nested sums

	// Output:
	// 56 60 ff 00 <nil>
	// <nil> {{5 {-1 <nil>}}}
	// tagcodec: unmarshal Rule.Damage.A.A.A at bit 6: nested too deeply: 4 is outside [0, 3]
}

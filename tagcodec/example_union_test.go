package tagcodec_test

import (
	"fmt"

	"github.com/gobitpack/bitpack/tagcodec"
)

// GameEvent is an event in a game. Its types are registered once, in any order.
// On the wire they are numbered by name.
type GameEvent interface{ Describe() string }

// Heal and Kill are events.
type (
	Heal struct {
		Amount uint8 `bp:"int,min=0,max=100"`
	}
	Kill struct{ Killer, Victim uint8 }
)

func (h Heal) Describe() string  { return fmt.Sprint("heals ", h.Amount) }
func (k *Kill) Describe() string { return fmt.Sprint(k.Killer, " kills ", k.Victim) }

func init() { tagcodec.RegisterUnion[GameEvent](&Kill{}, Heal{}) }

func ExampleRegisterUnion() {
	type Tick struct {
		Events []GameEvent `bp:"union,maxlen=3"`
	}
	v := Tick{[]GameEvent{Heal{30}, nil, &Kill{4, 2}}}
	data, err := tagcodec.Marshal(&v)
	fmt.Printf("%d bits: % x %v\n", cost(&v), data, err) // 2, then 2+7, 2 and 2+16

	var out Tick
	err = tagcodec.Unmarshal(data, &out)
	fmt.Println(out.Events[0].Describe(), out.Events[1], out.Events[2].Describe(), err)

	err = tagcodec.Unmarshal([]byte{0x0D}, &out)
	fmt.Println(err)

	// Output:
	// 31 bits: e7 41 02 01 <nil>
	// heals 30 <nil> 4 kills 2 <nil>
	// tagcodec: unmarshal Tick.Events[0] at bit 2: not a member of the union: 3 is outside [0, 2]
}

// A codec may have its own union members.
func ExampleWithUnion() {
	type (
		Shape  any
		Circle struct{ R uint8 }
		Square struct{ Side uint8 }
		Scene  struct {
			Shape Shape `bp:"union"`
		}
	)
	codec, err := tagcodec.For[Scene](tagcodec.WithUnion[Shape](Circle{}, Square{}))
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := codec.Append(nil, &Scene{Square{3}})
	fmt.Printf("% x %v\n", data, err) // index 2 in 2 bits, and then the side

	_, err = codec.Append(nil, &Scene{"a triangle"})
	fmt.Println(err)

	// Output:
	// 0e 00 <nil>
	// tagcodec: marshal Scene.Shape at bit 0: not a member of the union: string
}

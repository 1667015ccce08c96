package tagcodec_test

import (
	"fmt"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// A pointer starts with a bit that reports whether it is non-nil.
func Example_pointer() {
	type Player struct {
		Target *uint16
	}
	id := uint16(0x1234)
	for _, p := range []Player{{nil}, {&id}} {
		data, err := tagcodec.Marshal(p)
		fmt.Printf("% x %v\n", data, err)
	}

	// Output:
	// 00 <nil>
	// 69 24 00 <nil>
}

// A type may contain itself through a pointer or slice.
func Example_recursive() {
	type Node struct {
		Value uint8
		Kids  []Node `bp:"maxlen=3"`
	}
	data, err := tagcodec.Marshal(Node{1, []Node{{2, nil}, {3, nil}}})
	fmt.Printf("% x %v\n", data, err) // two nodes of 8+2 bits

	// Output:
	// 01 0a 30 00 <nil>
}

// A conditional field takes no bits if its condition is false, and is decoded
// as zero.
func Example_if() {
	type Body struct {
		AtRest   bool
		Velocity [2]int8 `bp:"if=!AtRest"`
		Flags    uint8   `bp:"bits=4"`
		Shield   uint8   `bp:"if=Flags&1"`
		Kind     uint8   `bp:"enum,max=3"`
		Fuel     uint8   `bp:"if=Kind==2"`
	}
	for _, b := range []Body{
		{AtRest: true},
		{Velocity: [2]int8{1, 2}, Flags: 1, Shield: 3, Kind: 2, Fuel: 4},
	} {
		data, err := tagcodec.Marshal(b)
		fmt.Printf("%d bytes: % x %v\n", len(data), data, err)
	}

	// Output:
	// 1 bytes: 01 <nil>
	// 5 bytes: 02 04 62 40 02 <nil>
}

// The fields of an embedded struct are written in place, and conditions may
// refer to them.
func Example_embedded() {
	type Header struct {
		Sequence uint8
		HasAck   bool
	}
	type Packet struct {
		Header
		Ack uint8 `bp:"if=HasAck"`
	}
	data, err := tagcodec.Marshal(Packet{Header{1, true}, 2})
	fmt.Printf("% x %v\n", data, err)

	// Output:
	// 01 05 00 <nil>
}

// An align field moves the next value to the start of a byte.
func Example_align() {
	type Packet struct {
		Reliable bool
		_        struct{} `bp:"align"`
		ID       uint8
	}
	data, err := tagcodec.Marshal(Packet{Reliable: true, ID: 0x42})
	fmt.Printf("% x %v\n", data, err)

	// Output:
	// 01 42 <nil>
}

// Reserved bits must be zero, so that a later version can use them.
func Example_reserved() {
	type Flags struct {
		Fire bool
		_    struct{} `bp:"reserved,bits=6"`
		Jump bool
	}
	data, err := tagcodec.Marshal(Flags{Fire: true, Jump: true})
	fmt.Printf("% x %v\n", data, err)

	var out Flags
	fmt.Println(tagcodec.Unmarshal([]byte{0x85}, &out))

	// Output:
	// 81 <nil>
	// tagcodec: unmarshal Flags._ (field 2) at bit 1: padding is not zero: it is 0x2
}

// A constant identifies one kind of message.
func Example_const() {
	type Hello struct {
		_       struct{} `bp:"const,bits=16,value=0xB17"`
		Version uint8
	}
	data, err := tagcodec.Marshal(Hello{Version: 1})
	fmt.Printf("% x %v\n", data, err)

	var out Hello
	fmt.Println(tagcodec.Unmarshal([]byte("GET"), &out))

	// Output:
	// 17 0b 01 <nil>
	// tagcodec: unmarshal Hello._ (field 1) at bit 0: check failed: is 0x4547, should be 0xb17
}

// A check detects that the two sides have lost agreement at an earlier field.
func Example_check() {
	type Packet struct {
		Events []uint8  `bp:"uint,maxlen=7"`
		_      struct{} `bp:"check"`
	}
	data, err := tagcodec.Marshal(Packet{Events: []uint8{1}})
	fmt.Printf("% x %v\n", data, err) // 3 + 8 + 32 bits

	// Output:
	// 09 c8 b3 a2 91 00 <nil>
}

// A release build may leave the checks out, on both sides.
func ExampleWithoutChecks() {
	type Packet struct {
		Events []uint8  `bp:"uint,maxlen=7"`
		_      struct{} `bp:"check"`
	}
	debug := tagcodec.MustFor[Packet]()
	release := tagcodec.MustFor[Packet](tagcodec.WithoutChecks())
	data, err := release.Append(nil, &Packet{Events: []uint8{1}})
	fmt.Printf("% x %v\n", data, err) // 3 + 8 bits
	fmt.Println(release.Hash() == debug.Hash())

	// Output:
	// 09 00 <nil>
	// false
}

// Inventory serializes itself with one method for both directions.
type Inventory struct {
	Gold  uint32
	Items []uint16
}

// Serialize writes gold in one of two sizes, which no tag can express.
func (v *Inventory) Serialize(s *bits.Stream) error {
	rich := v.Gold > 255
	s.Bool(&rich)
	if rich {
		bits.Bits(s, &v.Gold, 32)
	} else {
		bits.Bits(s, &v.Gold, 8)
	}
	n := len(v.Items)
	bits.Count(s, &n, 0, 7)
	if s.Reading() {
		v.Items = make([]uint16, n)
	}
	for i := range v.Items {
		bits.Bits(s, &v.Items[i], 12)
	}
	return s.Err()
}

// A type with a Serialize method is coded by that method, in place.
func Example_serialize() {
	type Player struct {
		Alive bool
		Bag   Inventory
	}
	in := Player{true, Inventory{Gold: 200, Items: []uint16{7, 4095}}}
	data, err := tagcodec.Marshal(&in)
	fmt.Printf("% x %v\n", data, err) // 1 + 1 + 8 + 3 + 2*12 bits

	var out Player
	err = tagcodec.Unmarshal(data, &out)
	fmt.Println(out, err)

	// Output:
	// 21 eb 00 fe 1f <nil>
	// {true {200 [7 4095]}} <nil>
}

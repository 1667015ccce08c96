package tagcodec_test

import (
	"errors"
	"fmt"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
)

// Ship is the message type of the function examples.
type Ship struct {
	ID     uint16     `bp:"bits=10"`
	Shield int32      `bp:"int,min=0,max=100"`
	Pos    [2]float32 `bp:"float,min=-100,max=100,res=0.5"`
	Name   string     `bp:"maxlen=15"`
}

func ExampleMarshal() {
	data, err := tagcodec.Marshal(Ship{ID: 7, Shield: 80, Pos: [2]float32{-100, 99.5}, Name: "Ada"})
	fmt.Printf("%d bytes: % x %v\n", len(data), data, err)

	// Output:
	// 8 bytes: 07 40 01 3c 1e 41 64 61 <nil>
}

func ExampleUnmarshal() {
	data := []byte{0x07, 0x40, 0x01, 0x3c, 0x1e, 0x41, 0x64, 0x61}
	var ship Ship
	err := tagcodec.Unmarshal(data, &ship)
	fmt.Println(ship, err)

	err = tagcodec.Unmarshal(data[:7], &ship)
	fmt.Println(err)
	err = tagcodec.Unmarshal(append(data, 0), &ship)
	fmt.Println(err)

	// Output:
	// {7 80 [-100 99.5] Ada} <nil>
	// tagcodec: unmarshal Ship.Name at bit 40: read past the end of the data: 24 more bits needed, 16 left
	// tagcodec: unmarshal Ship at bit 64: data after the end of the message
}

// Messages of known types may follow each other. Each starts at a whole byte.
func ExampleUnmarshalFirst() {
	var data []byte
	for _, s := range []Ship{{ID: 1, Name: "Ada"}, {ID: 2, Name: "Bob"}} {
		data, _ = tagcodec.Append(data, &s)
	}
	for len(data) > 0 {
		var ship Ship
		rest, err := tagcodec.UnmarshalFirst(data, &ship)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(ship.ID, ship.Name)
		data = rest
	}

	// Output:
	// 1 Ada
	// 2 Bob
}

// Reusing a buffer saves an allocation per message.
func ExampleAppend() {
	buf := make([]byte, 0, 64)
	for id := range uint16(3) {
		data, err := tagcodec.Append(buf[:0], &Ship{ID: id})
		fmt.Printf("% x %v\n", data, err)
	}

	// Output:
	// 00 00 90 21 03 <nil>
	// 01 00 90 21 03 <nil>
	// 02 00 90 21 03 <nil>
}

func ExampleSize() {
	size, err := tagcodec.Size(Ship{Name: "Ada"})
	fmt.Println(size, err)

	// Output:
	// 8 <nil>
}

func ExampleMaxSize() {
	size, err := tagcodec.MaxSize(Ship{})
	fmt.Println(size, err)

	// Output:
	// 20 <nil>
}

// A Codec is created once, which reports any mistakes in the tags. All
// goroutines may share it.
func ExampleFor() {
	codec, err := tagcodec.For[Ship]()
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := codec.Append(nil, &Ship{ID: 3, Name: "Ada"})
	fmt.Println(len(data), err)

	var out Ship
	err = codec.Unmarshal(data, &out)
	fmt.Println(out, err)
	fmt.Println(codec.MinBits(), "to", codec.MaxBits(), "bits")

	_, err = tagcodec.For[struct {
		Health int32 `bp:"int,min=0,mx=100"`
	}]()
	fmt.Println(err)

	// Output:
	// 8 <nil>
	// {3 0 [0 0] Ada} <nil>
	// 40 to 160 bits
	// tagcodec: struct.Health: option "mx" is not known; did you mean "max"?
}

// The plan prints as a table of fields and their encodings.
func ExampleCodec_Plan() {
	fmt.Print(tagcodec.MustFor[Ship]().Plan())

	// Output:
	// tagcodec_test.Ship: 40..160 bits, 5..20 bytes
	// bit  bits    field   type        wire
	// 0    10      ID      uint16      uint10
	// 10   7       Shield  int32       int 0..100
	// 17   18      Pos     [2]float32  2 x float32 from -100 over 200 in 400 steps
	// 35   5..125  Name    string      string 0..15
}

// An error identifies the value, its bit position and its bounds.
func ExampleError() {
	type Scene struct {
		Ships []Ship `bp:"maxlen=100"`
	}
	_, err := tagcodec.Marshal(Scene{[]Ship{{Shield: 5}, {Shield: 101}}})
	fmt.Println(err)

	var e *tagcodec.Error
	if errors.As(err, &e) {
		fmt.Println(e.Op, e.Path, e.Bit, e.Type)
	}
	var cause *bits.Error
	if errors.As(err, &cause) {
		fmt.Println(cause.Value, cause.Min, cause.Max)
	}
	fmt.Println(errors.Is(err, tagcodec.ErrRange))

	// Output:
	// tagcodec: marshal Scene.Ships[1].Shield at bit 58: value out of range: 101 is outside [0, 100]
	// marshal Scene.Ships[1].Shield 58 tagcodec_test.Scene
	// 101 0 100
	// true
}

// A mistake in the tags of a type is reported by package typecache.
func ExampleError_tags() {
	type Team struct {
		Names []string `bp:"maxlen=8"`
	}
	_, err := tagcodec.Marshal(Team{})
	fmt.Println(err)
	fmt.Println(errors.Is(err, typecache.ErrTag))

	// Output:
	// tagcodec: Team.Names: option "elem.maxlen" is missing: add elem.maxlen= with the largest length of string
	// true
}

// A message cannot nest more deeply than the program allows.
func ExampleWithMaxDepth() {
	type List struct {
		Next *List
	}
	shallow := tagcodec.MustFor[List](tagcodec.WithMaxDepth(3))
	data, err := tagcodec.Marshal(List{&List{&List{&List{}}}}) // the default is 1000
	fmt.Printf("% x %v\n", data, err)

	var out List
	fmt.Println(shallow.Unmarshal(data, &out))

	// Output:
	// 07 <nil>
	// tagcodec: unmarshal List.Next.Next.Next at bit 3: nested too deeply: 4 is outside [0, 3]
}

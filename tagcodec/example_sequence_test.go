package tagcodec_test

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/gobitpack/bitpack/tagcodec"
)

// The options of an array apply to its elements.
func Example_array() {
	type Grid struct {
		Cells [2][4]uint8 `bp:"uint,bits=2"`
	}
	data, err := tagcodec.Marshal(Grid{[2][4]uint8{{0, 1, 2, 3}, {3, 2, 1, 0}}})
	fmt.Printf("%d bits: % x %v\n", tagcodec.MustFor[Grid]().MaxBits(), data, err)

	// Output:
	// 16 bits: e4 1b <nil>
}

// The options of a struct field apply to the untagged fields of the struct.
func Example_vector() {
	type Vec3 struct{ X, Y, Z float32 }
	type Body struct {
		Velocity Vec3 `bp:"float,min=-1,max=1,bits=10"`
	}
	data, err := tagcodec.Marshal(Body{Vec3{-1, 0, 1}})
	fmt.Printf("%d bits: % x %v\n", tagcodec.MustFor[Body]().MaxBits(), data, err)

	// Output:
	// 30 bits: 00 00 f8 3f <nil>
}

// A slice needs a maximum length. It limits what a message may claim, and
// determines the width of the count.
func Example_slice() {
	type Squad struct {
		Health []uint8 `bp:"uint,min=0,max=100,maxlen=15"` // 4 bits, then 7 each
	}
	c := tagcodec.MustFor[Squad]()
	data, err := tagcodec.Marshal(Squad{[]uint8{100, 50}})
	fmt.Printf("%d to %d bits: % x %v\n", c.MinBits(), c.MaxBits(), data, err)

	var out Squad
	err = tagcodec.Unmarshal([]byte{0xF2, 0xFF, 0x03}, &out)
	fmt.Println(err)

	// Output:
	// 4 to 109 bits: 42 96 01 <nil>
	// tagcodec: unmarshal Squad.Health[0] at bit 4: value out of range: 127 is outside [0, 100]
}

// The prefix elem. gives the options of the inner slices.
func Example_nestedSlice() {
	type Paths struct {
		Points [][]uint8 `bp:"uint,bits=4,maxlen=3,elem.maxlen=7"`
	}
	data, err := tagcodec.Marshal(Paths{[][]uint8{{1, 2}, {3}}})
	fmt.Printf("% x %v\n", data, err) // 2 + 3+4+4 + 3+4 bits

	// Output:
	// 2a 24 03 <nil>
}

// A slice of ascending integers takes one bit for each integer that is one
// greater than the previous one.
func Example_ascending() {
	type Seen struct {
		IDs []uint32 `bp:"relative,maxlen=15"`
	}
	data, err := tagcodec.Marshal(Seen{[]uint32{0, 1, 2, 3, 4, 10}})
	fmt.Printf("%d bytes: % x %v\n", len(data), data, err) // 4 + 5*1 + 5 bits

	// Output:
	// 2 bytes: f6 25 <nil>
}

// With rle, equal neighbors are sent once with their number.
func Example_rle() {
	type Chunk struct {
		Tiles [16][16]uint8 `bp:"uint,bits=4,rle"`
		Light []uint8       `bp:"uint,bits=4,rle,maxlen=256"`
	}
	c := tagcodec.MustFor[Chunk]()
	var chunk Chunk
	chunk.Tiles[7] = [16]uint8{3, 3, 3, 3, 3, 3, 3, 3, 9, 9, 9, 9, 9, 9, 9, 9}
	chunk.Light = []uint8{15, 15, 15, 14, 14, 15}
	data, err := tagcodec.Marshal(chunk)
	fmt.Printf("%d bytes: % x %v\n", len(data), data, err)
	fmt.Println(c.MinBits(), "to", c.MaxBits(), "bits")

	// Output:
	// 11 bytes: 40 18 10 83 48 40 00 18 f0 cb 3f <nil>
	// 30 to 2569 bits
}

// A map is sorted by key, so equal maps have equal messages. The prefix key.
// gives the options of the keys.
func Example_map() {
	type Scores struct {
		Points map[int8]uint16 `bp:"max=1000,min=0,maxlen=7,key.min=0,key.max=15"`
	}
	c := tagcodec.MustFor[Scores]()
	data, err := tagcodec.Marshal(Scores{map[int8]uint16{9: 1, 2: 1000}})
	fmt.Printf("%d to %d bits: % x %v\n", c.MinBits(), c.MaxBits(), data, err) // 3 + 2*(4+10)

	var out Scores
	err = tagcodec.Unmarshal(data, &out)
	fmt.Println(out, err)

	// Output:
	// 3 to 101 bits: 12 f4 33 00 <nil>
	// {map[2:1000 9:1]} <nil>
}

// A string is its length, padding up to a whole byte, and its UTF-8 bytes.
func Example_string() {
	type Chat struct {
		Urgent bool
		Text   string `bp:"maxlen=15"`
	}
	data, err := tagcodec.Marshal(Chat{true, "hi"})
	fmt.Printf("% x %v\n", data, err) // 1 + 4, 3 of padding, 16 bits

	_, err = tagcodec.Marshal(Chat{Text: "much too long a line"})
	fmt.Println(err)

	// Output:
	// 05 68 69 <nil>
	// tagcodec: marshal Chat.Text at bit 1: length out of bounds: 20 is outside [0, 15]
}

// A wstring takes 32 bits per UTF-16 unit, for compatibility with other
// implementations of the format.
func Example_wstring() {
	type Name struct {
		Name string `bp:"wstring,maxlen=15"`
	}
	data, err := tagcodec.Marshal(Name{"hé"})
	fmt.Printf("% x %v\n", data, err) // 4 + 2*32 bits

	// Output:
	// 82 06 00 00 90 0e 00 00 00 <nil>
}

// Bytes may have any content. An array of bytes needs no length.
func Example_bytes() {
	type Packet struct {
		Reliable bool
		Token    [4]byte `bp:"bytes"`
		Payload  []byte  `bp:"bytes,maxlen=1024"`
	}
	data, err := tagcodec.Marshal(Packet{true, [4]byte{0xDE, 0xAD, 0xBE, 0xEF}, []byte{1, 2, 3}})
	fmt.Printf("% x %v\n", data, err)

	// Output:
	// 01 de ad be ef 03 00 01 02 03 <nil>
}

// A cstring is NUL-terminated text in an array.
func Example_cstring() {
	type Player struct {
		Name [16]byte `bp:"cstring"`
	}
	var p Player
	copy(p.Name[:], "bob")
	data, err := tagcodec.Marshal(&p)
	fmt.Printf("% x %v\n", data, err) // 4 bits of length, 4 of padding, 24

	// Output:
	// 03 62 6f 62 <nil>
}

// A type with methods such as MarshalBinary and UnmarshalBinary can use its own
// encoding.
func Example_binary() {
	type Session struct {
		Address netip.Addr `bp:"binary,maxlen=16"`
		Started time.Time  `bp:"binary,maxlen=16"`
	}
	in := Session{netip.AddrFrom4([4]byte{10, 0, 0, 1}), time.Unix(0, 0).UTC()}
	data, err := tagcodec.Marshal(&in)
	fmt.Printf("% x %v\n", data, err)

	var out Session
	err = tagcodec.Unmarshal(data, &out)
	fmt.Println(out, err)

	// Output:
	// 04 0a 00 00 01 0f 01 00 00 00 0e 77 91 f7 00 00 00 00 00 ff ff <nil>
	// {10.0.0.1 1970-01-01 00:00:00 +0000 UTC} <nil>
}

package bits_test

import (
	"fmt"

	"github.com/gobitpack/bitpack/bits"
)

// message returns the message that serialize writes, and its length in bits.
func message(serialize func(s *bits.Stream)) ([]byte, int) {
	w := bits.NewAppendWriter(nil)
	serialize(bits.NewWriteStream(w))
	if err := w.Err(); err != nil {
		fmt.Println(err)
	}
	return w.Bytes(), w.Bit()
}

type Coin struct{ X, Y int }

// coin serializes a Coin in 20 bits.
func coin(s *bits.Stream, v *Coin) {
	bits.Int(s, &v.X, -500, 500)
	bits.Int(s, &v.Y, -500, 500)
}

// A count, and then each element. A packet that claims more elements than its bits
// can hold is refused before memory is allocated.
func ExampleSlice() {
	coins := []Coin{{10, -20}, {30, -40}}
	data, n := message(func(s *bits.Stream) { bits.Slice(s, &coins, 0, 1000, 20, coin) })
	fmt.Println(n, "bits")

	var got []Coin
	s := bits.NewReadStream(bits.NewReader(data))
	bits.Slice(s, &got, 0, 1000, 20, coin)
	fmt.Println(got, s.Err())

	s = bits.NewReadStream(bits.NewReader([]byte{0xE8, 3, 0}))
	bits.Slice(s, &got, 0, 1000, 20, coin)
	fmt.Println(got, s.Err())

	// Output:
	// 50 bits
	// [{10 -20} {30 -40}] <nil>
	// [] bits: read at bit 0: read past the end of the data: 20000 more bits needed, 14 left
}

// Sorted ids are cheap, and cheapest without gaps.
func ExampleAscending() {
	ids := []uint32{100, 101, 102, 110}
	_, n := message(func(s *bits.Stream) { bits.Ascending(s, &ids, 0, 255, -1) })
	fmt.Println(n, "bits")

	// Output:
	// 31 bits
}

// An element function may be any function of this form, such as a method of
// Stream.
func ExampleEach() {
	position, keys := [3]float32{1, 2, 3}, [4]bool{true, false, true, true}
	_, n := message(func(s *bits.Stream) {
		bits.Each(s, position[:], (*bits.Stream).Float32)
		bits.Each(s, keys[:], (*bits.Stream).Bool)
	})
	fmt.Println(n, "bits")

	// Output:
	// 100 bits
}

func ExampleFields() {
	var color struct{ R, G, B uint8 }
	_, n := message(func(s *bits.Stream) {
		bits.Fields(s, func(s *bits.Stream, v *uint8) { bits.Bits(s, v, 5) }, &color.R, &color.G, &color.B)
	})
	fmt.Println(n, "bits")

	// Output:
	// 15 bits
}

// A value that is mostly zero costs 1 bit while it is.
func ExampleOptional() {
	percent := func(s *bits.Stream, v *int) { bits.Int(s, v, 0, 100) }
	for _, damage := range []int{0, 60} {
		_, n := message(func(s *bits.Stream) { bits.Optional(s, &damage, percent) })
		fmt.Println(n, "bits")
	}

	// Output:
	// 1 bits
	// 8 bits
}

// Tree is recursive. An element with a Serialize method needs no other function.
type Tree struct {
	Name        string
	Left, Right *Tree
}

func (t *Tree) Serialize(s *bits.Stream) error {
	s.String(&t.Name, 15)
	bits.Pointer(s, &t.Left, 6, bits.Value[Tree]) // 4 bits of length and 2 of pointers, at least
	bits.Pointer(s, &t.Right, 6, bits.Value[Tree])
	return s.Err()
}

func ExamplePointer() {
	tree := Tree{"root", &Tree{Name: "left"}, nil}
	data, _ := message(func(s *bits.Stream) { bits.Value(s, &tree) })
	var got Tree
	err := got.Serialize(bits.NewReadStream(bits.NewReader(data)))
	fmt.Println(len(data), "bytes:", got.Name, got.Left.Name, got.Right, err)

	// Output:
	// 11 bytes: root left <nil> <nil>
}

// The entries are sorted by key, so that equal maps give equal bytes.
func ExampleMap() {
	scores := map[string]int{"Ripley": 9, "Ash": 1}
	name := func(s *bits.Stream, v *string) { s.String(v, 15) }
	score := func(s *bits.Stream, v *int) { bits.Int(s, v, 0, 15) }
	data, _ := message(func(s *bits.Stream) { bits.Map(s, &scores, 0, 7, 8, name, score) })
	fmt.Printf("% x\n", data)

	var got map[string]int
	s := bits.NewReadStream(bits.NewReader(data))
	bits.Map(s, &got, 0, 7, 8, name, score)
	fmt.Println(got, s.Err())

	// Output:
	// 1a 41 73 68 61 52 69 70 6c 65 79 09
	// map[Ash:1 Ripley:9] <nil>
}

// Small magnitudes are short, whatever the type.
func ExampleVarint() {
	for _, v := range []int64{0, -64, 64, 1 << 40} {
		_, n := message(func(s *bits.Stream) { bits.Varint(s, &v) })
		fmt.Println(v, n, "bits")
	}

	// Output:
	// 0 8 bits
	// -64 8 bits
	// 64 16 bits
	// 1099511627776 48 bits
}

// Two's complement, as a field of type int16 or one tagged "int,bits=5" has.
func ExampleBits_signed() {
	lean := int8(-3)
	data, n := message(func(s *bits.Stream) { bits.Bits(s, &lean, 5) })
	fmt.Printf("%05b, %d bits\n", data[0], n)

	// Output:
	// 11101, 5 bits
}

type Name string

// Text that must be UTF-8, and bytes that may be anything.
func ExampleText() {
	name, raw := Name("Ripley"), []byte{0xFF, 0}
	data, _ := message(func(s *bits.Stream) {
		bits.Text(s, &name, 15)
		bits.ByteSlice(s, &raw, 0, 15)
	})
	fmt.Printf("% x\n", data)

	// Output:
	// 06 52 69 70 6c 65 79 02 ff 00
}

// Fields without a value: padding, reserved bits, and values that both sides know.
func ExampleStream_Const() {
	format := func(s *bits.Stream) {
		s.Const(0x2A, 8)
		s.Reserved(4)
		s.Align()
		s.Check(0xFEEDBEEF)
	}
	data, _ := message(format)
	fmt.Printf("% x\n", data)

	for _, bad := range [][]byte{{0x2B, 0}, {0x2A, 1}} {
		s := bits.NewReadStream(bits.NewReader(bad))
		format(s)
		fmt.Println(s.Err())
	}

	// Output:
	// 2a 00 ef be ed fe
	// bits: read at bit 0: check failed: is 0x2b, should be 0x2a
	// bits: read at bit 8: padding is not zero: it is 0x1
}

// Six tiles take 5 bits and those of one tile, and two tiles take 3 bits and those
// of one tile.
func ExampleRunLength() {
	tile := func(s *bits.Stream, v *uint8) { bits.Bits(s, v, 4) }
	tiles := [8]uint8{7, 7, 7, 7, 7, 7, 2, 2}
	w := bits.NewAppendWriter(nil)
	s := bits.NewWriteStream(w)
	bits.RunLength(s, tiles[:], 4, tile)
	fmt.Println(w.Bit(), "bits", s.Err())

	var back [8]uint8
	bits.RunLength(bits.NewReadStream(bits.NewReader(w.Bytes())), back[:], 4, tile)
	fmt.Println(back)

	// Output:
	// 16 bits <nil>
	// [7 7 7 7 7 7 2 2]
}

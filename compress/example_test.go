package compress_test

import (
	"fmt"
	"log"
	"math"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
)

// must returns v. It is for package variables whose arguments are constants.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

var (
	position = must(compress.NewFloat32(-1024, 1024, 0.01))
	rotation = must(compress.NewQuat(9))
	spin     = must(compress.NewQuatSign(16))
	normal   = must(compress.NewUnit(10))
	yaw      = must(compress.NewAngle(10, 360))
	altitude = must(compress.NewFixed(32, 16, -100, 100))
)

// Body has a field for each kind of quantity.
type Body struct {
	Position [3]float32
	Velocity struct{ X, Y, Z float32 }
	Rotation [4]float32 // x, y, z, w
	Spin     [4]float64
	Normal   [3]float32
	Yaw      float32
	Mass     float32
	Altitude int32 // with 16 fraction bits
}

// Serialize writes and reads a Body, in one line for each field.
func (b *Body) Serialize(s *bits.Stream) error {
	bits.Each(s, b.Position[:], position.Serialize)                                 // 3*18 bits
	bits.Fields(s, position.Serialize, &b.Velocity.X, &b.Velocity.Y, &b.Velocity.Z) // 3*18 bits
	rotation.Serialize32(s, &b.Rotation)                                            // 29 bits
	spin.Serialize(s, &b.Spin)                                                      // 49 bits
	normal.Serialize32(s, &b.Normal)                                                // 20 bits
	yaw.Serialize32(s, &b.Yaw)                                                      // 10 bits
	compress.Half(s, &b.Mass)                                                       // 16 bits
	compress.SerializeFixed(s, &altitude, &b.Altitude)                              // 24 bits
	return s.Err()
}

// A hand-written Serialize method has everything that tags have.
func Example() {
	body := Body{Position: [3]float32{1, -2, 1024}, Rotation: [4]float32{0, 0, 0, 1}, Spin: [4]float64{0, 0, 1, 0},
		Normal: [3]float32{0, 0, -1}, Yaw: -90, Mass: 2.5, Altitude: compress.ToFixed[int32](1.5, 16)}
	w := bits.NewAppendWriter(nil)
	if err := body.Serialize(bits.NewWriteStream(w)); err != nil {
		fmt.Println(err)
	}
	fmt.Println(w.Bit(), "bits")

	var got Body
	err := got.Serialize(bits.NewReadStream(bits.NewReader(w.Bytes())))
	fmt.Println(got.Normal, got.Yaw, got.Mass, compress.FromFixed(got.Altitude, 16), err)

	body.Rotation = [4]float32{}
	fmt.Println(body.Serialize(bits.NewWriteStream(bits.NewMeasurer())))

	// Output:
	// 256 bits
	// [0 0 -1] 270 2.5 1.5 <nil>
	// bits: write at bit 108: value out of range: a quaternion of length 0 is no rotation: the identity is x=y=z=0, w=1
}

func ExampleFloat32_Serialize() {
	w := bits.NewAppendWriter(nil)
	s := bits.NewWriteStream(w)
	for _, x := range []float32{12.344, 5000, float32(math.NaN())} {
		position.Serialize(s, &x)
	}
	fmt.Println(s.Err())

	r := bits.NewReadStream(bits.NewReader(w.Bytes()))
	var x, clamped float32
	position.Serialize(r, &x)
	position.Serialize(r, &clamped)
	fmt.Printf("%.3f %.0f %v\n", x, clamped, r.Err())

	// Output:
	// bits: write at bit 36: value out of range: NaN
	// 12.340 1024 <nil>
}

// Values by their weight: 0 takes 1 bit, 1 takes 2, and any other 2 and its own 8.
func ExampleHuffmanValues() {
	whole := func(s *bits.Stream, v *uint8) { bits.Bits(s, v, 8) }
	code := must(compress.NewHuffmanValues(whole,
		compress.HuffmanValue[uint8]{Value: 0, Weight: 90},
		compress.HuffmanValue[uint8]{Value: 1, Weight: 7},
		compress.HuffmanValue[uint8]{Escape: true, Weight: 3}))
	for _, v := range []uint8{0, 1, 200} {
		s := bits.NewWriteStream(bits.NewMeasurer())
		code.Serialize(s, &v)
		fmt.Println(v, s.Bit())
	}

	// Output:
	// 0 1
	// 1 2
	// 200 10
}

// Symbols that the program numbers itself.
func ExampleHuffman_Serialize() {
	moves := []string{"stand", "walk", "run", "jump"}
	code := must(compress.NewHuffman([]uint64{60, 25, 10, 5}))
	for i, move := range moves {
		s := bits.NewWriteStream(bits.NewMeasurer())
		code.Serialize(s, &i)
		fmt.Println(move, s.Bit())
	}

	// Output:
	// stand 1
	// walk 2
	// run 3
	// jump 3
}

// The height of the book chapter: 4.2 bits on average if 90% of the values are 0.
func ExampleCommon() {
	height := must(compress.NewCommon((*bits.Stream).Float32, 0))
	for _, v := range []float32{0, 1.5} {
		s := bits.NewWriteStream(bits.NewMeasurer())
		height.Serialize(s, &v)
		fmt.Println(v, s.Bit())
	}

	// Output:
	// 0 1
	// 1.5 33
}

// Thing is an element of a scene.
type Thing struct {
	Moved bool
	X     uint8
}

// The things that have moved, and where they are in the array. The bool is not
// sent.
func ExampleSerializeSubset() {
	moved := func(v *Thing) *bool { return &v.Moved }
	thing := func(s *bits.Stream, v *Thing) { bits.Bits(s, &v.X, 8) }
	things := [64]Thing{20: {true, 1}, 21: {true, 2}, 50: {true, 3}}
	for mode := compress.SubsetBitmap; mode <= compress.SubsetAuto; mode++ {
		w := bits.NewAppendWriter(nil)
		compress.SerializeSubset(bits.NewWriteStream(w), mode, things[:], moved, thing)
		var got [64]Thing
		s := bits.NewReadStream(bits.NewReader(w.Bytes()))
		compress.SerializeSubset(s, mode, got[:], moved, thing)
		fmt.Println(mode, w.Bit(), got == things, s.Err())
	}

	// Output:
	// bitmap 88 true <nil>
	// index 49 true <nil>
	// sentinel 52 true <nil>
	// relative 49 true <nil>
	// auto 51 true <nil>
}

// Pointers are present if they are not nil. The elements of the slice take no bits
// of their own here, so its bound alone limits what a packet can claim.
func ExampleSerializePointers() {
	ammo := func(s *bits.Stream, v *uint8) { bits.Bits(s, v, 6) }
	full := uint8(63)
	slots := []*uint8{nil, &full, nil, nil, nil, nil, &full, nil}
	w := bits.NewAppendWriter(nil)
	s := bits.NewWriteStream(w)
	bits.Length(s, &slots, 0, 15, 0)
	compress.SerializePointers(s, compress.SubsetRelative, slots, 6, ammo)
	fmt.Println(s.Bit(), "bits", s.Err())

	var got []*uint8
	s = bits.NewReadStream(bits.NewReader(w.Bytes()))
	bits.Length(s, &got, 0, 15, 0)
	compress.SerializePointers(s, compress.SubsetRelative, got, 6, ammo)
	fmt.Println(len(got), got[0], *got[1], *got[6], s.Err())

	// Output:
	// 28 bits <nil>
	// 8 <nil> 63 63 <nil>
}

// A loop over the indices of what is sent. The index 100 ends it.
func ExampleIndex() {
	w := bits.NewAppendWriter(nil)
	s, previous := bits.NewWriteStream(w), -1
	for _, index := range []int{5, 6, 7, 40, 100} {
		compress.Index(s, previous, &index, 100)
		previous = index
	}
	fmt.Println(w.Bit(), "bits", s.Err())

	s = bits.NewReadStream(bits.NewReader(w.Bytes()))
	for previous = -1; ; {
		index := 0
		if compress.Index(s, previous, &index, 100); index == 100 {
			break
		}
		fmt.Print(index, " ")
		previous = index
	}
	fmt.Println(s.Err())

	// Output:
	// 28 bits <nil>
	// 5 6 7 40 <nil>
}

// The parts of a matrix: a position on a grid, a rotation in smallest three, and a
// scale that takes 1 bit if it is 1.
func ExampleAffineCode() {
	code := compress.AffineCode{Translation: position.Serialize, Rotation: rotation.Serialize32}
	for _, scale := range [][3]float32{{1, 1, 1}, {2, 2, 2}, {1, 2, 3}} {
		part := compress.Affine{Translation: [3]float32{1, 2, 3}, Rotation: [4]float32{0, 0, 0, 1}, Scale: scale}
		matrix := part.Matrix()
		s := bits.NewWriteStream(bits.NewMeasurer())
		code.SerializeMatrix(s, &matrix)
		fmt.Println(s.Bit(), s.Err())
	}

	// Output:
	// 84 <nil>
	// 117 <nil>
	// 181 <nil>
}

// The scale of a transform that has other parts than an [Affine].
func ExampleSerializeScale() {
	size := must(compress.NewFloat64(0, 4, 0.25))
	var scale struct{ X, Y, Z float64 }
	for _, v := range []float64{1, 1.01, 2} {
		scale.X, scale.Y, scale.Z = v, v, v
		s := bits.NewWriteStream(bits.NewMeasurer())
		compress.SerializeScale(s, size.Serialize, &scale.X, &scale.Y, &scale.Z)
		fmt.Println(s.Bit())
	}

	// Output:
	// 1
	// 1
	// 7
}

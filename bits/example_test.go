package bits_test

import (
	"errors"
	"fmt"

	"github.com/gobitpack/bitpack/bits"
)

func ExampleWriter() {
	var buf [16]byte
	w := bits.NewWriter(buf[:])
	w.WriteBits(5, 3)          // 3 bits
	w.WriteBool(true)          // 1 bit
	w.WriteInt(-37, -100, 100) // 201 values: 8 bits
	w.WriteString("hi", 15)    // 4 bits of length, padding up to a byte, 2 bytes
	if err := w.Err(); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%d bits: % x\n", w.Bit(), w.Bytes())

	// Output:
	// 32 bits: fd 23 68 69
}

// A program that sends its own buffer must call Flush first.
func ExampleNewWriter() {
	buf := make([]byte, 16)
	w := bits.NewWriter(buf)
	w.WriteBits(5, 3)
	w.WriteBits(700, 10)
	fmt.Printf("% x before Flush\n", buf[:w.Len()])
	if err := w.Flush(); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("% x after it\n", buf[:w.Len()])

	// Output:
	// 00 00 before Flush
	// e5 15 after it
}

// A value outside its range is an error. The Writer does not write another
// value in its place.
func ExampleWriter_errors() {
	w := bits.NewAppendWriter(nil)
	w.WriteInt(130, 0, 100)
	w.WriteBool(true) // does nothing after the error
	fmt.Println(w.Err())
	fmt.Println(errors.Is(w.Err(), bits.ErrRange), w.Bit(), "bits")

	// Output:
	// bits: write at bit 0: value out of range: 130 is outside [0, 100]
	// true 0 bits
}

// A measuring Writer computes the size of a message without a buffer.
func ExampleNewMeasurer() {
	m := bits.NewMeasurer()
	m.WriteInt(50, 0, 100)
	m.WriteBytes(make([]byte, 64))
	fmt.Println(m.Bit(), "bits,", m.Len(), "bytes")

	// Output:
	// 520 bits, 65 bytes
}

func ExampleReader() {
	r := bits.NewReader([]byte{0xfd, 0x23, 0x68, 0x69})
	fmt.Println(r.ReadBits(3), r.ReadBool(), r.ReadInt(-100, 100), r.ReadString(15))
	fmt.Println(r.Finish(), r.Bit(), "bits")

	// Output:
	// 5 true -37 hi
	// <nil> 32 bits
}

// A Reader never returns a value outside its range, whatever the packet
// contains.
func ExampleReader_errors() {
	r := bits.NewReader([]byte{0x7f})
	n := r.ReadCount(0, 100) // the 7 bits hold 127
	fmt.Println(n, r.Err())

	var e *bits.Error
	if errors.As(r.Err(), &e) {
		fmt.Println(e.Op, e.Bit, e.Value, e.Min, e.Max)
	}

	// Output:
	// 0 bits: read at bit 0: length out of bounds: 127 is outside [0, 100]
	// read 0 127 0 100
}

// A prefix code is read in two steps: its first bits tell its length. This one
// has the codes 0, 01 and 11, written with the first bit last.
func ExampleReader_PeekBits() {
	r := bits.NewReader([]byte{0b01_11_0_01})
	for range 4 {
		switch code := r.PeekBits(2); {
		case code&1 == 0:
			r.Skip(1)
			fmt.Println("common")
		default:
			r.Skip(2)
			fmt.Println("rare", code>>1)
		}
	}
	fmt.Println(r.Bit(), "bits,", r.Err())

	// Output:
	// rare 0
	// common
	// rare 1
	// rare 0
	// 7 bits, <nil>
}

type Inventory struct {
	Gold  int32
	Count int
	Items [8]uint16
}

// Serialize writes, reads and measures: the directions cannot differ.
func (v *Inventory) Serialize(s *bits.Stream) error {
	bits.Int(s, &v.Gold, 0, 9999)            // 14 bits
	bits.Count(s, &v.Count, 0, len(v.Items)) // 4 bits
	if s.Err() != nil {
		return s.Err() // a Count that cannot be sent would be too large for the loop
	}
	for i := range v.Count {
		bits.Bits(s, &v.Items[i], 10)
	}
	return s.Err()
}

func ExampleStream() {
	in := Inventory{Gold: 500, Count: 2, Items: [8]uint16{7, 1000}}
	w := bits.NewAppendWriter(nil)
	if err := in.Serialize(bits.NewWriteStream(w)); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%d bits: % x\n", w.Bit(), w.Bytes())

	var out Inventory
	err := out.Serialize(bits.NewReadStream(bits.NewReader(w.Bytes())))
	fmt.Println(out, err)

	// Output:
	// 38 bits: f4 81 1c 80 3e
	// {500 2 [7 1000 0 0 0 0 0 0]} <nil>
}

// Consecutive ids take 1 bit each, and close ids take few.
func ExampleRelative() {
	ids := []uint32{100, 101, 105, 120, 70000}
	w := bits.NewAppendWriter(nil)
	s := bits.NewWriteStream(w)
	previous := int64(-1)
	for i := range ids {
		before := s.Bit()
		bits.Relative(s, previous, &ids[i])
		fmt.Printf("%d after %d: %d bits\n", ids[i], previous, s.Bit()-before)
		previous = int64(ids[i])
	}
	fmt.Println(w.Len(), "bytes,", s.Err())

	// Output:
	// 100 after -1: 13 bits
	// 101 after 100: 1 bits
	// 105 after 101: 5 bits
	// 120 after 105: 8 bits
	// 70000 after 120: 23 bits
	// 7 bytes, <nil>
}

// Two's complement, as a field of type int16 or one tagged "int,bits=5" has.
func ExampleBits_signed() {
	lean := int8(-3)
	w := bits.NewAppendWriter(nil)
	bits.Bits(bits.NewWriteStream(w), &lean, 5)
	fmt.Printf("%05b, %d bits\n", w.Bytes()[0], w.Bit())

	// Output:
	// 11101, 5 bits
}

// Chest holds another object.
type Chest struct {
	Locked bool
	Inside Inventory
}

func (v *Chest) Serialize(s *bits.Stream) error {
	s.Bool(&v.Locked)
	bits.Value(s, &v.Inside)
	return s.Err()
}

// An object inside another has a Serialize method of its own.
func ExampleValue() {
	w := bits.NewAppendWriter(nil)
	err := (&Chest{true, Inventory{Gold: 7}}).Serialize(bits.NewWriteStream(w))
	fmt.Println(w.Bit(), "bits", err)

	err = (&Chest{true, Inventory{Gold: -7}}).Serialize(bits.NewWriteStream(bits.NewMeasurer()))
	fmt.Println(err)

	// Output:
	// 19 bits <nil>
	// bits: write at bit 1: value out of range: -7 is outside [0, 9999]
}

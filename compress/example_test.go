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

var position = must(compress.NewFloat32(-1024, 1024, 0.01))

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

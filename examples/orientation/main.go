// Orientation prints the cost and the error of rotations, directions and
// matrices. The errors are the largest and the average of many random values.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"os"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/tagcodec"
)

// The encodings of rotations and directions.
type (
	Quat6 struct {
		Q [4]float64 `bp:"quat,bits=6"`
	}
	Quat9 struct {
		Q [4]float64 `bp:"quat,bits=9"`
	}
	Quat16 struct {
		Q [4]float64 `bp:"quat,bits=16"`
	}
	Sign9 struct {
		Q [4]float64 `bp:"quat,mode=sign,bits=9"`
	}
	Sign16 struct {
		Q [4]float64 `bp:"quat,mode=sign,bits=16"`
	}
	Unit6 struct {
		D [3]float64 `bp:"unit,bits=6"`
	}
	Unit8 struct {
		D [3]float64 `bp:"unit,bits=8"`
	}
	Unit12 struct {
		D [3]float64 `bp:"unit,bits=12"`
	}

	// Pose is an affine transform. A scale of 1 takes one bit. A uniform scale
	// takes two bits and the number.
	Pose struct {
		Translation [3]float32 `bp:"float,min=-512,max=512,res=0.01"`
		Rotation    [4]float32 `bp:"quat,bits=9"`
		Scale       [3]float32 `bp:"half"`
	}
	Prop struct {
		Pose Pose `bp:"affine"`
	}
	// Matrix is the same transform as the 16 numbers of a renderer.
	Matrix struct {
		World [16]float32 `bp:"affine,min=-512,max=512,res=0.01,bits=9"`
	}
)

const samples = 20000

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer) error {
	const header = "  %-24s%6s%12s%12s%12s\n"
	fmt.Fprintf(w, "ROTATIONS in place of 4 floats: by how much %d random ones are off\n\n", samples)
	fmt.Fprintf(w, header, "tag", "bits", "worst", "mean", "identity")
	if err := errors.Join(
		measure(w, "quat,bits=6", func(v *Quat6) []float64 { return v.Q[:] }),
		measure(w, "quat,bits=9", func(v *Quat9) []float64 { return v.Q[:] }),
		measure(w, "quat,bits=16", func(v *Quat16) []float64 { return v.Q[:] }),
		measure(w, "quat,mode=sign,bits=9", func(v *Sign9) []float64 { return v.Q[:] }),
		measure(w, "quat,mode=sign,bits=16", func(v *Sign16) []float64 { return v.Q[:] }),
	); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nDIRECTIONS in place of 3 floats\n\n")
	fmt.Fprintf(w, header, "tag", "bits", "worst", "mean", "up")
	if err := errors.Join(
		measure(w, "unit,bits=6", func(v *Unit6) []float64 { return v.D[:] }),
		measure(w, "unit,bits=8", func(v *Unit8) []float64 { return v.D[:] }),
		measure(w, "unit,bits=12", func(v *Unit12) []float64 { return v.D[:] }),
	); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nPOSES, and the matrices of 16 floats that are the same\n\n")
	return affine(w)
}

// measure prints the bits of a T, the largest and average angular error for
// random vectors of length 1, and the error for the vector whose last component
// is 1.
func measure[T any](w io.Writer, tag string, numbers func(*T) []float64) error {
	codec, err := tagcodec.For[T]()
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(7, 8))
	var worst, sum, last float64
	for i := range samples + 1 {
		var sent, read T
		v := numbers(&sent)
		for k := range v {
			v[k] = random.NormFloat64()
		}
		if i == samples {
			clear(v)
			v[len(v)-1] = 1
		}
		normalize(v)
		packet, err := codec.Append(nil, &sent)
		if err != nil {
			return err
		}
		if err := codec.Unmarshal(packet, &read); err != nil {
			return err
		}
		off := angle(v, numbers(&read))
		if i == samples {
			last = off
			break
		}
		worst, sum = max(worst, off), sum+off
	}
	fmt.Fprintf(w, "  %-24s%6d%11.3f°%11.3f°%11.3f°\n", tag, codec.MaxBits(), worst, sum/samples, last)
	return nil
}

func normalize(v []float64) {
	length := 0.0
	for _, x := range v {
		length += x * x
	}
	for i := range v {
		v[i] /= math.Sqrt(length)
	}
}

// angle returns the angle between two directions, or between two rotations, in
// degrees. For rotations it is twice the angle between their quaternions, one
// of which may be negated.
func angle(a, b []float64) float64 {
	var minus, plus float64
	for i := range a {
		minus += (a[i] - b[i]) * (a[i] - b[i])
		plus += (a[i] + b[i]) * (a[i] + b[i])
	}
	turn := 2.0
	if len(a) == 4 {
		minus, turn = min(minus, plus), 4
	}
	return turn * math.Asin(math.Sqrt(minus)/2) * 180 / math.Pi
}

// affine prints the bits of poses and of the equivalent matrices.
func affine(w io.Writer) error {
	for _, row := range []struct {
		what  string
		scale [3]float32
	}{{"unscaled", [3]float32{1, 1, 1}}, {"twice the size", [3]float32{2, 2, 2}}, {"a tower", [3]float32{1, 5, 1}}} {
		parts := compress.Affine{Translation: [3]float32{10, -20, 30}, Rotation: [4]float32{0, 0.6, 0, 0.8}, Scale: row.scale}
		matrix := Matrix{parts.Matrix()}
		pose, err := bitsOf(&Prop{Pose(parts)})
		if err != nil {
			return err
		}
		whole, err := bitsOf(&matrix)
		if err != nil {
			return err
		}
		var read Matrix
		packet, err := tagcodec.Marshal(&matrix)
		if err != nil {
			return err
		}
		if err := tagcodec.Unmarshal(packet, &read); err != nil {
			return err
		}
		far := 0.0
		for i, x := range matrix.World {
			far = max(far, math.Abs(float64(x-read.World[i])))
		}
		fmt.Fprintf(w, "  %-16s pose %3d bits, matrix %3d bits, off by %.3f at most\n", row.what, pose, whole, far)
	}
	return nil
}

// bitsOf returns the number of bits of *v.
func bitsOf(v any) (int, error) {
	m := bits.NewMeasurer()
	err := tagcodec.Serialize(bits.NewWriteStream(m), v)
	return m.Bit(), err
}

package tagcodec_test

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/shared"
	"github.com/gobitpack/bitpack/tagcodec"
)

// quat9 returns the bits of a smallest-three quaternion with 9 bits per
// component.
func quat9(index, a, b, c uint64) string {
	return low(index, 2) + low(a, 9) + low(b, 9) + low(c, 9)
}

// smallestThree returns three components at k1, k2 and k3 half steps of 9 bits,
// and the largest component.
func smallestThree(k1, k2, k3 float64) (a, b, c, largest float64) {
	const m = 511
	half := 1 / (math.Sqrt2 * m)
	return k1 * half, k2 * half, k3 * half, math.Sqrt(2*m*m-k1*k1-k2*k2-k3*k3) * half
}

// The code of v is floor(v*511/sqrt(2) + 256). Its k is twice the code minus
// 511.
func TestGoldenQuat(t *testing.T) {
	type packet struct {
		Q [4]float64 `bp:"quat,bits=9"`
	}
	q := func(x, y, z, w float64) packet { return packet{[4]float64{x, y, z, w}} }
	h, _, _, nearly := smallestThree(1, 1, 1)
	big, tiny, _, rest := smallestThree(511, 1, 1)
	half, _, _, fourth := smallestThree(361, 361, 361)
	x, y, w, z := smallestThree(2*218-511, 2*330-511, 2*144-511)
	read := func(x, y, z, w float64) *packet { v := q(x, y, z, w); return &v }
	r := math.Sqrt(0.5)
	runGolden(t, []golden[packet]{
		{"the identity, next to which there is no zero", q(0, 0, 0, 1), quat9(3, 256, 256, 256), read(h, h, h, nearly)},
		{"its negative is the same rotation", q(0, 0, 0, -1), quat9(3, 256, 256, 256), read(h, h, h, nearly)},
		{"half a turn about x", q(1, 0, 0, 0), quat9(0, 256, 256, 256), read(nearly, h, h, h)},
		{"back, which is the same", q(-1, 0, 0, 0), quat9(0, 256, 256, 256), read(nearly, h, h, h)},
		{"half a turn about y, of any length", q(0, 70, 0, 0), quat9(1, 256, 256, 256), read(h, nearly, h, h)},
		{"half a turn about z", q(0, 0, 1e-300, 0), quat9(2, 256, 256, 256), read(h, h, nearly, h)},
		{"two equal components: the lower is the largest", q(r, r, 0, 0), quat9(0, 511, 256, 256), read(rest, big, tiny, tiny)},
		{"of different signs", q(0, -r, 0, r), quat9(1, 256, 256, 0), read(tiny, rest, tiny, -big)},
		{"four equal components", q(.5, .5, .5, .5), quat9(0, 436, 436, 436), read(fourth, half, half, half)},
		{"negative components", q(.1, -.2, -.9, .3), quat9(2, 218, 330, 144), read(x, y, z, w)},
	})
	runRefused(t, []refused[packet]{
		{name: "off the sphere", bits: quat9(3, 511, 511, 0), err: tagcodec.ErrRange, text: "packet.Q at bit 0: value out of range"},
		{name: "a component that is larger than the largest", bits: quat9(0, 500, 100, 250), err: tagcodec.ErrRange, text: "packet.Q at bit 0: value out of range"},
		{name: "of no length", value: q(0, 0, 0, 0), err: tagcodec.ErrRange, text: "packet.Q at bit 0: value out of range: a quaternion of length 0 is no rotation: the identity is x=y=z=0, w=1"},
		{name: "NaN", value: q(0, 0, math.NaN(), 1), err: tagcodec.ErrRange, text: "packet.Q at bit 0: value out of range: [0 0 NaN 1]"},
		{name: "infinite", value: q(math.Inf(-1), 0, 0, 1), err: tagcodec.ErrRange, text: "packet.Q at bit 0: value out of range: [-Inf 0 0 1]"},
	})
}

// The code of v is the step v*255 + 255.
func TestGoldenQuatSign(t *testing.T) {
	type packet struct {
		Q [4]float64 `bp:"quat,mode=sign,bits=9"`
	}
	q := func(x, y, z, w float64) packet { return packet{[4]float64{x, y, z, w}} }
	code := func(x, y, z, sign uint64) string { return low(x, 9) + low(y, 9) + low(z, 9) + low(sign, 1) }
	near := func(k1, k2, k3, sign float64) *packet {
		v := q(k1/255, k2/255, k3/255, sign*math.Sqrt(255*255-k1*k1-k2*k2-k3*k3)/255)
		return &v
	}
	runGolden(t, []golden[packet]{
		{"the identity is exact", q(0, 0, 0, 1), code(255, 255, 255, 0), nil},
		{"its negative stays", q(0, 0, 0, -1), code(255, 255, 255, 1), nil},
		{"half a turn about x", q(1, 0, 0, 0), code(510, 255, 255, 0), nil},
		{"back", q(-1, 0, 0, 0), code(0, 255, 255, 0), nil},
		{"half a turn about y and z", q(0, -1, 0, 0), code(255, 0, 255, 0), nil},
		{"minus zero as w is zero", q(0, 0, 1, math.Copysign(0, -1)), code(255, 255, 510, 0), near(0, 0, 255, 1)},
		{"3-4-5 is not on the grid", q(.6, 0, 0, .8), code(408, 255, 255, 0), near(153, 0, 0, 1)},
		{"equal components: one of the three rounds up, so that w is near", q(.5, .5, .5, -.5), code(383, 382, 382, 1), near(128, 127, 127, -1)},
	})
	runRefused(t, []refused[packet]{
		{name: "a step past 1", bits: code(511, 255, 255, 0), err: tagcodec.ErrRange, text: "packet.Q at bit 0: value out of range"},
		{name: "off the sphere", bits: code(510, 256, 255, 0), err: tagcodec.ErrRange, text: "packet.Q at bit 0: value out of range"},
		{name: "the sign of zero", bits: code(510, 255, 255, 1), err: tagcodec.ErrRange, text: "packet.Q at bit 0: value out of range"},
		{name: "of no length", value: q(0, 0, 0, 0), err: tagcodec.ErrRange, text: "packet.Q at bit 0: value out of range: a quaternion of length 0 is no rotation: the identity is x=y=z=0, w=1"},
	})
}

// With 8 bits the square is 255 points wide, and 127 is its middle.
func TestGoldenUnit(t *testing.T) {
	type packet struct {
		D [3]float64 `bp:"unit,bits=8"`
	}
	d := func(x, y, z float64) packet { return packet{[3]float64{x, y, z}} }
	code := func(i, j uint64) string { return low(i, 8) + low(j, 8) }
	near := func(x, y, z float64) *packet {
		n := math.Sqrt(x*x + y*y + z*z)
		v := d(x/n, y/n, z/n)
		return &v
	}
	runGolden(t, []golden[packet]{
		{"up is the middle", d(0, 0, 1), code(127, 127), nil},
		{"down is a corner", d(0, 0, -1), code(254, 254), nil},
		{"right", d(1, 0, 0), code(254, 127), nil},
		{"left", d(-1, 0, 0), code(0, 127), nil},
		{"front", d(0, 1, 0), code(127, 254), nil},
		{"back, of another length", d(0, -9, 0), code(127, 0), near(0, -1, 0)},
		{"minus zeros are zeros", d(math.Copysign(0, -1), math.Copysign(0, -1), -1), code(254, 254), near(0, 0, -1)},
		{"the middle of an upper face: of the three nearest the lowest", d(1, 1, 1), code(127+42, 127+42), near(42, 42, 43)},
		{"the middle of a lower one", d(1, 1, -1), code(127+85, 127+84), near(43, 42, -42)},
		{"negative components", d(-3, -2, -1), code(127-85, 127-63), near(-64, -42, -21)},
	})
	runRefused(t, []refused[packet]{
		{name: "a point past the square", bits: code(255, 127), err: tagcodec.ErrRange, text: "packet.D at bit 0: value out of range"},
		{name: "the other half of an edge", bits: code(254, 126), err: tagcodec.ErrRange, text: "packet.D at bit 0: value out of range"},
		{name: "another corner", bits: code(0, 254), err: tagcodec.ErrRange, text: "packet.D at bit 0: value out of range"},
		{name: "of no length", value: d(0, 0, 0), err: tagcodec.ErrRange, text: "packet.D at bit 0: value out of range: a vector of length 0 has no direction"},
	})
}

// Vector types of other modules have fields in various orders.
func TestGoldenVectorTypes(t *testing.T) {
	type (
		float   float32
		vec3    [3]float32
		mglQuat struct {
			W float32
			V vec3
		}
		vQuat struct {
			V struct{ Z, Y, X float64 }
			W float64
		}
		xyzw   struct{ X, Y, Z, W float64 }
		wxyz   struct{ W, X, Y, Z float32 }
		named  [4]float
		normal struct{ Z, Y, X float32 }
		packet struct {
			A mglQuat    `bp:"quat,mode=sign,bits=3"`
			B vQuat      `bp:"quat,mode=sign,bits=3"`
			C xyzw       `bp:"quat,mode=sign,bits=3"`
			D wxyz       `bp:"quat,mode=sign,bits=3"`
			E named      `bp:"quat,mode=sign,bits=3"`
			F normal     `bp:"unit,bits=3"`
			G vec3       `bp:"unit,bits=3"`
			H [3]float64 `bp:"unit,bits=3,optional"`
			I xyzw       `bp:"quat,bits=2,optional"`
		}
	)
	v := packet{
		A: mglQuat{V: vec3{1, 0, 0}}, B: vQuat{V: struct{ Z, Y, X float64 }{0, 1, 0}}, C: xyzw{0, 0, 1, 0}, D: wxyz{-1, 0, 0, 0}, E: named{0, -1, 0, 0},
		F: normal{0, 0, 1}, G: vec3{0, -1, 0},
	}
	bits := low(6, 3) + low(3, 3) + low(3, 3) + "0" + low(3, 3) + low(6, 3) + low(3, 3) + "0" + low(3, 3) + low(3, 3) + low(6, 3) + "0" +
		low(3, 3) + low(3, 3) + low(3, 3) + "1" + low(3, 3) + low(0, 3) + low(3, 3) + "0" + low(6, 3) + low(3, 3) + low(3, 3) + low(0, 3)
	minus := v
	minus.H[1] = math.Copysign(0, -1)
	runGolden(t, []golden[packet]{
		{"axes, and vectors of no length that are optional", v, bits + "00", nil},
		{"a vector of no length has no sign", minus, bits + "00", &v},
	})
}

// Pairs of consecutive orientations recorded by the author of the articles.
func TestRecordedOrientations(t *testing.T) {
	f, err := os.Open(shared.Path("data/real_gaffer_orient.csv.gz"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no recording: ", err)
	}
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	type packet struct {
		Q [2][4]float32 `bp:"quat,bits=9"`
	}
	codec := tagcodec.MustFor[packet]()
	rows, n := csv.NewReader(z), 0
	for {
		record, err := rows.Read()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		var code [8]uint64
		for i := range code {
			code[i], err = strconv.ParseUint(record[i], 10, 9)
			require.NoError(t, err)
		}
		data := lows(quat9(code[0], code[1], code[2], code[3]) + quat9(code[4], code[5], code[6], code[7]))
		var v packet
		require.NoError(t, codec.Unmarshal(data, &v))
		again, err := codec.Append(nil, &v)
		require.NoError(t, err)
		require.Equal(t, data, again)
		n++
	}
	require.Equal(t, 150273, n)
}

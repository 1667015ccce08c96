package enginetest

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
)

// Transforms with scales and rotations of every kind.
type (
	rawPose struct {
		Translation [3]float32
		Rotation    [4]float32
		Scale       [3]float32
	}
	halfPose struct {
		Translation [3]float64 `bp:"angle,bits=32"`
		Rotation    rotation   `bp:"quat,bits=20"`
		Scale       [3]float32 `bp:"half"`
	}
	thinPose struct {
		Translation struct{}
		Rotation    [4]float64 `bp:"quat,mode=sign,bits=2"`
		Scale       float32    `bp:"min=-1,max=1,bits=32"`
	}
	chainedPoint struct {
		ID uint32  `bp:"relative,chain,base=-2147483648"`
		At float64 `bp:"optional"`
	}
	narrowChain struct {
		ID int8 `bp:"relative,chain,base=126"`
	}
	smallestThree struct {
		A [4]float32 `bp:"quat,bits=2"`
		B quaternion `bp:"quat,bits=11"`
		C rotation   `bp:"quat,bits=20"`
		D [4]float32 `bp:"quat,bits=20,optional"`
	}
	signedRotations struct {
		A [4]float32 `bp:"quat,mode=sign,bits=2"`
		B quaternion `bp:"quat,mode=sign,bits=20"`
		C rotation   `bp:"quat,mode=sign,bits=20,optional"`
	}
	rawMatrices struct {
		A [16]float32   `bp:"affine"`
		B [4][4]float32 `bp:"affine"`
	}
	coarseMatrices struct {
		A [16]float32   `bp:"affine,bits=2"`
		B [4][4]float32 `bp:"affine,min=-3e38,max=1,bits=2,res=1e36,optional"`
	}
	fineMatrices struct {
		A [16]float32          `bp:"affine,bits=20,min=-1,max=1,res=1"`
		B []*[16]float32       `bp:"affine,maxlen=2,min=-1,max=1,res=0.5,bits=9"`
		C map[bool][16]float32 `bp:"affine,maxlen=2,bits=9"`
	}
)

// turned maps x to y and y to -x, and doubles lengths.
var turned = [16]float32{0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 1, 0, -1, 1}

// extremes lists types with the options and values for which decoded values may be
// hardest to encode. Random types have the other kinds.
var extremes = []struct {
	name string
	typ  reflect.Type
	seed any // initial value; nil means the zero value
}{
	{"128 bits", reflect.TypeFor[struct {
		A bits.Int128  `bp:"fixed,frac=127,min=-1,max=0"`
		B bits.Uint128 `bp:"fixed,frac=1,min=0,max=170141183460469231731687303715884105727"`
		C bits.Int128  `bp:"min=-170141183460469231731687303715884105728,max=170141183460469231731687303715884105727"`
		D bits.Uint128 `bp:"min=1,max=3,optional"`
	}](), nil},
	{"fixed", reflect.TypeFor[struct {
		A int64  `bp:"fixed,frac=63,min=-1,max=0"`
		B int16  `bp:"fixed,frac=0,min=-32768,max=32767,optional"`
		C uint64 `bp:"fixed,frac=32,min=0,max=4294967295"`
	}](), nil},
	{"raw floats", reflect.TypeFor[struct {
		A float32   `bp:"optional"`
		B float64   `bp:"optional"`
		C complex64 `bp:"optional"`
		D bool
		E complex128 `bp:"if=!D"`
	}](), nil},
	{"listed floats", reflect.TypeFor[struct {
		A float32 `bp:"common=0|1|-1"`
		B float64 `bp:"common=-0|0|1e300,optional"`
		C float32 `bp:"huffman=0:9|-0:3|0.1:2|*:5"`
		D float64 `bp:"huffman=0.5:1|-0.5:1"`
		E float32 `bp:"half,common=0|65504"`
		F float32 `bp:"min=-1,max=1,res=0.5,common=-1|0.5"`
		G float32 `bp:"angle,bits=4,common=0"`
	}](), nil},
	{"halves", reflect.TypeFor[struct {
		A float32   `bp:"half"`
		B [2]ratio  `bp:"half,optional"`
		C complex64 `bp:"half"`
	}](), nil},
	{"quantized floats", reflect.TypeFor[struct {
		A float32 `bp:"min=-3e38,max=-1e30,bits=32"`
		B float32 `bp:"min=0,max=1e-44,res=1e-45,optional"`
		C float64 `bp:"min=-1e-320,max=1e308,bits=53"`
		D float32 `bp:"min=-171,max=95,bits=24"`
		E float64 `bp:"min=1e15,max=1000000000000001,bits=9"`
	}](), nil},
	{"angles", reflect.TypeFor[struct {
		A float32 `bp:"angle,bits=32"`
		B float64 `bp:"angle,bits=32,unit=deg,optional"`
		C float32 `bp:"angle,bits=1,optional"`
	}](), nil},
	{"relative integers", reflect.TypeFor[struct {
		A uint32 `bp:"relative,base=4294967290"`
		B int32  `bp:"relative,base=-2147483648"`
		C int8   `bp:"relative,base=126"`
		D uint64 `bp:"relative,base=-1"`
		N int16
		E int16 `bp:"relative,to=N"`
	}](), nil},
	{"chains", reflect.TypeFor[struct {
		A []chainedPoint `bp:"maxlen=3"`
		B bool
		C [1]narrowChain `bp:"if=B"`
		D []chainedPoint `bp:"maxlen=2,elem.optional"`
	}](), nil},
	{"maps", reflect.TypeFor[struct {
		A map[bool]float32   `bp:"maxlen=2"`
		B map[string]float32 `bp:"maxlen=2,key.maxlen=2,key.common=a|bc"`
		C map[int8]float64   `bp:"maxlen=2,key.huffman=0:1|1:2|*:3,elem.optional"`
		D map[uint64]ratio   `bp:"maxlen=3,key.min=1,key.max=18446744073709551615,elem.common=0|1"`
		E map[int64]float32  `bp:"maxlen=3,key.kind=varint,elem.kind=half"`
		F map[int16]*float32 `bp:"maxlen=3,key.kind=fixed,key.frac=3,key.min=-1,key.max=1"`
		G map[string]bool    `bp:"maxlen=2,key.kind=wstring,key.maxlen=2"`
	}](), nil},
	{"smallest three", reflect.TypeFor[smallestThree](), smallestThree{A: [4]float32{1}, B: quaternion{W: 1}, C: rotation{W: 1}}},
	{"rotations with a sign", reflect.TypeFor[signedRotations](), signedRotations{A: [4]float32{1}, B: quaternion{W: 1}}},
	{"directions", reflect.TypeFor[struct {
		A [3]float32 `bp:"unit,bits=2"`
		B normal     `bp:"unit,bits=24,optional"`
		C [3]float32 `bp:"unit,bits=24"`
	}](), nil},
	{"affine structs", reflect.TypeFor[struct {
		A rawPose  `bp:"affine"`
		B thinPose `bp:"affine"`
	}](), nil},
	{"affine structs of angles and halves", reflect.TypeFor[struct {
		A halfPose `bp:"affine,optional"`
	}](), nil},
	{"raw matrices", reflect.TypeFor[rawMatrices](), rawMatrices{turned, [4][4]float32{{-1}, {0, -2}, {0, 0, -3}, {1, 2, 3, 1}}}},
	{"matrices of coarse rotations", reflect.TypeFor[coarseMatrices](), coarseMatrices{A: turned}},
	{"matrices of fine rotations", reflect.TypeFor[fineMatrices](), fineMatrices{turned, []*[16]float32{nil, &turned}, map[bool][16]float32{true: turned}}},
}

// For every kind and for the oddest bits, whatever is decoded can be encoded,
// and that message can be decoded and encoded again to the same bytes. See
// checker.relay.
func TestRelay(t *testing.T) {
	for i, row := range extremes {
		t.Run(row.name, func(t *testing.T) {
			g := &gen{Rand: rand.New(rand.NewPCG(7, uint64(i)))}
			c := newChecker(t, row.name, row.typ)
			accepted := 0
			var pool [][]byte
			seed := reflect.New(row.typ)
			if row.seed != nil {
				seed.Elem().Set(reflect.ValueOf(row.seed))
			}
			if data, ok := c.encode(seed); ok {
				pool = append(pool, data)
			} else {
				require.Nil(t, row.seed)
			}
			for range effort.Rounds(t, 188) {
				data := g.hostile(c.plan.MinBits, c.plan.MaxBits)
				if len(pool) > 0 && g.IntN(4) > 0 {
					data = g.odd(g.mutated(pick(g, pool...)))
				}
				// UnmarshalFirst may accept a prefix of the data.
				v := reflect.New(row.typ)
				c.relink()
				if rest, err := engine.UnmarshalFirst(&c.loop, c.plan, engine.VariableTo(v), data); err == nil {
					data = data[:len(data)-len(rest)]
				}
				if v := c.decodeMutated(data); !v.IsValid() {
					continue
				}
				accepted++
				if len(pool) < 64 {
					pool = append(pool, data)
				} else {
					pool[g.IntN(64)] = data
				}
			}
			require.Greater(t, accepted, 3*effort.Factor())
		})
	}
}

// hostile returns data of least to most bits.
func (g *gen) hostile(least, most int) []byte {
	n := least + g.IntN(min(most-least, 800)+1)
	data := make([]byte, (n+7)/8)
	switch g.IntN(4) {
	case 0:
	case 1:
		for range 1 + g.IntN(4) {
			if len(data) > 0 {
				data[g.IntN(len(data))] = 1 << g.IntN(8)
			}
		}
	case 2:
		for i := range data {
			data[i] = byte(g.Uint32() & g.Uint32())
		}
	default:
		for i := range data {
			data[i] = byte(g.Uint32())
		}
	}
	for range g.IntN(3) {
		data = g.odd(data)
	}
	return data
}

// oddPatterns are bit patterns of floats at the limits of arithmetic: NaNs with
// payloads, infinities, signed zeros, denormals, and the neighbors of 1.
var oddPatterns = [...]uint32{
	0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F800001, 0, 0x80000000, 1, 3, 0x80000002, 0x007FFFFF, 0x00800000, 0x00800001,
	0x7F7FFFFF, 0x7F000000, 0x7EFFFFFF, 0xFF000001, 0x3F800000, 0x3F800001, 0x3F7FFFFF, 0x3F800020, 0xBF800000, 0x3F3504F3,
}

// odd overwrites 16, 32 or 64 bits of data with an unusual float, such as a
// NaN, an infinity or a subnormal. At least half of the positions are at, or a
// few bits after, a multiple of 32 bits.
func (g *gen) odd(data []byte) []byte {
	n := 32
	pattern := uint64(pick(g, oddPatterns[:]...))
	switch g.IntN(6) {
	case 0:
		n, pattern = 64, math.Float64bits(pick(g, oddFloats...))
	case 1:
		n, pattern = 16, uint64(pick(g, 0x7C00, 0xFC00, 0x7E00, 0x7C01, 0x8000, 1, 0x7BFF))
	}
	if len(data)*8 < n {
		return data
	}
	at := g.IntN(len(data)*8 - n + 1)
	if g.IntN(2) == 0 {
		at = min(at&^31+g.IntN(3), len(data)*8-n)
	}
	data = append(slices.Clone(data), make([]byte, 8)...)
	for i := range n {
		byteAt, bit := (at+i)/8, (at+i)%8
		data[byteAt] = data[byteAt]&^(1<<bit) | byte(pattern>>i&1)<<bit
	}
	return data[:len(data)-8]
}

// Matrices whose parts include one odd float, or consist of odd floats.
func TestRelayMatrices(t *testing.T) {
	raw := newChecker(t, "raw", reflect.TypeFor[struct {
		A [16]float32 `bp:"affine"`
	}]())
	coarse := newChecker(t, "coarse", reflect.TypeFor[struct {
		A [16]float32 `bp:"affine,min=-1,max=1,res=1,bits=9"`
	}]())
	g := &gen{Rand: rand.New(rand.NewPCG(8, 9))}
	accepted := 0
	for range effort.Rounds(t, 750) {
		scales := []uint32{pick(g, oddPatterns[:]...), pick(g, oddPatterns[:]...), pick(g, oddPatterns[:]...)}
		if g.IntN(2) == 0 { // all of the same sign
			for i := range scales {
				scales[i] = scales[i]&^(1<<31) | scales[0]&(1<<31)
			}
		}
		w := bits.NewAppendWriter(nil)
		c := raw
		if g.IntN(2) == 0 {
			c = coarse
			w.WriteBits(g.Uint64N(3)|g.Uint64N(3)<<2|g.Uint64N(3)<<4, 6)
			w.WriteBits(g.Uint64N(1<<(2+3*9)), 2+3*9)
		} else {
			for range 3 {
				w.WriteBits(uint64(pick(g, 0, 0x3F800000, g.Uint32())), 32)
			}
			var q [4]float64
			length := 0.0
			for i := range q {
				q[i] = pick(g, 0, 1, g.NormFloat64(), g.NormFloat64())
				length += q[i] * q[i]
			}
			for i := range q {
				w.WriteBits(uint64(math.Float32bits(float32(q[i]/math.Sqrt(length)))), 32)
			}
		}
		uniform := g.IntN(2)
		w.WriteBits(uint64(uniform)<<1, 2)
		for _, s := range scales[:3-2*uniform] {
			w.WriteBits(uint64(s), 32)
		}
		if c.decodeMutated(w.Bytes()).IsValid() {
			accepted++
		}
	}
	require.Greater(t, accepted, 37*effort.Factor())
}

package tagcodec_test

import (
	"math"
	"time"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
)

// made returns v and panics on an error.
func made[T any](v T, err error) T {
	must(err)
	return v
}

type (
	twinFloats struct {
		A float32 `bp:"float,min=-1024,max=1024,res=0.01"`
		B float64 `bp:"float,min=-1024,max=1024,res=0.01"`
		C float32 `bp:"float,min=-1,max=1,bits=10"`
		D float64 `bp:"float,min=1,max=2,bits=53"`
	}
	twinHalf struct {
		A float32 `bp:"half"`
	}
	twinAngles struct {
		A float32 `bp:"angle,bits=10"`
		B float64 `bp:"angle,res=0.5,unit=deg"`
		C float32 `bp:"angle,bits=32,unit=deg"`
	}
	twinFixed struct {
		A int32       `bp:"fixed,frac=16,min=-100,max=100"`
		B uint8       `bp:"fixed,frac=4,min=0,max=15"`
		C int64       `bp:"fixed,frac=60,min=-8,max=7"`
		D bits.Int128 `bp:"fixed,frac=64,min=-3,max=3"`
	}
	twinGolomb struct {
		A uint16 `bp:"expgolomb"`
		B int64  `bp:"expgolomb,k=3"`
		C int8   `bp:"expgolomb,k=7"`
		D uint64 `bp:"expgolomb,k=63"`
	}
	twinVarint struct {
		A uint32 `bp:"varint"`
		B int16  `bp:"varint"`
		C uint64 `bp:"varint"`
		D int64  `bp:"varint"`
		E uint8  `bp:"varint"`
	}
)

var (
	range32    = made(compress.NewFloat32(-1024, 1024, 0.01))
	range64    = made(compress.NewFloat64(-1024, 1024, 0.01))
	signedUnit = made(compress.NewFloat32Bits(-1, 1, 10))
	fine64     = made(compress.NewFloat64Bits(1, 2, 53))
	heading    = made(compress.NewAngle(10, 2*math.Pi))
	degrees    = made(compress.NewAngleRes(0.5, 360))
	fineAngle  = made(compress.NewAngle(32, 360))
	fixed16    = made(compress.NewFixed(32, 16, -100, 100))
	fixed4     = made(compress.NewFixedUint(8, 4, 0, 15))
	fixed60    = made(compress.NewFixed(64, 60, -8, 7))
)

// scalarTwins has no integers and raw floats: package vectors runs their Streams, and
// the vectors here their tags, on the same messages.
func scalarTwins() []twin {
	nan32, nan := float32(math.NaN()), math.NaN()
	negative := math.Copysign(0, -1)
	return []twin{
		twinOf("quantized floats", func(s *bits.Stream, v *twinFloats) {
			range32.Serialize(s, &v.A)
			range64.Serialize(s, &v.B)
			signedUnit.Serialize(s, &v.C)
			fine64.Serialize(s, &v.D)
		}, twinFloats{}, twinFloats{-1024, 1024, -1, 1.5}, twinFloats{math.MaxFloat32, -math.MaxFloat64, 0.3, 2},
			twinFloats{0.005, 0.105, float32(negative), 1},
			twinFloats{A: nan32}, twinFloats{B: math.Inf(-1)}, twinFloats{D: nan}),
		twinOf("half floats", func(s *bits.Stream, v *twinHalf) {
			compress.Half(s, &v.A)
		}, twinHalf{}, twinHalf{-1.5}, twinHalf{65504}, twinHalf{1e9}, twinHalf{float32(negative)}, twinHalf{5e-8}, twinHalf{nan32}),
		twinOf("angles", func(s *bits.Stream, v *twinAngles) {
			heading.Serialize32(s, &v.A)
			degrees.Serialize(s, &v.B)
			fineAngle.Serialize32(s, &v.C)
		}, twinAngles{}, twinAngles{math.Pi, 359.9, 359.99997}, twinAngles{-1, -720.25, -1e-9}, twinAngles{1e20, 1e300, 7},
			twinAngles{A: nan32}, twinAngles{B: math.Inf(1)}),
		twinOf("fixed point", func(s *bits.Stream, v *twinFixed) {
			compress.SerializeFixed(s, &fixed16, &v.A)
			compress.SerializeFixed(s, &fixed4, &v.B)
			compress.SerializeFixed(s, &fixed60, &v.C)
			s.Int128(&v.D, bits.Int128{Hi: -3}, bits.Int128{Hi: 3})
		}, twinFixed{}, twinFixed{100 << 16, 15 << 4, math.MinInt64, bits.Int128{Hi: 3}},
			twinFixed{-100 << 16, 1, 7 << 60, bits.Int128{Lo: 1, Hi: -3}},
			twinFixed{A: 100<<16 + 1}, twinFixed{B: 15<<4 + 1}, twinFixed{C: 7<<60 + 1}, twinFixed{D: bits.Int128{Hi: 4}}),
		twinOf("varints", func(s *bits.Stream, v *twinVarint) {
			bits.Varint(s, &v.A)
			bits.Varint(s, &v.B)
			bits.Varint(s, &v.C)
			bits.Varint(s, &v.D)
			bits.Varint(s, &v.E)
		}, twinVarint{}, twinVarint{127, -64, 128, 64, 255},
			twinVarint{math.MaxUint32, math.MinInt16, math.MaxUint64, math.MinInt64, 128},
			twinVarint{1 << 14, math.MaxInt16, 1 << 63, math.MaxInt64, 1}),
		twinOf("Exp-Golomb codes", func(s *bits.Stream, v *twinGolomb) {
			bits.ExpGolomb(s, &v.A, 0)
			bits.ExpGolomb(s, &v.B, 3)
			bits.ExpGolomb(s, &v.C, 7)
			bits.ExpGolomb(s, &v.D, 63)
		}, twinGolomb{}, twinGolomb{1, -1, 2, 3}, twinGolomb{math.MaxUint16, math.MinInt64, math.MinInt8, math.MaxUint64},
			twinGolomb{1000, math.MaxInt64, math.MaxInt8, 1 << 63}),
		twinOf("times", func(s *bits.Stream, v *twinTime) {
			bits.Binary(s, &v.At, 20)
		}, twinTime{}, twinTime{time.Unix(1e9, 5).UTC()}),
	}
}

type twinTime struct {
	At time.Time `bp:"binary,maxlen=20"`
}

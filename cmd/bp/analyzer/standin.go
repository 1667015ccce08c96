package analyzer

import (
	"go/types"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
)

// Package reflect cannot make types that have a name or methods, or that hold
// themselves. The types here stand for them. Their names are replaced in what is
// reported.
type (
	namedBool       bool
	namedInt        int
	namedInt8       int8
	namedInt16      int16
	namedInt32      int32
	namedInt64      int64
	namedUint       uint
	namedUint8      uint8
	namedUint16     uint16
	namedUint32     uint32
	namedUint64     uint64
	namedUintptr    uintptr
	namedFloat32    float32
	namedFloat64    float64
	namedComplex64  complex64
	namedComplex128 complex128
	namedString     string
	namedEmpty      struct{}
)

// Types with a method Serialize. Later fields may refer to the integers and the
// bool, which have a binary form too, for tags that name it.
type (
	ownBool    bool
	ownInt     int
	ownInt8    int8
	ownInt16   int16
	ownInt32   int32
	ownInt64   int64
	ownUint    uint
	ownUint8   uint8
	ownUint16  uint16
	ownUint32  uint32
	ownUint64  uint64
	ownUintptr uintptr
	ownString  string
	own        struct{ N uint8 }
	ownSlice   struct{ N []uint8 } // does not compare with ==
)

func (*ownBool) Serialize(*bits.Stream) error    { return nil }
func (*ownInt) Serialize(*bits.Stream) error     { return nil }
func (*ownInt8) Serialize(*bits.Stream) error    { return nil }
func (*ownInt16) Serialize(*bits.Stream) error   { return nil }
func (*ownInt32) Serialize(*bits.Stream) error   { return nil }
func (*ownInt64) Serialize(*bits.Stream) error   { return nil }
func (*ownUint) Serialize(*bits.Stream) error    { return nil }
func (*ownUint8) Serialize(*bits.Stream) error   { return nil }
func (*ownUint16) Serialize(*bits.Stream) error  { return nil }
func (*ownUint32) Serialize(*bits.Stream) error  { return nil }
func (*ownUint64) Serialize(*bits.Stream) error  { return nil }
func (*ownUintptr) Serialize(*bits.Stream) error { return nil }
func (*ownString) Serialize(*bits.Stream) error  { return nil }
func (*own) Serialize(*bits.Stream) error        { return nil }
func (*ownSlice) Serialize(*bits.Stream) error   { return nil }

func (*ownBool) MarshalBinary() ([]byte, error)    { return nil, nil }
func (*ownInt) MarshalBinary() ([]byte, error)     { return nil, nil }
func (*ownInt8) MarshalBinary() ([]byte, error)    { return nil, nil }
func (*ownInt16) MarshalBinary() ([]byte, error)   { return nil, nil }
func (*ownInt32) MarshalBinary() ([]byte, error)   { return nil, nil }
func (*ownInt64) MarshalBinary() ([]byte, error)   { return nil, nil }
func (*ownUint) MarshalBinary() ([]byte, error)    { return nil, nil }
func (*ownUint8) MarshalBinary() ([]byte, error)   { return nil, nil }
func (*ownUint16) MarshalBinary() ([]byte, error)  { return nil, nil }
func (*ownUint32) MarshalBinary() ([]byte, error)  { return nil, nil }
func (*ownUint64) MarshalBinary() ([]byte, error)  { return nil, nil }
func (*ownUintptr) MarshalBinary() ([]byte, error) { return nil, nil }
func (*ownString) MarshalBinary() ([]byte, error)  { return nil, nil }

func (*ownBool) UnmarshalBinary([]byte) error    { return nil }
func (*ownInt) UnmarshalBinary([]byte) error     { return nil }
func (*ownInt8) UnmarshalBinary([]byte) error    { return nil }
func (*ownInt16) UnmarshalBinary([]byte) error   { return nil }
func (*ownInt32) UnmarshalBinary([]byte) error   { return nil }
func (*ownInt64) UnmarshalBinary([]byte) error   { return nil }
func (*ownUint) UnmarshalBinary([]byte) error    { return nil }
func (*ownUint8) UnmarshalBinary([]byte) error   { return nil }
func (*ownUint16) UnmarshalBinary([]byte) error  { return nil }
func (*ownUint32) UnmarshalBinary([]byte) error  { return nil }
func (*ownUint64) UnmarshalBinary([]byte) error  { return nil }
func (*ownUintptr) UnmarshalBinary([]byte) error { return nil }
func (*ownString) UnmarshalBinary([]byte) error  { return nil }

// almost has a method Serialize that is not called.
type almost struct{ N uint8 }

func (*almost) Serialize(*bits.Stream) {}

// Types with a binary form, and without exported fields.
type (
	binary      struct{ n uint8 }
	binarySlice struct{ n []uint8 } // does not compare with ==
)

func (b *binary) MarshalBinary() ([]byte, error)      { return []byte{b.n}, nil }
func (*binary) UnmarshalBinary([]byte) error          { return nil }
func (b *binarySlice) MarshalBinary() ([]byte, error) { return b.n, nil }
func (*binarySlice) UnmarshalBinary([]byte) error     { return nil }

// Types that hold themselves.
type (
	recursive      struct{ Next *recursive }
	recursiveSlice struct { // does not compare with ==
		Next *recursiveSlice
		N    [0][]uint8 `bp:"-"`
	}
	loopSlice   []loopSlice
	loopMap     map[string]loopMap
	loopPointer *loopPointer
)

// embedsPointer embeds a pointer to a type that is not exported.
type (
	embedsPointer struct{ *embedded }
	embedded      struct{ N uint8 }
)

// union is an interface with a member.
type (
	union  interface{ member() }
	member struct{ N uint8 }
)

func (member) member() {}

var namedTypes = map[types.BasicKind]reflect.Type{
	types.Bool: reflect.TypeFor[namedBool](), types.Int: reflect.TypeFor[namedInt](), types.Int8: reflect.TypeFor[namedInt8](),
	types.Int16: reflect.TypeFor[namedInt16](), types.Int32: reflect.TypeFor[namedInt32](), types.Int64: reflect.TypeFor[namedInt64](),
	types.Uint: reflect.TypeFor[namedUint](), types.Uint8: reflect.TypeFor[namedUint8](), types.Uint16: reflect.TypeFor[namedUint16](),
	types.Uint32: reflect.TypeFor[namedUint32](), types.Uint64: reflect.TypeFor[namedUint64](), types.Uintptr: reflect.TypeFor[namedUintptr](),
	types.Float32: reflect.TypeFor[namedFloat32](), types.Float64: reflect.TypeFor[namedFloat64](),
	types.Complex64: reflect.TypeFor[namedComplex64](), types.Complex128: reflect.TypeFor[namedComplex128](),
	types.String: reflect.TypeFor[namedString](),
}

var ownTypes = map[types.BasicKind]reflect.Type{
	types.Bool: reflect.TypeFor[ownBool](), types.Int: reflect.TypeFor[ownInt](), types.Int8: reflect.TypeFor[ownInt8](),
	types.Int16: reflect.TypeFor[ownInt16](), types.Int32: reflect.TypeFor[ownInt32](), types.Int64: reflect.TypeFor[ownInt64](),
	types.Uint: reflect.TypeFor[ownUint](), types.Uint8: reflect.TypeFor[ownUint8](), types.Uint16: reflect.TypeFor[ownUint16](),
	types.Uint32: reflect.TypeFor[ownUint32](), types.Uint64: reflect.TypeFor[ownUint64](), types.Uintptr: reflect.TypeFor[ownUintptr](),
	types.String: reflect.TypeFor[ownString](),
}

var basicTypes = map[types.BasicKind]reflect.Type{
	types.Bool: reflect.TypeFor[bool](), types.Int: reflect.TypeFor[int](), types.Int8: reflect.TypeFor[int8](),
	types.Int16: reflect.TypeFor[int16](), types.Int32: reflect.TypeFor[int32](), types.Int64: reflect.TypeFor[int64](),
	types.Uint: reflect.TypeFor[uint](), types.Uint8: reflect.TypeFor[uint8](), types.Uint16: reflect.TypeFor[uint16](),
	types.Uint32: reflect.TypeFor[uint32](), types.Uint64: reflect.TypeFor[uint64](), types.Uintptr: reflect.TypeFor[uintptr](),
	types.Float32: reflect.TypeFor[float32](), types.Float64: reflect.TypeFor[float64](),
	types.Complex64: reflect.TypeFor[complex64](), types.Complex128: reflect.TypeFor[complex128](),
	types.String: reflect.TypeFor[string](),
}

// byComparison returns the first type for a go type that compares with ==, and the
// second for another.
func byComparison(t types.Type, yes, no reflect.Type) reflect.Type {
	if types.Comparable(t) {
		return yes
	}
	return no
}

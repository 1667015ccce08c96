package typecache_test

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
)

// badScalars has kinds, options and bounds that do not apply to a scalar.
var badScalars = []bad{
	{"max without min", fieldOf[int32]("int,max=0")},
	{"min without max", fieldOf[int32]("int,min=0")},
	{"min above max", fieldOf[int32]("int,min=5,max=4")},
	{"max above uint8", fieldOf[uint8]("int,min=0,max=256")},
	{"min below uint8", fieldOf[uint8]("int,min=-1,max=25")},
	{"range and bits both", fieldOf[int32]("int,min=0,max=1,bits=4")},
	{"res on an int", fieldOf[int32]("int,min=0,max=1,res=4")},
	{"uint,bits on a signed type", fieldOf[int32]("uint,bits=4")},
	{"int,bits on an unsigned type", fieldOf[uint32]("int,bits=4")},
	{"uint without bounds on a signed type", fieldOf[int32]("uint")},
	{"more bits than the type", fieldOf[uint8]("uint,bits=9")},
	{"no bits", fieldOf[uint8]("uint,bits=0")},
	{"enum without max", fieldOf[uint8]("enum")},
	{"enum with min", fieldOf[uint8]("enum,min=0,max=3")},
	{"enum with a negative max", fieldOf[uint8]("enum,max=-1")},
	{"int on a bool", fieldOf[bool]("int,min=0,max=1")},
	{"bits on a bool", fieldOf[bool]("bits=1")},
	{"float on an int", fieldOf[int32]("float,min=0,max=1,res=1")},
	{"order above the type", fieldOf[int16]("expgolomb,k=16")},
	{"order below 0", fieldOf[uint64]("expgolomb,k=-1")},
	{"order of a varint", fieldOf[int32]("varint,k=3")},
	{"order without a kind", fieldOf[int32]("k=3")},
	{"expgolomb of 128 bits", fieldOf[bits.Uint128]("expgolomb")},
	{"fixed without frac", fieldOf[int32]("fixed,min=0,max=1")},
	{"fixed without a range", fieldOf[int32]("fixed,frac=8")},
	{"fixed with no bit for whole units", fieldOf[int32]("fixed,frac=32,min=0,max=0")},
	{"fixed below its type", fieldOf[int16]("fixed,frac=8,min=-129,max=0")},
	{"fixed on int, whose size the machine decides", fieldOf[int]("fixed,frac=8,min=0,max=128")},
	{"frac without its kind", fieldOf[int32]("frac=8")},
	{"float without steps", fieldOf[float32]("float,min=0,max=1")},
	{"float with two numbers of steps", fieldOf[float32]("float,min=0,max=1,res=0.1,bits=4")},
	{"float to infinity", fieldOf[float32]("float,min=0,max=Inf,res=0.1")},
	{"float32 to what only a float64 holds", fieldOf[float32]("float,min=0,max=1e39,res=0.1")},
	{"float with an infinite difference", fieldOf[float32]("float,min=-3e38,max=3e38,res=0.1")},
	{"float in steps of nothing", fieldOf[float32]("float,min=0,max=1,res=0")},
	{"float32 of 33 bits", fieldOf[float32]("float,min=0,max=1,bits=33")},
	{"float64 finer than itself", fieldOf[float64]("float,min=0,max=1,res=1e-17")},
	{"float with unit and no kind", fieldOf[float32]("unit=deg")},
	{"half on a float64", fieldOf[float64]("half")},
	{"angle without steps", fieldOf[float32]("angle")},
	{"angle of 33 bits", fieldOf[float32]("angle,bits=33")},
	{"angle in an unknown unit", fieldOf[float32]("angle,bits=8,unit=turn")},
	{"angle with a range", fieldOf[float32]("angle,bits=8,min=0")},
	{"bits on 128 bits", fieldOf[bits.Uint128]("uint,bits=100")},
	{"min below Uint128", fieldOf[bits.Uint128]("int,min=-1,max=1")},
	{"max above Int128", fieldOf[bits.Int128]("int,min=0,max=170141183460469231731687303715884105728")},
	{"fixed above Int128", fieldOf[bits.Int128]("fixed,frac=120,min=0,max=128")},
	{"relative to nothing", fieldOf[int32]("relative")},
	{"chain without its kind", fieldOf[int32]("chain")},
	{"chain behind a pointer", reflect.TypeFor[struct {
		A []*struct {
			I int32 `bp:"relative,chain"`
		} `bp:"maxlen=3"`
	}]()},
	{"chain under a condition", reflect.TypeFor[struct {
		A []struct {
			On bool
			I  int32 `bp:"relative,chain,if=On"`
		} `bp:"maxlen=3"`
	}]()},
	{"chain of values of a map", fieldOf[map[int8]int8]("maxlen=4,elem.kind=relative,elem.chain")},
	{"base that 32 bits do not hold", fieldOf[int32]("relative,base=4294967296")},
	{"base that nothing is above", fieldOf[uint8]("relative,base=255")},
	{"base and to", record(f[uint8]("B"), f[uint8]("A relative,to=B,base=1"))},
	{"to a bool", record(f[bool]("B"), f[uint8]("A relative,to=B"))},
	{"to an unknown field", record(f[uint8]("Begin"), f[uint8]("A relative,to=Bgein"))},
	{"to a later field", record(f[uint8]("A relative,to=B"), f[uint8]("B"))},
	{"to, from elements", record(f[uint8]("B"), f[[]uint8]("A relative,to=B,maxlen=4"))},
}

// badConditions has conditions on fields that cannot be used, and conditions that are
// always or never true.
var badConditions = []bad{
	{"unknown field, and none before", record(f[int8]("B if=C"))},
	{"field with a letter changed, negated", record(f[bool]("AtRest"), f[int8]("B if=!AtBest"))},
	{"two conditions", record(f[bool]("On"), f[bool]("Before"), f[int8]("B if=On&&Before"))},
	{"later field", record(f[int8]("B if=A"), f[bool]("A"))},
	{"field itself", record(f[int8]("B if=B"))},
	{"field that is left out", record(f[bool]("A -"), f[int8]("B if=A"))},
	{"unexported field", record(f[bool]("a"), f[int8]("B if=a"))},
	{"float", record(f[float32]("A"), f[int8]("B if=A"))},
	{"field of the struct around", reflect.TypeFor[struct {
		A bool
		C struct {
			B int8 `bp:"if=A"`
		}
	}]()},
	{"field of an embedded pointer", reflect.TypeFor[struct {
		*Health
		C int8 `bp:"if=Alive"`
	}]()},
	{"embedded struct", reflect.TypeFor[struct {
		Health
		C int8 `bp:"if=Health"`
	}]()},
	{"field of two embedded structs", reflect.TypeFor[struct {
		Health
		Pulse
		C int8 `bp:"if=Alive"`
	}]()},
	{"bool compared with 2", record(f[bool]("A"), f[int8]("B if=A==2"))},
	{"range compared with what is below", record(f[int8]("A int,min=2,max=3"), f[int8]("B if=A!=1"))},
	{"relative integer compared with what it cannot carry", record(f[int64]("A relative,base=0"), f[int8]("B if=A==0x80000000"))},
	{"bits that the field does not have", record(f[uint8]("A uint,bits=3"), f[int8]("B if=A&8"))},
	{"bits above the largest value", record(f[uint8]("A enum,max=5"), f[int8]("B if=A&0x18"))},
	{"no bits", record(f[uint8]("A"), f[int8]("B if=A&0"))},
	{"comparison with a name", record(f[uint8]("A"), f[int8]("B if=A==x"))},
	{"single equals sign", record(f[uint8]("A"), f[int8]("B if=A=5"))},
	{"negation of a comparison", record(f[uint8]("A"), f[int8]("B if=!A==5"))},
}

// badHints has wrong uses of the options that only tagcodec/delta uses.
var badHints = []bad{
	{"unknown prediction", fieldOf[int32]("pred=linear")},
	{"a velocity that there is not", record(f[int32]("A pred=vel:Velocty"), f[int32]("Velocity"))},
	{"its own velocity", fieldOf[int32]("pred=vel:A")},
	{"a text that moves", fieldOf[string]("maxlen=3,pred=lin")},
	{"a key that is a float", fieldOf[float32]("key")},
	{"a key that may be absent", fieldOf[int32]("key,optional")},
	{"another key under a condition", record(f[bool]("On"), f[int32]("A key,if=On"))},
	{"steps of a scalar", fieldOf[int32]("step=auto")},
	{"steps that are not automatic", fieldOf[[3]int32]("step=2")},
}

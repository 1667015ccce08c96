package typecache_test

import (
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/bits"
)

// TestBadScalars has kinds, options and bounds that do not apply to a scalar.
func TestBadScalars(t *testing.T) {
	runBad(t, []bad{
		{"max without min", reflect.TypeFor[struct {
			A int32 `bp:"int,max=0"`
		}](),
			"struct.A: max is given without min: add min="},
		{"min without max", reflect.TypeFor[struct {
			A int32 `bp:"int,min=0"`
		}](),
			"struct.A: min is given without max: add max="},
		{"min above max", reflect.TypeFor[struct {
			A int32 `bp:"int,min=5,max=4"`
		}](),
			"struct.A: min=5 is above max=4: swap them"},
		{"max above uint8", reflect.TypeFor[struct {
			A uint8 `bp:"int,min=0,max=256"`
		}](),
			"struct.A: max=256 does not fit uint8: use 255 at most, or another type"},
		{"min below uint8", reflect.TypeFor[struct {
			A uint8 `bp:"int,min=-1,max=25"`
		}](),
			"struct.A: min=-1 does not fit uint8: use 0 at least, or another type"},
		{"min below int8", reflect.TypeFor[struct {
			A int8 `bp:"int,min=-129,max=5"`
		}](),
			"struct.A: min=-129 does not fit int8: use -128 at least, or another type"},
		{"max above int64", reflect.TypeFor[struct {
			A int64 `bp:"int,min=0,max=9223372036854775808"`
		}](),
			"struct.A: max=9223372036854775808 does not fit int64: use 9223372036854775807 at most, or another type"},
		{"max above uint64", reflect.TypeFor[struct {
			A uint64 `bp:"int,min=0,max=18446744073709551616"`
		}](),
			"struct.A: max=18446744073709551616 does not fit uint64: use 18446744073709551615 at most, or another type"},
		{"max above a named type", reflect.TypeFor[struct {
			A Level `bp:"min=0,max=300"`
		}](),
			"struct.A: max=300 does not fit typecache_test.Level: use 255 at most, or another type"},
		{"range and bits both", reflect.TypeFor[struct {
			A int32 `bp:"int,min=0,max=1,bits=4"`
		}](),
			"struct.A: bits and min, max both set the range: keep one"},
		{"res on an int", reflect.TypeFor[struct {
			A int32 `bp:"int,min=0,max=1,res=4"`
		}](),
			`struct.A: option "res" does not apply to int of int32: remove it`},
		{"res without a kind on an int", reflect.TypeFor[struct {
			A int32 `bp:"res=4"`
		}](),
			`struct.A: option "res" does not apply to the plain form of int32: remove it`},
		{"maxlen on an int", reflect.TypeFor[struct {
			A int32 `bp:"maxlen=4"`
		}](),
			`struct.A: option "maxlen" does not apply to the plain form of int32: remove it`},
		{"maxlen on an array", reflect.TypeFor[struct {
			A [4]int32 `bp:"maxlen=4"`
		}](),
			`struct.A: option "maxlen" does not apply to the plain form of int32: remove it`},
		{"uint,bits on a signed type", reflect.TypeFor[struct {
			A int32 `bp:"uint,bits=4"`
		}](),
			"struct.A: uint,bits= is for unsigned types: write int,bits=4 on int32"},
		{"int,bits on an unsigned type", reflect.TypeFor[struct {
			A uint32 `bp:"int,bits=4"`
		}](),
			"struct.A: int,bits= is for signed types: write uint,bits=4 on uint32"},
		{"uint without bounds on a signed type", reflect.TypeFor[struct {
			A int32 `bp:"uint"`
		}](),
			`struct.A: kind "uint" needs min= and max= on int32: add them, or use int`},
		{"more bits than the type", reflect.TypeFor[struct {
			A uint8 `bp:"uint,bits=9"`
		}](),
			"struct.A: bits=9 is more than a uint8 holds: use 8 at most"},
		{"more bits than any integer", reflect.TypeFor[struct {
			A uint64 `bp:"uint,bits=65"`
		}](),
			`struct.A: option "bits" must be in [1, 64], not 65`},
		{"no bits", reflect.TypeFor[struct {
			A uint8 `bp:"uint,bits=0"`
		}](),
			`struct.A: option "bits" must be in [1, 64], not 0`},
		{"enum without max", reflect.TypeFor[struct {
			A uint8 `bp:"enum"`
		}](),
			`struct.A: option "max" is missing: add max=`},
		{"enum with min", reflect.TypeFor[struct {
			A uint8 `bp:"enum,min=0,max=3"`
		}](),
			`struct.A: option "min" does not apply to enum of uint8: remove it`},
		{"enum with a negative max", reflect.TypeFor[struct {
			A uint8 `bp:"enum,max=-1"`
		}](),
			"struct.A: max=-1 is below 0, where an enum starts: use int,min=,max="},
		{"enum larger than its type", reflect.TypeFor[struct {
			A uint8 `bp:"enum,max=256"`
		}](),
			"struct.A: max=256 does not fit uint8: use 255 at most, or another type"},
		{"int on a bool", reflect.TypeFor[struct {
			A bool `bp:"int,min=0,max=1"`
		}](),
			`struct.A: kind "int" does not apply to bool, which takes 1 bit: remove it`},
		{"bits on a bool", reflect.TypeFor[struct {
			A bool `bp:"bits=1"`
		}](),
			`struct.A: option "bits" does not apply to the plain form of bool: remove it`},
		{"int on a float", reflect.TypeFor[struct {
			A float32 `bp:"int,min=0,max=1"`
		}](),
			`struct.A: kind "int" does not apply to float32, which takes float, half, angle or no kind`},
		{"float on an int", reflect.TypeFor[struct {
			A int32 `bp:"float,min=0,max=1,res=1"`
		}](),
			`struct.A: kind "float" does not apply to int32, which takes int, uint, enum, fixed, varint, expgolomb, relative or no kind`},
		{"half on an int", reflect.TypeFor[struct {
			A int32 `bp:"half"`
		}](),
			`struct.A: kind "half" does not apply to int32, which takes int, uint, enum, fixed, varint, expgolomb, relative or no kind`},
		{"order above the type", reflect.TypeFor[struct {
			A int16 `bp:"expgolomb,k=16"`
		}](),
			`struct.A: option "k" must be in [0, 15], not 16`},
		{"order below 0", reflect.TypeFor[struct {
			A uint64 `bp:"expgolomb,k=-1"`
		}](),
			`struct.A: option "k" must be in [0, 63], not -1`},
		{"order of a varint", reflect.TypeFor[struct {
			A int32 `bp:"varint,k=3"`
		}](),
			`struct.A: option "k" does not apply to varint of int32: remove it`},
		{"order without a kind", reflect.TypeFor[struct {
			A int32 `bp:"k=3"`
		}](),
			`struct.A: option "k" does not apply to the plain form of int32: remove it, or name the kind expgolomb that takes it`},
		{"expgolomb of 128 bits", reflect.TypeFor[struct {
			A bits.Uint128 `bp:"expgolomb"`
		}](),
			`struct.A: kind "expgolomb" does not apply to bits.Uint128, which takes int, uint, fixed or no kind`},
		{"range on a varint", reflect.TypeFor[struct {
			A int32 `bp:"varint,min=0"`
		}](),
			`struct.A: option "min" does not apply to varint of int32: remove it`},
		{"fixed without frac", reflect.TypeFor[struct {
			A int32 `bp:"fixed,min=0,max=1"`
		}](),
			`struct.A: option "frac" is missing: add frac=`},
		{"fixed without a range", reflect.TypeFor[struct {
			A int32 `bp:"fixed,frac=8"`
		}](),
			"struct.A: a range is missing: add min= and max="},
		{"fixed with no bit for whole units", reflect.TypeFor[struct {
			A int32 `bp:"fixed,frac=32,min=0,max=0"`
		}](),
			`struct.A: option "frac" must be in [0, 31], not 32`},
		{"fixed below its type", reflect.TypeFor[struct {
			A int16 `bp:"fixed,frac=8,min=-129,max=0"`
		}](),
			"struct.A: [-129, 0] does not fit int16 with frac=8, which holds the whole units [-128, 127]: use these at most, fewer fraction bits or a larger type"},
		{"fixed above its type", reflect.TypeFor[struct {
			A int16 `bp:"fixed,frac=8,min=0,max=128"`
		}](),
			"struct.A: [0, 128] does not fit int16 with frac=8, which holds the whole units [-128, 127]: use these at most, fewer fraction bits or a larger type"},
		{"fixed above its unsigned type", reflect.TypeFor[struct {
			A uint16 `bp:"fixed,frac=8,min=0,max=256"`
		}](),
			"struct.A: [0, 256] does not fit uint16 with frac=8, which holds the whole units [0, 255]: use these at most, fewer fraction bits or a larger type"},
		{"fixed on int, whose size the machine decides", reflect.TypeFor[struct {
			A int `bp:"fixed,frac=8,min=0,max=128"`
		}](),
			"struct.A: fixed point needs an integer type of a known size: use int32 or int64 instead of int"},
		{"fixed on a float", reflect.TypeFor[struct {
			A float32 `bp:"fixed,frac=8,min=0,max=128"`
		}](),
			`struct.A: kind "fixed" does not apply to float32, which takes float, half, angle or no kind`},
		{"frac without its kind", reflect.TypeFor[struct {
			A int32 `bp:"frac=8"`
		}](),
			`struct.A: option "frac" does not apply to the plain form of int32: remove it, or name the kind fixed that takes it`},
		{"float without anything", reflect.TypeFor[struct {
			A float32 `bp:"float"`
		}](),
			`struct.A: option "min" is missing: add min=`},
		{"float without max", reflect.TypeFor[struct {
			A float32 `bp:"float,min=0,res=1"`
		}](),
			`struct.A: option "max" is missing: add max=`},
		{"float without steps", reflect.TypeFor[struct {
			A float32 `bp:"float,min=0,max=1"`
		}](),
			"struct.A: a quantized float needs res= or bits=: add one"},
		{"float with two numbers of steps", reflect.TypeFor[struct {
			A float32 `bp:"float,min=0,max=1,res=0.1,bits=4"`
		}](),
			"struct.A: res and bits both set the steps: keep one"},
		{"float with reversed bounds", reflect.TypeFor[struct {
			A float32 `bp:"float,min=1,max=0,res=0.1"`
		}](),
			"struct.A: invalid range [1, 0]: min must be below max"},
		{"float with equal bounds", reflect.TypeFor[struct {
			A float32 `bp:"float,min=1,max=1,res=0.1"`
		}](),
			"struct.A: invalid range [1, 1]: min must be below max"},
		{"float from NaN", reflect.TypeFor[struct {
			A float32 `bp:"float,min=NaN,max=1,res=0.1"`
		}](),
			"struct.A: invalid range [NaN, 1]: min and max must be finite"},
		{"float to infinity", reflect.TypeFor[struct {
			A float32 `bp:"float,min=0,max=Inf,res=0.1"`
		}](),
			"struct.A: invalid range [0, +Inf]: min and max must be finite"},
		{"float32 to what only a float64 holds", reflect.TypeFor[struct {
			A float32 `bp:"float,min=0,max=1e39,res=0.1"`
		}](),
			`struct.A: option "max" must be a float32, not "1e39"`},
		{"float with an infinite difference", reflect.TypeFor[struct {
			A float32 `bp:"float,min=-3e38,max=3e38,res=0.1"`
		}](),
			"struct.A: invalid range [-3.0000000054977558e+38, 3.0000000054977558e+38]: min + (max - min) overflows"},
		{"float in steps of nothing", reflect.TypeFor[struct {
			A float32 `bp:"float,min=0,max=1,res=0"`
		}](),
			"struct.A: res must be a positive number, not 0"},
		{"float in negative steps", reflect.TypeFor[struct {
			A float32 `bp:"float,min=0,max=1,res=-1"`
		}](),
			"struct.A: res must be a positive number, not -1"},
		{"float in steps of NaN", reflect.TypeFor[struct {
			A float32 `bp:"float,min=0,max=1,res=NaN"`
		}](),
			"struct.A: res must be a positive number, not NaN"},
		{"float in steps that are no number", reflect.TypeFor[struct {
			A float32 `bp:"float,min=0,max=1,res=fine"`
		}](),
			`struct.A: option "res" must be a float32, not "fine"`},
		{"float32 of 33 bits", reflect.TypeFor[struct {
			A float32 `bp:"float,min=0,max=1,bits=33"`
		}](),
			"struct.A: bits must be in [1, 32], not 33"},
		{"float64 of 54 bits", reflect.TypeFor[struct {
			A float64 `bp:"float,min=0,max=1,bits=54"`
		}](),
			`struct.A: option "bits" must be in [1, 53], not 54`},
		{"float64 finer than itself", reflect.TypeFor[struct {
			A float64 `bp:"float,min=0,max=1,res=1e-17"`
		}](),
			"struct.A: res 1e-17 divides [0, 1] into more than 2^53 steps; use a larger res"},
		{"float with frac", reflect.TypeFor[struct {
			A float32 `bp:"float,min=0,max=1,res=0.1,frac=3"`
		}](),
			`struct.A: option "frac" does not apply to float of float32: remove it`},
		{"float with unit and no kind", reflect.TypeFor[struct {
			A float32 `bp:"unit=deg"`
		}](),
			`struct.A: option "unit" does not apply to the plain form of float32: remove it, or name the kind angle that takes it`},
		{"half on a float64", reflect.TypeFor[struct {
			A float64 `bp:"half"`
		}](),
			`struct.A: kind "half" does not apply to float64: use a float32`},
		{"half with bits", reflect.TypeFor[struct {
			A float32 `bp:"half,bits=16"`
		}](),
			`struct.A: option "bits" does not apply to half of float32: remove it`},
		{"angle without steps", reflect.TypeFor[struct {
			A float32 `bp:"angle"`
		}](),
			"struct.A: an angle needs bits= or res=: add one"},
		{"angle with two numbers of steps", reflect.TypeFor[struct {
			A float32 `bp:"angle,bits=8,res=0.1"`
		}](),
			"struct.A: res and bits both set the steps: keep one"},
		{"angle of 33 bits", reflect.TypeFor[struct {
			A float32 `bp:"angle,bits=33"`
		}](),
			`struct.A: option "bits" must be in [1, 32], not 33`},
		{"angle in steps of nothing", reflect.TypeFor[struct {
			A float32 `bp:"angle,res=0"`
		}](),
			"struct.A: res must be a positive number, not 0"},
		{"angle in steps that are no number", reflect.TypeFor[struct {
			A float32 `bp:"angle,res=fine"`
		}](),
			`struct.A: option "res" must be a float64, not "fine"`},
		{"angle in an unknown unit", reflect.TypeFor[struct {
			A float32 `bp:"angle,bits=8,unit=turn"`
		}](),
			`struct.A: unit must be rad or deg, not "turn"`},
		{"angle with a range", reflect.TypeFor[struct {
			A float32 `bp:"angle,bits=8,min=0"`
		}](),
			`struct.A: option "min" does not apply to angle of float32: remove it`},
		{"half on a complex128", reflect.TypeFor[struct {
			A complex128 `bp:"half"`
		}](),
			`struct.A: kind "half" does not apply to float64: use a float32`},
		{"bits on 128 bits", reflect.TypeFor[struct {
			A bits.Uint128 `bp:"uint,bits=100"`
		}](),
			`struct.A: option "bits" does not apply to uint of bits.Uint128: remove it`},
		{"varint on 128 bits", reflect.TypeFor[struct {
			A bits.Uint128 `bp:"varint"`
		}](),
			`struct.A: kind "varint" does not apply to bits.Uint128, which takes int, uint, fixed or no kind`},
		{"min below Uint128", reflect.TypeFor[struct {
			A bits.Uint128 `bp:"int,min=-1,max=1"`
		}](),
			"struct.A: min=-1 does not fit bits.Uint128: use 0 at least, or another type"},
		{"max above Int128", reflect.TypeFor[struct {
			A bits.Int128 `bp:"int,min=0,max=170141183460469231731687303715884105728"`
		}](),
			"struct.A: max=170141183460469231731687303715884105728 does not fit bits.Int128: use 170141183460469231731687303715884105727 at most, or another type"},
		{"fixed above Int128", reflect.TypeFor[struct {
			A bits.Int128 `bp:"fixed,frac=120,min=0,max=128"`
		}](),
			"struct.A: [0, 128] does not fit bits.Int128 with frac=120, which holds the whole units [-128, 127]: use these at most, fewer fraction bits or a larger type"},
		{"relative to nothing", reflect.TypeFor[struct {
			A int32 `bp:"relative"`
		}](),
			"struct.A: relative to what is missing: add base= with a number, to= with an earlier field, or chain"},
		{"chain without its kind", reflect.TypeFor[struct {
			A int32 `bp:"chain"`
		}](),
			`struct.A: option "chain" does not apply to the plain form of int32: remove it, or name the kind relative that takes it`},
		{"chain outside of a slice", reflect.TypeFor[struct {
			A int32 `bp:"relative,chain"`
		}](),
			"struct.A: chain is for an integer that the elements of a slice or an array hold themselves: use base= or to="},
		{"chain behind a pointer", reflect.TypeFor[struct {
			A []*struct {
				I int32 `bp:"relative,chain"`
			} `bp:"maxlen=3"`
		}](),
			"struct.A.I: chain is for an integer that the elements of a slice or an array hold themselves: use base= or to="},
		{"chain under a condition", reflect.TypeFor[struct {
			A []struct {
				On bool
				I  int32 `bp:"relative,chain,if=On"`
			} `bp:"maxlen=3"`
		}](),
			"struct.A.I: chain does not go with a condition, under which the element before may lack the integer: use base= or to="},
		{"chain of values of a map", reflect.TypeFor[struct {
			A map[int8]int8 `bp:"maxlen=4,elem.kind=relative,elem.chain"`
		}](),
			"struct.A: chain is for an integer that the elements of a slice or an array hold themselves: use base= or to="},
		{"base that 32 bits do not hold", reflect.TypeFor[struct {
			A int32 `bp:"relative,base=4294967296"`
		}](),
			`struct.A: option "base" must be in [-2147483648, 4294967295], not 4294967296`},
		{"base that nothing is above", reflect.TypeFor[struct {
			A uint8 `bp:"relative,base=255"`
		}](),
			"struct.A: base=255 leaves no value above it, which uint8 holds up to 255: lower it"},
		{"base and to", reflect.TypeFor[struct {
			B uint8
			A uint8 `bp:"relative,to=B,base=1"`
		}](),
			"struct.A: to goes with neither base nor chain: keep one"},
		{"to a bool", reflect.TypeFor[struct {
			B bool
			A uint8 `bp:"relative,to=B"`
		}](),
			`struct.A: option "to" refers to B, which is of type bool: refer to an integer`},
		{"to a float", reflect.TypeFor[struct {
			B float32
			A uint8 `bp:"relative,to=B"`
		}](),
			`struct.A: option "to" refers to B, which is of type float32: refer to an integer`},
		{"to an unknown field", reflect.TypeFor[struct {
			Begin uint8
			A     uint8 `bp:"relative,to=Bgein"`
		}](),
			`struct.A: option "to" refers to "Bgein", which is not an earlier field; did you mean "Begin"?`},
		{"to a later field", reflect.TypeFor[struct {
			A uint8 `bp:"relative,to=B"`
			B uint8
		}](),
			`struct.A: option "to" refers to B, which must come before this field: move it up`},
		{"to, from elements", reflect.TypeFor[struct {
			B uint8
			A []uint8 `bp:"relative,to=B,maxlen=4"`
		}](),
			`struct.A: option "to" cannot refer to a field from the elements of a slice, array, map or pointer: use base= or chain`},
		{"to, through a pointer", reflect.TypeFor[struct {
			B uint8
			A *uint8 `bp:"relative,to=B"`
		}](),
			`struct.A: option "to" cannot refer to a field from the elements of a slice, array, map or pointer: use base= or chain`},
		{"relative on a float", reflect.TypeFor[struct {
			A float32 `bp:"relative,base=0"`
		}](),
			`struct.A: kind "relative" does not apply to float32, which takes float, half, angle or no kind`},
	})
}

package typecache_test

import (
	"encoding"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/typecache"
)

// formed implements encoding.BinaryMarshaler and BinaryUnmarshaler.
type formed struct{ encoding.BinaryMarshaler }

func (*formed) UnmarshalBinary([]byte) error { return nil }

// branch is recursive.
type branch struct {
	Leaf uint8    `bp:"uint,bits=3"`
	More []branch `bp:"maxlen=3"`
}

// tagged are the types of the fields that FuzzTag tags. They cover the kinds of Go
// types, and the types that only some tags apply to.
var tagged = []reflect.Type{
	reflect.TypeFor[bool](),
	reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](), reflect.TypeFor[int](),
	reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[uint](),
	reflect.TypeFor[uintptr](), reflect.TypeFor[bits.Uint128](), reflect.TypeFor[bits.Int128](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
	reflect.TypeFor[string](), reflect.TypeFor[[]byte](), reflect.TypeFor[[7]byte](), reflect.TypeFor[[]string](),
	reflect.TypeFor[[]int32](), reflect.TypeFor[[3]uint64](), reflect.TypeFor[[][2][]bool](), reflect.TypeFor[[0]int16](),
	reflect.TypeFor[map[string]int32](), reflect.TypeFor[map[int8][]string](), reflect.TypeFor[map[float32]bool](),
	reflect.TypeFor[*int32](), reflect.TypeFor[**uint8](), reflect.TypeFor[any](), reflect.TypeFor[Signal](), reflect.TypeFor[[]Signal](),
	reflect.TypeFor[struct{}](), reflect.TypeFor[Vec3](), reflect.TypeFor[[]Vec3](), reflect.TypeFor[branch](), reflect.TypeFor[*branch](),
	reflect.TypeFor[[4]float32](), reflect.TypeFor[[3]float64](), reflect.TypeFor[[16]float32](), reflect.TypeFor[[4][4]float32](),
	reflect.TypeFor[struct {
		Translation, Scale [3]float32
		Rotation           [4]float32 `bp:"quat,bits=9"`
	}](),
	reflect.TypeFor[custom](), reflect.TypeFor[formed](), reflect.TypeFor[[]formed](),
	reflect.TypeFor[[9]*Vec3](), reflect.TypeFor[[]*uint8](), reflect.TypeFor[[300]struct {
		On bool
		X  uint8
	}](), reflect.TypeFor[[]struct {
		On bool
		X  [5]*float32
	}](),
	reflect.TypeFor[chan int](), reflect.TypeFor[func()](),
}

// goodTags are the seeds of FuzzTag. Each kind and each option occurs in one of
// them; some are wrong.
var goodTags = []string{
	"", "-", "min=-5,max=5", "int,bits=3", "uint,bits=7", "uint,min=0x10,max=0b11111", "enum,max=3", "fixed,frac=3,min=-1,max=2", "varint",
	"relative,base=-1", "relative,to=N", "relative,chain", "float,min=-1,max=1e3,res=0.25", "min=0,max=1,bits=5", "half", "angle,bits=9,unit=deg",
	"angle,res=0.01,unit=rad", "string,maxlen=5", "wstring,maxlen=3", "bytes,maxlen=4,minlen=2", "bytes", "cstring", "binary,maxlen=8",
	"relative,maxlen=9", "maxlen=3,min=0,max=2,key.maxlen=5,key.common=a|bc", "maxlen=3,elem.maxlen=2,key.min=-3,key.max=3,minlen=1",
	"if=On", "if=!On", "bits=5,if=N==3", "if=N!=-3", "optional,if=N&0x6", "optional", "common=1", "common=1|2|3,min=0,max=9", "common=true|false",
	"huffman=0:9|1:5|*:2", "huffman=1.5:3|0:9,min=0,max=3,bits=4", "string,maxlen=3,huffman=a:1|:2|*:4", "subset=bitmap", "subset=index,by=On",
	"subset=sentinel,by=On,maxlen=4", "subset=relative", "subset=auto,maxlen=3,elem.min=1,elem.max=2", "quat,bits=9", "quat,mode=sign,bits=6",
	"unit,bits=8", "affine", "affine,min=-9,max=9,res=0.1,bits=7", "align", "reserved,bits=5", "const,bits=8,value=0xA5", "check", "check,value=9",
	"union", "union,maxlen=3", "link", "link,bits=10", "maxlen=2,elem.elem.maxlen=3,elem.kind=relative", "int,min=0,max=1,min=3", "imt", "maxlen=",
	"maxlen=99999999999999999999", "if=", ",", "min=0,max=1e400,res=1", "common=|", "huffman=:1|*:0", "elem.elem.elem.kind=int",
}

// FuzzTag builds plans of structs in which one field has an arbitrary tag. If
// there is no plan, the error must be an Error with a path, the same each time.
func FuzzTag(f *testing.F) {
	options := signals()
	for i, tag := range goodTags {
		few := 3 // add a seed for this many types that the tag applies to
		for k, typ := range tagged {
			_, err := typecache.Build(around(typ, reflect.StructTag("bp:"+strconv.Quote(tag)), 0), options)
			if err == nil && few > 0 || k == i%len(tagged) {
				f.Add(uint8(k), uint8(i%4), tag)
				few--
			}
		}
	}
	for k := range tagged[:13] {
		f.Add(uint8(k), uint8(0), "bits=40") // more bits than some of the types have
	}
	f.Add(uint8(3), uint8(4), `json:"a" bp:"int,bits=3" xml:"b,attr"`)
	f.Add(uint8(3), uint8(5), `bp:"int" bp:"uint"`)
	f.Add(uint8(3), uint8(6), "bp:\"min=0,max=1")
	types := 0
	f.Fuzz(func(t *testing.T, which, form uint8, tag string) {
		// Package reflect never frees a type. Each takes about a kilobyte.
		if types++; types > 1<<21 || len(tag) > 500 {
			return
		}
		text := tag
		if form&4 == 0 {
			text = "bp:" + strconv.Quote(tag)
		}
		typ := around(tagged[int(which)%len(tagged)], reflect.StructTag(text), form)
		plan, err := typecache.Build(typ, options)
		again, sameErr := typecache.Build(typ, options)
		if err != nil {
			var fault *typecache.Error
			require.ErrorAs(t, err, &fault)
			require.ErrorIs(t, err, typecache.ErrTag)
			require.Equal(t, typ, fault.Type)
			require.NotEmpty(t, fault.Path())
			require.NotEmpty(t, fault.Problem)
			require.Equal(t, err, sameErr)
			return
		}
		require.NoError(t, sameErr)
		require.Equal(t, plan.Hash(), again.Hash())
		checkPlan(t, sealed.PlanOf(plan), tag)
	})
}

// around returns a struct with a field of the given type and tag. Depending on
// the low bits of form, the struct is the element of a slice, or has a second
// field like it.
func around(typ reflect.Type, tag reflect.StructTag, form uint8) reflect.Type {
	fields := []reflect.StructField{
		{Name: "On", Type: reflect.TypeFor[bool]()},
		{Name: "N", Type: reflect.TypeFor[int32]()},
		{Name: "F", Type: typ, Tag: tag},
	}
	elem := reflect.StructOf(fields)
	switch form & 3 {
	case 1: // in the elements of a slice
		return reflect.StructOf([]reflect.StructField{{Name: "L", Type: reflect.SliceOf(elem), Tag: `bp:"maxlen=4"`}})
	case 2: // after another field with the same type and tag
		return reflect.StructOf(slices.Insert(fields, 2, reflect.StructField{Name: "E", Type: typ, Tag: tag}))
	}
	return elem
}

// checkPlan requires that a plan is consistent, and that its size is bounded by
// the length of its tag in bytes.
func checkPlan(t *testing.T, p *plan.Plan, tag string) {
	require.LessOrEqual(t, len(p.Ops), 60)
	require.LessOrEqual(t, len(p.Fields), 60)
	listed := 0
	for _, values := range p.Commons {
		listed += len(values)
	}
	for _, h := range p.Huffmans {
		listed += len(h.Values)
	}
	require.LessOrEqual(t, listed, 2*(len(tag)+1))
	require.LessOrEqual(t, p.MinBits, p.MaxBits)
	require.GreaterOrEqual(t, p.MinBits, 0)
	require.NotEmpty(t, p.Text())
	require.Equal(t, plan.CodeEnd, p.Ops[p.BlockEnd(0)].Code)
	for i := range p.Ops {
		op := &p.Ops[i]
		require.Less(t, int(op.Code), plan.NumCodes)
		require.Less(t, int(op.Field), len(p.Fields))
		if op.Code.Encloses() {
			require.Greater(t, int(op.End), i)
			require.LessOrEqual(t, int(op.End), len(p.Ops))
		}
		if op.Code >= plan.CodeUint8 && op.Code <= plan.CodeInt32 {
			require.LessOrEqual(t, int(op.Bits), 8*int(op.Size), "more than there is in memory")
		}
		if op.Code.Single() {
			require.True(t, op.Bits <= 64 && op.Span>>(op.Bits-1)>>1 == 0 || op.Bits == 0 && op.Span == 0, "%+v", *op)
		}
	}
	if !strings.Contains(tag, "%!") { // the names of the types contain the tag
		for x := range p.Tree().All() {
			require.NotContains(t, x.Text(), "%!")
		}
	}
}

// signals returns options with a union for Signal.
func signals() typecache.Options {
	return typecache.Options{}.WithUnion(reflect.TypeFor[Signal](), reflect.TypeFor[*Slot]())
}

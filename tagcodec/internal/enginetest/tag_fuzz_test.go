package enginetest

import (
	"reflect"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/typecache"
)

// fieldTypes lists the types of the fields that FuzzTaggedField tags.
var fieldTypes = append([]reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[bits.Uint128](), reflect.TypeFor[bits.Int128](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
	reflect.TypeFor[string](), reflect.TypeFor[[]byte](), reflect.TypeFor[[7]byte](), reflect.TypeFor[[]string](),
	reflect.TypeFor[[]int32](), reflect.TypeFor[[3]uint64](), reflect.TypeFor[[][2][]bool](), reflect.TypeFor[[20]int16](),
	reflect.TypeFor[map[string]int32](), reflect.TypeFor[map[int8][]string](), reflect.TypeFor[map[bool]float32](),
	reflect.TypeFor[*int32](), reflect.TypeFor[**uint8](), reflect.TypeFor[any](), reflect.TypeFor[*ship](),
	reflect.TypeFor[happening](), reflect.TypeFor[[]happening](), reflect.TypeFor[struct{}](),
	reflect.TypeFor[[4]float32](), reflect.TypeFor[[3]float64](), reflect.TypeFor[quaternion](), reflect.TypeFor[normal](),
	reflect.TypeFor[[16]float32](), reflect.TypeFor[[4][4]float32](), reflect.TypeFor[transform](), reflect.TypeFor[[]rotation](),
	reflect.TypeFor[counted](), reflect.TypeFor[direction](), reflect.TypeFor[word](), reflect.TypeFor[[]pair](),
	reflect.TypeFor[tree](), reflect.TypeFor[*convoy](), reflect.TypeFor[[9]*Header](), reflect.TypeFor[[]*uint8](),
	reflect.TypeFor[[150]struct {
		On bool
		X  uint8
	}](),
	reflect.TypeFor[[]struct {
		On bool
		X  uint32
	}](),
}, integerTypes...)

// FuzzTaggedField gives a field any tag. If the tag is valid, the loops and the
// interpreter must agree on the zero value and on any bytes.
func FuzzTaggedField(f *testing.F) {
	for i, tag := range []string{
		"", "min=-5,max=5", "bits=7", "enum,max=3", "fixed,frac=3,min=-1,max=2", "varint", "relative,base=-1", "relative,to=N", "float,min=-1,max=1e3,res=0.25",
		"half", "angle,bits=9,unit=deg", "string,maxlen=5", "wstring,maxlen=3", "bytes,maxlen=4,minlen=2", "cstring", "binary,maxlen=8,elem.maxlen=2",
		"relative,maxlen=9", "maxlen=3,key.maxlen=5,key.common=a|bc", "maxlen=3,elem.maxlen=2,minlen=1", "if=On", "if=N==3", "optional", "common=0|1|2",
		"huffman=0:9|1:5|*:2", "subset=bitmap", "subset=index,by=On,maxlen=4", "subset=relative,by=On", "subset=auto,maxlen=3", "quat,bits=9",
		"quat,mode=sign,bits=6", "unit,bits=8", "affine,min=-9,max=9,res=0.1,bits=7", "const,bits=8,value=0xA5", "union,maxlen=3", "link,bits=10",
	} {
		few := 3
		for k, typ := range fieldTypes {
			if _, err := typecache.Build(withField(typ, tag), typecache.Options{}); err == nil && few > 0 {
				f.Add(uint8(k), tag, []byte{byte(i), 0xFF, 3, 0, 0, 0, 1, 2, 3, 4})
				f.Add(uint8(k), tag, make([]byte, 12))
				few--
			}
		}
	}
	types := 0
	f.Fuzz(func(t *testing.T, which uint8, tag string, data []byte) {
		// Types are never freed.
		if types++; types > 1<<20 || len(tag) > 300 {
			return
		}
		typ := withField(fieldTypes[int(which)%len(fieldTypes)], tag)
		plan, err := typecache.Build(typ, typecache.Options{})
		if err != nil {
			require.ErrorIs(t, err, typecache.ErrTag)
			return
		}
		c := newPlanChecker(t, typ.String(), plan)
		zero := reflect.New(typ)
		if message, ok := c.encode(zero); ok {
			c.decode(message, reflect.New(typ))
		} else {
			_, err := engine.Encode(&c.loop, sealed.PlanOf(plan), engine.VariableTo(zero), nil)
			var where *tagcodec.Error
			require.ErrorAs(t, err, &where)
		}
		c.decodeMutated(data)
	})
}

// withField returns a struct with two fields, followed by a field of the given
// type and tag that may refer to them.
func withField(typ reflect.Type, tag string) reflect.Type {
	return reflect.StructOf([]reflect.StructField{
		{Name: "On", Type: reflect.TypeFor[bool]()},
		{Name: "N", Type: reflect.TypeFor[int32]()},
		{Name: "F", Type: typ, Tag: reflect.StructTag("bp:" + strconv.Quote(tag))},
	})
}

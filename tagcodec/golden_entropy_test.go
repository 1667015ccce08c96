package tagcodec_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
)

// runEverywhere puts two values of a kind whose bits do not depend on where
// they stand into all that can hold them.
func runEverywhere[T any](t *testing.T, tag string, a, b T, bitsA, bitsB string) {
	t.Helper()
	typ := reflect.TypeFor[T]()
	tagged := func(name string, t reflect.Type, tag string) reflect.StructField {
		return reflect.StructField{Name: name, Type: t, Tag: reflect.StructTag(`bp:"` + tag + `"`)}
	}
	pair := reflect.StructOf([]reflect.StructField{{Name: "A", Type: typ}, {Name: "B", Type: typ}})
	inner := reflect.StructOf([]reflect.StructField{tagged("F", typ, tag)})
	va, vb := reflect.ValueOf(a), reflect.ValueOf(b)
	addr := func(x reflect.Value) reflect.Value {
		p := reflect.New(typ)
		p.Elem().Set(x)
		return p
	}
	index, field := reflect.Value.Index, reflect.Value.Field
	fill := func(part func(reflect.Value, int) reflect.Value, values ...reflect.Value) func(reflect.Value) {
		return func(v reflect.Value) {
			if v.Kind() == reflect.Slice {
				v.Set(reflect.MakeSlice(v.Type(), len(values), len(values)))
			}
			for i, x := range values {
				part(v, i).Set(x)
			}
		}
	}
	two := low(2, 2)
	rows := []struct {
		name string
		typ  reflect.Type
		tag  string
		fill func(v reflect.Value)
		bits string
	}{
		{"field", typ, tag, func(v reflect.Value) { v.Set(va) }, bitsA},
		{"array", reflect.ArrayOf(2, typ), tag, fill(index, va, vb), bitsA + bitsB},
		{"array of arrays", reflect.ArrayOf(2, reflect.ArrayOf(2, typ)), tag, func(v reflect.Value) {
			fill(index, va, vb)(v.Index(0))
			fill(index, vb, va)(v.Index(1))
		}, bitsA + bitsB + bitsB + bitsA},
		{"slice", reflect.SliceOf(typ), tag + ",maxlen=3", fill(index, va, vb), two + bitsA + bitsB},
		{"map", reflect.MapOf(reflect.TypeFor[uint8](), typ), tag + ",maxlen=3", func(v reflect.Value) {
			v.Set(reflect.MakeMap(v.Type()))
			v.SetMapIndex(reflect.ValueOf(uint8(200)), vb)
			v.SetMapIndex(reflect.ValueOf(uint8(3)), va)
		}, two + low(3, 8) + bitsA + low(200, 8) + bitsB},
		{"pointer", reflect.PointerTo(typ), tag, func(v reflect.Value) { v.Set(addr(vb)) }, "1" + bitsB},
		{"pointers", reflect.ArrayOf(3, reflect.PointerTo(typ)), tag,
			fill(index, addr(vb), reflect.Zero(reflect.PointerTo(typ)), addr(va)), "1" + bitsB + "0" + "1" + bitsA},
		{"nested struct", inner, "", fill(field, va), bitsA},
		{"array of nested structs", reflect.ArrayOf(2, inner), "", func(v reflect.Value) {
			fill(field, va)(v.Index(0))
			fill(field, vb)(v.Index(1))
		}, bitsA + bitsB},
		{"struct whose fields have no tags", pair, tag, fill(field, va, vb), bitsA + bitsB},
	}
	for _, row := range rows {
		if strings.HasSuffix(tag, "optional") && !strings.Contains("field, slice, map, nested struct", row.name) {
			continue // a pointer has its bit already, and an array and a struct have one for all of it
		}
		t.Run(row.name, func(t *testing.T) {
			// The bits around it show that it starts and ends where it should.
			v := reflect.New(reflect.StructOf([]reflect.StructField{
				{Name: "Before", Type: reflect.TypeFor[bool]()}, tagged("F", row.typ, row.tag), {Name: "After", Type: reflect.TypeFor[bool]()},
			}))
			v.Elem().Field(0).SetBool(true)
			row.fill(v.Elem().Field(1))
			v.Elem().Field(2).SetBool(true)
			want := lows("1" + row.bits + "1")

			data, err := tagcodec.Marshal(v.Interface())
			require.NoError(t, err)
			require.Equal(t, want, data)
			size, err := tagcodec.Size(v.Interface())
			require.NoError(t, err)
			require.Equal(t, len(want), size)
			most, err := tagcodec.MaxSize(v.Interface())
			require.NoError(t, err)
			require.LessOrEqual(t, size, most)
			read := reflect.New(v.Elem().Type())
			require.NoError(t, tagcodec.Unmarshal(data, read.Interface()))
			require.Equal(t, v.Interface(), read.Interface())
			require.Error(t, tagcodec.Unmarshal(data[:len(data)-1], read.Interface()))
		})
	}
}

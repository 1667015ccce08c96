package tagcodec_test

import (
	mathbits "math/bits"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// goldenRow is a value and its message, derived from the description of the
// wire. The layout gives the bits, and the hex gives the resulting bytes.
type goldenRow struct {
	name   string
	value  any
	layout string
	back   any // the decoded value, if it differs
	reason string
}

// record is a struct with the fields A, B and so on.
type record struct {
	fields []reflect.StructField
	values values
}

// values are the values of the fields of a record.
type values []any

// of returns the record with the given tags and values, a tag before each value.
func of(tagsAndValues ...any) (r record) {
	for i := 0; i < len(tagsAndValues); i += 2 {
		v := tagsAndValues[i+1]
		tag := reflect.StructTag(`bp:"` + tagsAndValues[i].(string) + `"`)
		r.fields = append(r.fields, reflect.StructField{Name: string(rune('A' + i/2)), Type: reflect.TypeOf(v), Tag: tag})
		r.values = append(r.values, v)
	}
	return r
}

// with returns the struct with other values.
func (r record) with(all ...any) any {
	s := reflect.New(reflect.StructOf(r.fields)).Elem()
	for i, v := range all {
		s.Field(i).Set(reflect.ValueOf(v))
	}
	return s.Interface()
}

// wireOf packs a layout, which lists the bits in the order they are written:
//
//	0110    these bits
//	5:8     the number 5 in 8 bits, lowest first
//	|       zeros up to the next multiple of 8
//	[68 69] bytes, each with its lowest bit first
//
// It shares no code with the library.
func wireOf(layout string) (data []byte, n int) {
	data = []byte{}
	put := func(bit byte) {
		if n%8 == 0 {
			data = append(data, 0)
		}
		data[n/8] |= bit << (n % 8)
		n++
	}
	number := func(v uint64, width int) {
		for i := range width {
			put(byte(v >> i & 1))
		}
	}
	inBytes := false
	for word := range strings.FieldsSeq(strings.NewReplacer("[", " [ ", "]", " ] ").Replace(layout)) {
		v, width, isNumber := strings.Cut(word, ":")
		switch {
		case word == "[" || word == "]":
			inBytes = word == "["
		case word == "|":
			for n%8 != 0 {
				put(0)
			}
		case inBytes:
			b, err := strconv.ParseUint(word, 16, 8)
			must(err)
			number(b, 8)
		case isNumber:
			x, err := strconv.ParseUint(v, 0, 64)
			must(err)
			w, err := strconv.Atoi(width)
			must(err)
			number(x, w)
		default:
			for _, bit := range []byte(word) {
				put(bit - '0')
			}
		}
	}
	return data, n
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func TestWireOf(t *testing.T) {
	data, n := wireOf("101 5:3 | [68] 1")
	require.Equal(t, []byte{0x2D, 0x68, 0x01}, data)
	require.Equal(t, 17, n)
}

// runRows encodes and decodes every row with all functions.
func runRows(t *testing.T, rows []goldenRow) {
	t.Helper()
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			want, n := wireOf(tt.layout)
			if r, ok := tt.value.(record); ok {
				tt.value = r.with(r.values...)
				if all, ok := tt.back.(values); ok {
					tt.back = r.with(all...)
				} else if tt.back != nil {
					tt.back = r.with(tt.back)
				}
			}
			typ := reflect.TypeOf(tt.value)
			variable := reflect.New(typ)
			variable.Elem().Set(reflect.ValueOf(tt.value))

			data, err := tagcodec.Marshal(tt.value)
			require.NoError(t, err)
			require.Equal(t, want, data, tt.reason)
			require.Equal(t, n, bitsOfMessage(t, variable), tt.reason)
			data, err = tagcodec.Append([]byte("before"), variable.Interface())
			require.NoError(t, err)
			require.Equal(t, "before"+string(want), string(data))
			size, err := tagcodec.Size(tt.value)
			require.NoError(t, err)
			require.Equal(t, len(want), size)
			plan, err := typecache.Of(typ)
			require.NoError(t, err)
			require.LessOrEqual(t, plan.MinBits(), n)
			require.GreaterOrEqual(t, plan.MaxBits(), n)

			back := tt.back
			if back == nil {
				back = tt.value
			}
			read := reflect.New(typ)
			require.NoError(t, tagcodec.Unmarshal(want, read.Interface()))
			require.Equal(t, back, read.Elem().Interface(), tt.reason)
			dirty := reflect.New(typ)
			dirty.Elem().Set(reflect.ValueOf(tt.value))
			rest, err := tagcodec.UnmarshalFirst(append(want[:len(want):len(want)], 0xFF, 0xEE), dirty.Interface())
			require.NoError(t, err)
			require.Equal(t, []byte{0xFF, 0xEE}, rest)
			require.Equal(t, back, dirty.Elem().Interface(), "a used variable reads like a new one")

			for cut := range want {
				err := tagcodec.Unmarshal(want[:cut:cut], reflect.New(typ).Interface())
				require.ErrorIs(t, err, tagcodec.ErrOverread, "%d of %d bytes", cut, len(want))
			}
			require.ErrorIs(t, tagcodec.Unmarshal(append(want[:len(want):len(want)], 0), reflect.New(typ).Interface()),
				tagcodec.ErrTrailing)
			for bit := n; bit < 8*len(want); bit++ {
				bad := append([]byte(nil), want...)
				bad[bit/8] ^= 1 << (bit % 8)
				err := tagcodec.Unmarshal(bad, reflect.New(typ).Interface())
				require.ErrorIs(t, err, tagcodec.ErrTrailing, "bit %d is after the last", bit)
			}
		})
	}
}

// bitsOfMessage returns the number of bits in a message. It appends a set bit
// and finds the last set bit.
func bitsOfMessage(t *testing.T, v reflect.Value) int {
	t.Helper()
	marked := reflect.New(reflect.StructOf([]reflect.StructField{
		{Name: "V", Type: v.Type().Elem()},
		{Name: "End", Type: reflect.TypeFor[bool]()},
	})).Elem()
	marked.Field(0).Set(v.Elem())
	marked.Field(1).SetBool(true)
	data, err := tagcodec.Marshal(marked.Addr().Interface())
	require.NoError(t, err)
	return 8*(len(data)-1) + mathbits.Len8(data[len(data)-1]) - 1
}

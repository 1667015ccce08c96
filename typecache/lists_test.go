package typecache

import (
	"reflect"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestListsBeginWithOneSize checks that the lists of a large plan and its builder take
// as much memory as a comment in init says.
func TestListsBeginWithOneSize(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("the sizes are those of 64-bit machines")
	}
	var b builder
	fields := make([]reflect.StructField, 50)
	for i := range fields {
		fields[i] = reflect.StructField{Name: "A" + strconv.Itoa(i), Type: reflect.TypeFor[bool]()}
	}
	b.init(reflect.StructOf(fields), global)
	p := b.plan
	for _, list := range []any{p.Elems, p.Conds, p.Relatives, p.Float32s, p.Float64s, p.Angles, b.names, b.room, b.firsts, b.planning} {
		v := reflect.ValueOf(list)
		size := v.Cap() * int(v.Type().Elem().Size())
		require.GreaterOrEqual(t, size, 512, v.Type())
		require.LessOrEqual(t, size, 576, v.Type())
	}
}

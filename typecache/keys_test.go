package typecache_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// TestMapCounts checks that the number of map entries is limited to the number
// of possible keys. The width of the count is still that of maxlen.
func TestMapCounts(t *testing.T) {
	for _, tt := range []struct {
		name string
		typ  reflect.Type
		tag  string
		most int // the largest number of entries
	}{
		{"bools", reflect.TypeFor[map[bool]uint8](), "maxlen=10000", 2},
		{"fewer than there are keys", reflect.TypeFor[map[bool]uint8](), "maxlen=1", 1},
		{"bytes", reflect.TypeFor[map[uint8]uint8](), "maxlen=10000", 256},
		{"signed", reflect.TypeFor[map[int16]uint8](), "maxlen=1000000", 1 << 16},
		{"all of them", reflect.TypeFor[map[uint32]uint8](), "maxlen=2147483647", 1<<31 - 1},
		{"ranged", reflect.TypeFor[map[int32]uint8](), "maxlen=1000,key.min=-3,key.max=5", 9},
		{"one key", reflect.TypeFor[map[uint8]uint8](), "maxlen=1000,key.min=7,key.max=7", 1},
		{"enum", reflect.TypeFor[map[uint8]uint8](), "maxlen=1000,key.kind=enum,key.max=4", 5},
		{"bits", reflect.TypeFor[map[uint16]uint8](), "maxlen=1000,key.bits=3", 8},
		{"fixed point", reflect.TypeFor[map[int16]uint8](), "maxlen=1000,key.kind=fixed,key.frac=2,key.min=0,key.max=3", 13},
		{"varint", reflect.TypeFor[map[int8]uint8](), "maxlen=1000,key.kind=varint", 256},
		{"expgolomb", reflect.TypeFor[map[int16]uint8](), "maxlen=1000000,key.kind=expgolomb,key.k=3", 1 << 16},
		{"relative", reflect.TypeFor[map[uint8]uint8](), "maxlen=1000,key.kind=relative", 256},
		{"relative to a base", reflect.TypeFor[map[uint8]uint8](), "maxlen=1000,key.kind=relative,key.base=250", 5},
		{"optional, with zero in the range", reflect.TypeFor[map[int8]uint8](), "maxlen=1000,key.min=-1,key.max=1,key.optional", 3},
		{"optional, with zero outside", reflect.TypeFor[map[int8]uint8](), "maxlen=1000,key.min=1,key.max=3,key.optional", 4},
		{"common", reflect.TypeFor[map[uint8]uint8](), "maxlen=1000,key.min=0,key.max=20,key.common=4|5", 21},
		{"huffman", reflect.TypeFor[map[uint8]uint8](), "maxlen=1000,key.huffman=4:1|5:1|6:1", 3},
		{"empty strings", reflect.TypeFor[map[string]uint8](), "maxlen=1000,key.maxlen=0", 1},
		{"strings of a byte", reflect.TypeFor[map[string]uint8](), "maxlen=1000,key.maxlen=1", 128},
		{"strings of two", reflect.TypeFor[map[string]uint8](), "maxlen=1000000,key.maxlen=2", 1 + 127 + 127*127 + 0x800 - 0x80},
		{"any bytes", reflect.TypeFor[map[string]uint8](), "maxlen=1000,key.kind=bytes,key.maxlen=1", 257},
		{"any byte", reflect.TypeFor[map[string]uint8](), "maxlen=1000,key.kind=bytes,key.maxlen=1,key.minlen=1", 256},
		{"long strings", reflect.TypeFor[map[string]uint8](), "maxlen=2147483647,key.kind=bytes,key.maxlen=2147483647,key.minlen=2147483647", 1<<31 - 1},
		{"UTF-16", reflect.TypeFor[map[string]uint8](), "maxlen=1000000,key.kind=wstring,key.maxlen=1", 1 + 0xFFFF - 0x800},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pl, err := typecache.Of(structOf(1, func(int) (reflect.Type, string) { return tt.typ, tt.tag }))
			require.NoError(t, err)
			op := sealed.PlanOf(pl).Ops[0]
			require.Equal(t, plan.CodeMap, op.Code)
			require.Equal(t, tt.most, int(op.Bias+op.Span))
			slice, err := typecache.Of(structOf(1, func(int) (reflect.Type, string) {
				most := 0
				_, err := fmt.Sscanf(tt.tag, "maxlen=%d", &most)
				require.NoError(t, err)
				return reflect.TypeFor[[]uint16](), fmt.Sprintf("maxlen=%d", most)
			}))
			require.NoError(t, err)
			require.Equal(t, sealed.PlanOf(slice).Ops[0].Bits, op.Bits, "the count is as wide as it is for any elements")
			if tt.most < 1000 && tt.name != "fewer than there are keys" {
				require.Contains(t, pl.Text(), fmt.Sprintf("map 0..%d\n", sealed.PlanOf(slice).Ops[0].Span), "the wire has maxlen")
			}
		})
	}
}

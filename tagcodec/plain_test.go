package tagcodec

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/typecache"
)

type (
	gauge struct{ N uint8 }
	dial  struct{ N uint8 }
	stamp struct{ X uint8 }

	// gauges has two methods of one name in its embedded structs, and so none.
	gauges struct {
		gauge
		dial
	}
	stamped struct {
		stamp `bp:"binary,maxlen=3"`
	}
	detail struct {
		A, B  uint8
		local int
	}
	endless  struct{ Next *endless }
	detailed struct {
		On     bool
		detail `bp:"if=On"`
	}
)

func (g *gauge) Serialize(s *bits.Stream) error {
	bits.Bits(s, &g.N, 5)
	return s.Err()
}

func (d *dial) Serialize(s *bits.Stream) error {
	bits.Bits(s, &d.N, 5)
	return s.Err()
}

func (s *stamp) MarshalBinary() ([]byte, error) { return []byte{s.X, s.X}, nil }

func (s *stamp) UnmarshalBinary(form []byte) error {
	s.X = form[0]
	return nil
}

// Reflect does not call the methods of an embedded struct that is not exported.
// The plan of such a type is refused where there is nothing but reflect, by
// every call.
func TestMethodsOfEmbedded(t *testing.T) {
	for _, row := range []struct {
		value any
		data  []byte
		field string
	}{
		{&gauges{gauge{3}, dial{4}}, []byte{0x83, 0}, "gauges.gauge: the methods of tagcodec.gauge"},
		{&stamped{stamp{9}}, []byte{2, 9, 9}, "stamped.stamp: the methods of tagcodec.stamp"},
	} {
		typ := reflect.TypeOf(row.value).Elem()
		into := reflect.New(typ)
		data, err := Marshal(row.value)
		if pure {
			var refused *typecache.Error
			require.ErrorAs(t, err, &refused)
			require.Equal(t, typ, refused.Type)
			require.EqualError(t, err, "typecache: "+row.field+" cannot be called with the build tag purego, as it is embedded and not exported: export it, or make it a field with a name")
			require.Equal(t, err, Unmarshal(row.data, into.Interface()))
			_, maxErr := MaxSize(row.value)
			require.Equal(t, err, maxErr)
			_, sizeErr := Size(row.value)
			require.Equal(t, err, sizeErr)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, row.data, data)
		require.NoError(t, Unmarshal(data, into.Interface()))
		require.Equal(t, row.value, into.Interface())

		plan, err := typecache.Of(typ)
		require.NoError(t, err)
		data, err = plainEncode(&defaults, plan, into.Elem(), nil)
		require.NoError(t, err)
		require.Equal(t, row.data, data)
		into.Elem().SetZero()
		require.NoError(t, plainUnmarshal(&defaults, plan, into.Elem(), data))
		require.Equal(t, row.value, into.Interface())
	}
	_, err := For[gauges]()
	require.Equal(t, pure, err != nil)
	_, err = For[gauges](WithUnion[any](point{}))
	require.Equal(t, pure, err != nil)
}

// What the condition of an embedded struct takes from the wire is zero without
// it. What never is on the wire reflect cannot reach.
func TestConditionOfEmbedded(t *testing.T) {
	v := detailed{true, detail{1, 2, 3}}
	require.NoError(t, Unmarshal([]byte{0}, &v))
	local := 0
	if pure {
		local = 3
	}
	require.Equal(t, detailed{false, detail{0, 0, local}}, v)
}

// The plain interpreter nests no deeper than its stack can bear, whatever
// WithMaxDepth allows.
func TestPlainDepth(t *testing.T) {
	plan, err := typecache.Of(reflect.TypeFor[endless]())
	require.NoError(t, err)
	c := newConfig([]Option{WithMaxDepth(1 << 30)})
	deep := bytes.Repeat([]byte{0xFF}, 1<<20)
	err = plainUnmarshal(&c, plan, reflect.New(plan.Type).Elem(), deep)
	require.ErrorIs(t, err, ErrDepth)
	require.ErrorContains(t, err, "nested too deeply: 65537 is outside [0, 65536]")

	ring := new(endless)
	ring.Next = ring
	_, err = plainEncode(&c, plan, reflect.ValueOf(ring).Elem(), nil)
	require.ErrorIs(t, err, ErrDepth)
}

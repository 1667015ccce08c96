package enginetest

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
	"github.com/gobitpack/bitpack/typecache"
)

type (
	gauge struct{ N uint8 }
	dial  struct{ N uint8 }
	stamp struct{ X uint8 }

	// gauges promotes no Serialize method, because two embedded structs have
	// one.
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

// Reflect cannot call the methods of an unexported embedded struct. With the
// build tag purego, every function refuses such a type.
func TestMethodsOfEmbedded(t *testing.T) {
	for _, row := range []struct {
		value any
		data  []byte
		field string
	}{
		{&gauges{gauge{3}, dial{4}}, []byte{0x83, 0}, "gauges.gauge: the methods of enginetest.gauge"},
		{&stamped{stamp{9}}, []byte{2, 9, 9}, "stamped.stamp: the methods of enginetest.stamp"},
	} {
		typ := reflect.TypeOf(row.value).Elem()
		into := reflect.New(typ)
		data, err := tagcodec.Marshal(row.value)
		if pure {
			var refused *typecache.Error
			require.ErrorAs(t, err, &refused)
			require.Equal(t, typ, refused.Type)
			require.EqualError(t, err, "tagcodec: "+row.field+" cannot be called with the build tag purego, as it is embedded and not exported: export it, or make it a field with a name")
			require.Equal(t, err, tagcodec.Unmarshal(row.data, into.Interface()))
			_, maxErr := tagcodec.MaxSize(row.value)
			require.Equal(t, err, maxErr)
			_, sizeErr := tagcodec.Size(row.value)
			require.Equal(t, err, sizeErr)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, row.data, data)
		require.NoError(t, tagcodec.Unmarshal(data, into.Interface()))
		require.Equal(t, row.value, into.Interface())

		plan, err := typecache.Of(typ)
		require.NoError(t, err)
		data, err = reference.Encode(standard, sealed.PlanOf(plan), into.Elem(), nil)
		require.NoError(t, err)
		require.Equal(t, row.data, data)
		into.Elem().SetZero()
		require.NoError(t, referenceUnmarshal(standard, sealed.PlanOf(plan), into.Elem(), data))
		require.Equal(t, row.value, into.Interface())
	}
	_, err := tagcodec.For[gauges]()
	require.Equal(t, pure, err != nil)
	_, err = tagcodec.For[gauges](tagcodec.WithUnion[any](point{}))
	require.Equal(t, pure, err != nil)
}

// When an embedded struct is absent, its exported fields become zero. Reflect
// cannot reach its other fields.
func TestConditionOfEmbedded(t *testing.T) {
	v := detailed{true, detail{1, 2, 3}}
	require.NoError(t, tagcodec.Unmarshal([]byte{0}, &v))
	local := 0
	if pure {
		local = 3
	}
	require.Equal(t, detailed{false, detail{0, 0, local}}, v)
}

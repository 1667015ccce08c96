package enginetest

import (
	"bytes"
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
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
			require.EqualError(t, err, "typecache: "+row.field+" cannot be called with the build tag purego, as it is embedded and not exported: export it, or make it a field with a name")
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
		data, err = reference.Encode(standard, plan.Data(), into.Elem(), nil)
		require.NoError(t, err)
		require.Equal(t, row.data, data)
		into.Elem().SetZero()
		require.NoError(t, referenceUnmarshal(standard, plan.Data(), into.Elem(), data))
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

// Floats without a code: in a long array, in an optional value, in a scale and
// in a matrix. The reference interpreter must refuse them as Marshal does.
func TestFloatsWithoutCode(t *testing.T) {
	type (
		singles struct {
			A [20]float32 `bp:"float,min=-1,max=1,res=0.1"`
		}
		doubles struct {
			A []float64 `bp:"float,min=-1,max=1,res=0.1,maxlen=31"`
		}
		angles struct {
			A [20]float32 `bp:"angle,bits=7"`
		}
		maybe struct {
			A float64 `bp:"float,min=-1,max=1,res=0.1,optional"`
		}
		body struct {
			A transform `bp:"affine"`
		}
		matrix struct {
			A [4][4]float32 `bp:"affine"`
		}
	)
	nan, inf := math.NaN(), math.Inf(1)
	for _, row := range []struct {
		value any
		text  string
	}{
		{singles{[20]float32{17: float32(nan), 18: float32(inf)}}, "singles.A[17] at bit 85: value out of range: NaN"},
		{doubles{[]float64{19: -inf, 20: nan}}, "doubles.A[19] at bit 100: value out of range: -Inf"},
		{angles{[20]float32{19: float32(inf)}}, "angles.A[19] at bit 133: value out of range: +Inf"},
		{maybe{nan}, "maybe.A at bit 1: value out of range: NaN"},
		{body{transform{Rotation: quaternion{W: 1}, Scale: [3]float32{2, float32(nan), 2}}}, "body.A.Scale at bit 62: value out of range: NaN"},
		{matrix{}, "matrix.A at bit 0: value out of range: matrix element 15 is 0; it must be 1 in an affine matrix"},
		{matrix{[4][4]float32{{1, 0, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}},
			"matrix.A at bit 0: value out of range: the matrix has a shear, which an Affine cannot represent"},
	} {
		plan, err := typecache.Of(reflect.TypeOf(row.value))
		require.NoError(t, err)
		_, err = tagcodec.Marshal(row.value)
		require.EqualError(t, err, "tagcodec: marshal "+row.text)
		require.ErrorIs(t, err, tagcodec.ErrRange)
		_, want := reference.Encode(standard, plan.Data(), addressable(reflect.ValueOf(row.value)), nil)
		sameError(t, want, err, row.text)
	}
}

// With brief errors, the reference interpreter returns the same sentinels.
func TestReferenceBriefErrors(t *testing.T) {
	c := settingsWith(tagcodec.WithBriefErrors())
	for _, row := range []struct {
		into any
		data []byte
		want error
	}{
		{new(point), []byte{0xFF, 0xFF, 0xFF}, tagcodec.ErrRange},
		{new(point), []byte{0xFF}, tagcodec.ErrOverread},
		{new(texts), []byte{1, 0xFF}, tagcodec.ErrText},
		{new(aligned), []byte{0xFE}, tagcodec.ErrPadding},
		{new(endless), bytes.Repeat([]byte{0xFF}, 1000), tagcodec.ErrDepth},
	} {
		plan, err := typecache.Of(reflect.TypeOf(row.into).Elem())
		require.NoError(t, err)
		require.Equal(t, row.want, engine.Unmarshal(&c, plan.Data(), engine.VariableTo(reflect.ValueOf(row.into)), row.data))
		require.Equal(t, row.want, referenceUnmarshal(&c, plan.Data(), reflect.New(plan.Type()).Elem(), row.data))
	}
	// Brief errors apply only to decoding, so encoding returns a full error.
	plan, err := typecache.Of(reflect.TypeFor[point]())
	require.NoError(t, err)
	_, err = reference.Encode(&c, plan.Data(), reflect.ValueOf(&point{X: 301}).Elem(), nil)
	require.EqualError(t, err, "tagcodec: marshal point.X at bit 0: value out of range: 301 is outside [-300, 300]")
}

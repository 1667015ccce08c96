package tagcodec_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

type (
	checkedHit struct {
		Damage uint8
		_      struct{} `bp:"check"`
	}
	checkedEvent  interface{ event() }
	checkedCustom struct{ Inner checkedHit }
	checkedAll    struct {
		A     uint8
		_     struct{} `bp:"check,value=7"`
		On    bool
		_     struct{}     `bp:"check,if=On"`
		Hits  []checkedHit `bp:"maxlen=3"`
		Event checkedEvent `bp:"union"`
		Own   checkedCustom
		_     struct{} `bp:"check"`
	}
	uncheckedHit    struct{ Damage uint8 }
	uncheckedCustom struct{ Inner uncheckedHit }
	uncheckedAll    struct {
		A     uint8
		On    bool
		Hits  []uncheckedHit `bp:"maxlen=3"`
		Event checkedEvent   `bp:"union"`
		Own   uncheckedCustom
	}
)

func (checkedHit) event()   {}
func (uncheckedHit) event() {}

func (v *checkedCustom) Serialize(s *bits.Stream) error   { return tagcodec.Serialize(s, &v.Inner) }
func (v *uncheckedCustom) Serialize(s *bits.Stream) error { return tagcodec.Serialize(s, &v.Inner) }

// TestWithoutChecks requires that messages without checks are those of a type
// that never had any: in a condition, in elements, in members of unions and in
// values that serialize themselves.
func TestWithoutChecks(t *testing.T) {
	codec := tagcodec.MustFor[checkedAll](tagcodec.WithoutChecks(), tagcodec.WithUnion[checkedEvent](checkedHit{}))
	same := tagcodec.MustFor[uncheckedAll](tagcodec.WithUnion[checkedEvent](uncheckedHit{}))
	checked := tagcodec.MustFor[checkedAll](tagcodec.WithUnion[checkedEvent](checkedHit{}))
	for _, on := range []bool{false, true} {
		v := checkedAll{A: 1, On: on, Hits: []checkedHit{{Damage: 2}, {Damage: 3}}, Event: checkedHit{Damage: 4}, Own: checkedCustom{checkedHit{Damage: 5}}}
		data, err := codec.Append(nil, &v)
		require.NoError(t, err)
		want, err := same.Append(nil, &uncheckedAll{1, on, []uncheckedHit{{2}, {3}}, uncheckedHit{4}, uncheckedCustom{uncheckedHit{5}}})
		require.NoError(t, err)
		require.Equal(t, want, data)

		var back checkedAll
		require.NoError(t, codec.Unmarshal(data, &back))
		require.Equal(t, v, back)
		require.ErrorIs(t, checked.Unmarshal(data, new(checkedAll)), tagcodec.ErrCheck)
	}
	require.Equal(t, same.MaxBits(), codec.MaxBits())
	require.NotEqual(t, checked.Hash(), codec.Hash())

	plain := tagcodec.MustFor[uncheckedHit]()
	require.Equal(t, plain.Hash(), tagcodec.MustFor[checkedHit](tagcodec.WithoutChecks()).Hash())
	require.Equal(t, plain.Hash(), tagcodec.MustFor[uncheckedHit](tagcodec.WithoutChecks()).Hash())

	panics := "tagcodec: With: the unions and checks of a codec cannot be changed: give them to For"
	require.PanicsWithValue(t, panics, func() { plain.With(tagcodec.WithoutChecks()) })
	require.PanicsWithValue(t, panics, func() { checked.With(tagcodec.WithoutChecks()) })
	require.NotPanics(t, func() { codec.With(tagcodec.WithoutChecks()) })
}

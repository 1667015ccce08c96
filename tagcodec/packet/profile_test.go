package packet

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
)

type profileInner[T any] struct {
	Cells [2][3]T        `bp:"int,min=0,max=7"`
	Names map[string]int `bp:"maxlen=3,key.maxlen=20,elem.min=0,elem.max=15"`
}

// TestProfile requires the exact bits of each field.
func TestProfile(t *testing.T) {
	p, err := New(Config{Application: "test"}, Of[profileInner[uint8]](), Of[snapshot]())
	require.NoError(t, err)
	f := p.NewProfile()
	require.Empty(t, f.Fields())
	require.Empty(t, f.String())
	inner := profileInner[uint8]{Names: map[string]int{`a].b[0]"`: 1, "[": 2}}
	require.NoError(t, f.Add(&inner))
	require.NoError(t, f.Add(Tracked{inner, 1}))
	bits := map[string]int64{}
	total, share := int64(0), 0.0
	for _, s := range f.Fields() {
		require.Equal(t, typeOf(inner), s.Type)
		require.Equal(t, int64(2), s.Packets)
		bits[s.Field] = s.Bits
		total += s.Bits
		share += s.Share
	}
	message, err := tagcodec.MustFor[profileInner[uint8]]().Append(nil, &inner)
	require.NoError(t, err)
	require.Equal(t, int64(2*6*3), bits["Cells[][]"])
	require.Equal(t, len(message), (int(total)/2+7)/8)
	require.InDelta(t, 1, share, 1e-9)
	for field := range bits {
		require.Contains(t, []string{"Cells[][]", "Names", "Names[]"}, strings.TrimSuffix(field, ".Key"), "%q", field)
	}

	require.NoError(t, f.Add(snapshot{Bodies: make([]body, 3)}))
	fields := f.Fields()
	require.Equal(t, typeOf(inner), fields[0].Type)
	require.Equal(t, FieldStats{typeOf(snapshot{}), 1, tagcodec.FieldStats{Field: "Bodies[].Position[]", Bits: 3 * 2 * 13, Share: 78.0 / (32 + 6 + 78 + 3 + 3*2*9),
		Values: fields[1].Values}}, fields[1])
	require.Contains(t, f.String(), "snapshot: 1 message\n")
	require.Less(t, strings.Index(f.String(), "Position"), strings.Index(f.String(), "AtRest"))

	require.ErrorIs(t, f.Add(chat{}), ErrUnknownType)
	require.ErrorIs(t, f.Add(nil), ErrUnknownType)
	require.ErrorIs(t, f.Add(snapshot{Bodies: make([]body, 41)}), ErrInvalid)
	require.ErrorIs(t, f.Add((*snapshot)(nil)), ErrInvalid)
	require.Equal(t, fields, f.Fields())
}

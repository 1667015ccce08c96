package vectors_test

import (
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec/internal/vectors"
	"github.com/stretchr/testify/require"
)

// games are the game messages. Their type names are those in the vectors.
var games = []bits.Serializer{&PacketA{}, &PacketB{}, &PacketC{}, &RigidBody{}, &PlayerState{}, &Scene{}, &Character{},
	&BenchPacket{}, &EntityUpdates{}, &ConnectRequest{}, &FixedState{}, &ChatMessage{}, &EventStream{}}

func TestStructs(t *testing.T) {
	vectors.Each(t, func(t *testing.T, set *vectors.Set) {
		types := map[string]reflect.Type{}
		for _, g := range games {
			g := reflect.TypeOf(g).Elem()
			types[g.Name()] = g
		}
		tested := 0
		var skipped []string
		for _, st := range set.Structs {
			typ, ok := types[st.Name]
			if !ok {
				skipped = append(skipped, st.Name)
				continue
			}
			for i, in := range st.Instances {
				game := func() bits.Serializer { return reflect.New(typ).Interface().(bits.Serializer) }
				value, want := game(), game()
				in.Fields.Fill(value, false)
				in.Fields.Fill(want, true)
				testGame(t, in, value, want, game, st.Name, i)
				tested++
			}
		}
		report(t, tested, skipped)
	})
}

// testGame writes, measures and reads one instance, and reads truncated bytes.
func testGame(t *testing.T, in vectors.Instance, value, want bits.Serializer, game func() bits.Serializer, name string, i int) {
	t.Helper()
	w, m := bits.NewAppendWriter(nil), bits.NewMeasurer()
	require.NoError(t, value.Serialize(bits.NewWriteStream(w)), "%s %d", name, i)
	require.Equal(t, in.Bytes, w.Bytes(), "%s %d", name, i)
	require.Equal(t, in.Bits, w.Bit(), "%s %d", name, i)
	require.NoError(t, value.Serialize(bits.NewWriteStream(m)))
	require.Equal(t, in.Bits, m.Bit(), "%s %d: measured", name, i)
	require.LessOrEqual(t, m.Bit(), in.MeasureBits)

	got := game()
	r := bits.NewReader(cut(in.Bytes, len(in.Bytes)))
	require.NoError(t, got.Serialize(bits.NewReadStream(r)), "%s %d", name, i)
	require.NoError(t, r.Finish(), "%s %d", name, i)
	require.Equal(t, vectors.Dump(want), vectors.Dump(got), "%s %d", name, i)
	for n := range in.Bytes {
		r := bits.NewReader(cut(in.Bytes, n))
		require.ErrorIs(t, game().Serialize(bits.NewReadStream(r)), bits.ErrOverread, "%s %d: %d of %d bytes", name, i, n, len(in.Bytes))
	}
}

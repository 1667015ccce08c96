package generated

import (
	"math/rand/v2"
	"testing"

	"github.com/gobitpack/bitpack/bench/values"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

// same checks that T, which has generated code, writes random values as V does,
// which has none.
func same[T, V any](t *testing.T, convert func(*V) *T) {
	codec, plain := tagcodec.MustFor[T](), tagcodec.MustFor[V]()
	require.NotNil(t, sealed.PlanOf(codec.Plan()).Generated(), "run go generate")
	require.Nil(t, sealed.PlanOf(plain.Plan()).Generated())
	random := rand.New(rand.NewPCG(1, 2))
	var got T
	for range 100 {
		v := values.Random[V](random)
		want, err := plain.Append(nil, &v)
		require.NoError(t, err)
		data, err := codec.Append(nil, convert(&v))
		require.NoError(t, err)
		require.Equal(t, want, data)
		require.NoError(t, codec.Unmarshal(data, &got))
		data, err = codec.Append(nil, &got)
		require.NoError(t, err)
		require.Equal(t, want, data)
	}
}

func TestSame(t *testing.T) {
	same(t, func(v *values.Packet) *Packet { return (*Packet)(v) })
	same(t, func(v *values.Frame) *Frame { return (*Frame)(v) })
	same(t, func(v *values.Mixed) *Mixed { return (*Mixed)(v) })
	same(t, func(v *values.Ints) *Ints { return (*Ints)(v) })
	same(t, func(v *values.Snapshot) *Snapshot { return (*Snapshot)(v) })
	same(t, func(v *values.RealPacket) *RealPacket { return (*RealPacket)(v) })
	same(t, func(v *values.ShipCreate) *ShipCreate { return (*ShipCreate)(v) })
}

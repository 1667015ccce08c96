package genrt_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/genrt"
)

func typeFor[T any]() reflect.Type { return reflect.TypeFor[T]() }

// Embedding gives a type that is local to a function the method of a member.
type member struct{}

func (member) note() {}

// notes is the code of noted, which writes A and leaves N to the engine.
var notes genrt.Code[noted]

func appendNoted(c genrt.Settings, v *noted, dst []byte) ([]byte, uint, bool) {
	buf := genrt.Room(dst, 8, 1, 100, 32)
	start := len(dst)
	buf, pos, w, n, ok := genrt.AppendPart(&notes, 0, c, v, buf, start, start, uint64(v.A), 8)
	if !ok {
		return nil, 0, false
	}
	return genrt.Close(buf, pos, w, n), -n & 7, true
}

func readNoted(c genrt.Settings, v *noted, data []byte, _ int) (int, bool) {
	if len(data) < 1 {
		return 0, false
	}
	v.A = data[0]
	bit := genrt.ReadPart(&notes, 0, c, v, data, 8, 0)
	return bit, bit >= 0
}

// Two codecs have unions whose members have equal names and tags, but are not the
// same types. Each codec reads its own.
func TestUnionsOfEqualNames(t *testing.T) {
	type hit struct {
		member
		Damage uint16
	}
	first := tagcodec.WithUnion[note](hit{})
	want := []any{noted{A: 1, N: hit{Damage: 7}}}
	var codecs []*tagcodec.Codec[noted]
	{
		codec := tagcodec.MustFor[noted](first)
		print := sealed.PlanOf(codec.Plan()).Fingerprint()
		notes.Register(print, appendNoted, readNoted, genrt.Part{1, 2})
		codecs = append(codecs, tagcodec.MustFor[noted](first))
		require.NotNil(t, sealed.PlanOf(codecs[0].Plan()).Generated())
	}
	{
		type hit struct {
			member
			Skipped [9]uint64 `bp:"-"`
			Damage  uint16
		}
		codecs = append(codecs, tagcodec.MustFor[noted](tagcodec.WithUnion[note](hit{})))
		want = append(want, noted{A: 1, N: hit{Damage: 7}})
	}
	require.Equal(t, codecs[0].Hash(), codecs[1].Hash())
	for i, codec := range codecs {
		v := want[i].(noted)
		data, err := codec.Append(nil, &v)
		require.NoError(t, err)
		var back noted
		require.NoError(t, codec.Unmarshal(data, &back))
		require.Equal(t, want[i], back)
	}
}

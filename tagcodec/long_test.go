package tagcodec_test

import (
	"strconv"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

// own has one value in 7 bits.
type own struct{ N uint8 }

func (o *own) Serialize(s *bits.Stream) error {
	bits.Int(s, &o.N, 0, 127)
	return s.Err()
}

// On 32-bit machines the bits of a message of 256 MiB do not fit in an int. Such a
// message is an error, and a buffer of that size that holds other data is not.
func TestMessageIsTooLong(t *testing.T) {
	if strconv.IntSize > 32 {
		t.Skip("takes 600 MB, and more bits than an int of 32 bits can count")
	}
	type long struct {
		Many []byte `bp:"maxlen=0x7fffffff"`
	}
	type longAndOwn struct {
		Many []byte `bp:"maxlen=0x7fffffff"`
		Own  own
	}
	type short struct{ Own own }
	many := make([]byte, 1<<28)
	_, err := tagcodec.Append(nil, &long{Many: many})
	require.ErrorIs(t, err, bits.ErrOverflow)
	_, err = tagcodec.Append(nil, &longAndOwn{Many: many})
	require.ErrorIs(t, err, bits.ErrOverflow)

	out, err := tagcodec.Append(many, &short{Own: own{99}})
	require.NoError(t, err)
	require.Equal(t, []byte{99}, out[len(many):])
	_, err = tagcodec.Append(nil, &long{Many: many[:1<<28-100]})
	require.NoError(t, err)
}

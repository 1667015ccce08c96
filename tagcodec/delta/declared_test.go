package delta_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/delta"
	"github.com/gobitpack/bitpack/typecache"
)

// undeclared serializes itself in 3 to 59 bits. narrow declares up to 19 of them,
// and wide all.
type (
	undeclared struct{ Turns []uint8 }
	narrow     struct{ undeclared }
	wide       struct{ undeclared }
)

func (v *undeclared) Serialize(s *bits.Stream) error {
	tagcodec.Field(s, &v.Turns, "uint,bits=8,maxlen=7")
	return s.Err()
}

func (*narrow) MaxBits() int { return 3 + 2*8 }
func (*wide) MaxBits() int   { return 3 + 7*8 }

type holding[T any] struct {
	ID    uint32
	Route T
	Noise [16]uint32
}

// A delta codec of a type that declares its maximum has a maximum, and no value
// above it is sent or taken.
func TestDeclaredMaximum(t *testing.T) {
	require.Equal(t, typecache.Unbounded, delta.MustFor[holding[undeclared]]().MaxBits())
	small, large := delta.MustFor[holding[narrow]](), delta.MustFor[holding[wide]]()
	require.Equal(t, 5*8, large.MaxBits()-small.MaxBits())
	require.Less(t, large.MaxBits(), 1000)

	long := undeclared{[]uint8{1, 2, 3}}
	_, err := small.Quantize(&holding[narrow]{Route: narrow{long}}, nil)
	require.ErrorIs(t, err, tagcodec.ErrLength)

	before, err := large.Quantize(&holding[wide]{}, nil)
	require.NoError(t, err)
	base, err := small.Quantize(&holding[narrow]{}, nil)
	require.NoError(t, err)
	refs := delta.Refs{Tick: 2, Base: delta.Ref{Tick: 1, Image: before}}
	for turns, want := range []error{nil, nil, nil, tagcodec.ErrLength} {
		after, err := large.Quantize(&holding[wide]{Route: wide{undeclared{long.Turns[:turns]}}}, nil)
		require.NoError(t, err)
		message, err := large.Append(nil, after, refs)
		require.NoError(t, err)
		require.Less(t, len(message), 20, "it is a delta")
		image, err := small.Read(message, delta.Refs{Tick: 2, Base: delta.Ref{Tick: 1, Image: base}}, nil)
		require.ErrorIs(t, err, want)
		if want == nil {
			var v holding[narrow]
			require.NoError(t, small.Restore(image, &v))
			require.Equal(t, long.Turns[:turns], append([]uint8{}, v.Route.Turns...))
		}
	}
}

// octet serializes itself in whole bytes.
type octet struct{ V uint8 }

func (v *octet) Serialize(s *bits.Stream) error {
	bits.Bits(s, &v.V, 8)
	return s.Err()
}

func (*octet) MaxBits() int { return 8 }

// A value without unused bits in its last byte is sent in a delta.
func TestDeclaredWholeBytes(t *testing.T) {
	c := delta.MustFor[holding[octet]]()
	before, err := c.Quantize(&holding[octet]{}, nil)
	require.NoError(t, err)
	after, err := c.Quantize(&holding[octet]{Route: octet{7}}, nil)
	require.NoError(t, err)
	refs := delta.Refs{Tick: 2, Base: delta.Ref{Tick: 1, Image: before}}
	message, err := c.Append(nil, after, refs)
	require.NoError(t, err)
	image, err := c.Read(message, refs, nil)
	require.NoError(t, err)
	var v holding[octet]
	require.NoError(t, c.Restore(image, &v))
	require.Equal(t, octet{7}, v.Route)
}

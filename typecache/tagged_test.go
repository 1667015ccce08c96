package typecache

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/errtext"
)

func accepted(*Plan) error { return nil }

// A tag and a type have one plan, which is found without an allocation. A program
// that makes tags does not fill the memory.
func TestTaggedPlansAreBounded(t *testing.T) {
	o := Options{}.WithoutChecks()
	number := reflect.TypeFor[uint32]()
	first, err := o.Tagged(number, "int,min=0,max=9", accepted)
	require.NoError(t, err)
	require.Equal(t, 4, first.MaxBits())
	again, err := o.Tagged(number, "int,min=0,max=9", func(*Plan) error { panic("called for a cached plan") })
	require.NoError(t, err)
	require.Same(t, first, again)
	require.Zero(t, testing.AllocsPerRun(10, func() { _, _ = o.Tagged(number, "int,min=0,max=9", accepted) }))
	other, err := o.Tagged(reflect.TypeFor[uint8](), "int,min=0,max=9", accepted)
	require.NoError(t, err)
	require.NotSame(t, first, other)
	elsewhere, err := Options{}.Tagged(number, "int,min=0,max=9", accepted)
	require.NoError(t, err)
	require.NotSame(t, first, elsewhere)

	for i := range 2*maxTagged + 10 {
		_, err := o.Tagged(number, fmt.Sprintf("int,min=0,max=%d", i), accepted)
		require.NoError(t, err)
		require.LessOrEqual(t, len(*o.cache.tagged.byTag.Load()), maxTagged)
	}
	require.Greater(t, len(*o.cache.tagged.byTag.Load()), 1)
}

// Errors are not cached: a type may be registered later.
func TestTaggedErrorsAreNotCached(t *testing.T) {
	var o Options
	refused := errtext.New("refused")
	_, err := o.Tagged(reflect.TypeFor[uint32](), "varint", func(*Plan) error { return refused })
	require.Equal(t, refused, err)
	_, err = o.Tagged(reflect.TypeFor[uint32](), "varint", accepted)
	require.NoError(t, err)
	union := reflect.TypeFor[fmt.Stringer]()
	_, err = o.Tagged(union, "union", accepted)
	require.ErrorContains(t, err, "no types are registered")
	Register(union, reflect.TypeFor[reflect.Kind]())
	_, err = o.Tagged(union, "union", accepted)
	require.NoError(t, err)
}

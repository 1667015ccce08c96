package typecache

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/errtext"
	"github.com/gobitpack/bitpack/internal/plan"
)

func accepted(*plan.Plan) error { return nil }

// A tag and a type have one plan, which is found without an allocation. A program
// that makes tags does not fill the memory.
func TestTaggedPlansAreBounded(t *testing.T) {
	r := NewRegistry()
	number := reflect.TypeFor[uint32]()
	first, err := TaggedDataOf(r, number, "int,min=0,max=9", accepted)
	require.NoError(t, err)
	require.Equal(t, 4, first.MaxBits)
	again, err := TaggedDataOf(r, number, "int,min=0,max=9", func(*plan.Plan) error { panic("called for a cached plan") })
	require.NoError(t, err)
	require.Same(t, first, again)
	require.Zero(t, testing.AllocsPerRun(10, func() { _, _ = TaggedDataOf(r, number, "int,min=0,max=9", accepted) }))
	other, err := TaggedDataOf(r, reflect.TypeFor[uint8](), "int,min=0,max=9", accepted)
	require.NoError(t, err)
	require.NotSame(t, first, other)
	elsewhere, err := TaggedDataOf(nil, number, "int,min=0,max=9", accepted)
	require.NoError(t, err)
	require.NotSame(t, first, elsewhere)

	for i := range 2*maxTagged + 10 {
		_, err := TaggedDataOf(r, number, fmt.Sprintf("int,min=0,max=%d", i), accepted)
		require.NoError(t, err)
		require.LessOrEqual(t, len(*r.tagged.byTag.Load()), maxTagged)
	}
	require.Greater(t, len(*r.tagged.byTag.Load()), 1)
}

// Errors are not cached: a type may be registered later.
func TestTaggedErrorsAreNotCached(t *testing.T) {
	r := NewRegistry()
	refused := errtext.New("refused")
	_, err := TaggedDataOf(r, reflect.TypeFor[uint32](), "varint", func(*plan.Plan) error { return refused })
	require.Equal(t, refused, err)
	_, err = TaggedDataOf(r, reflect.TypeFor[uint32](), "varint", accepted)
	require.NoError(t, err)
	union := reflect.TypeFor[fmt.Stringer]()
	_, err = TaggedDataOf(r, union, "union", accepted)
	require.ErrorContains(t, err, "no types are registered")
	r.Register(union, reflect.TypeFor[reflect.Kind]())
	_, err = TaggedDataOf(r, union, "union", accepted)
	require.NoError(t, err)
}

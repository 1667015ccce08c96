package enginetest

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
	"github.com/gobitpack/bitpack/typecache"
)

// Types that contain themselves, through blocks of each kind that a message can
// open many times with few bits.
type (
	endless struct{ Next *endless }
	choice  any
	chosen  struct {
		Next choice `bp:"union"`
	}
	thinned struct {
		Kids [2]*thinned `bp:"subset=bitmap"`
	}
	posed struct {
		At   [16]float32 `bp:"affine"`
		Next *posed
	}
	// thicket and gallery each add a block, so that the subset or matrix is at
	// the limit.
	thicket struct{ In *thinned }
	gallery struct{ In *posed }
)

func init() { tagcodec.RegisterUnion[choice](&chosen{}) }

// bottomless is a value that contains itself, and the start of its message.
type bottomless struct {
	ring any
	data []byte
	path string // path of the first value deeper than 2
	end  string // end of the path where the reference interpreter stops
}

// allBottomless returns values that contain themselves, and messages of more than the
// given number of levels.
func allBottomless(levels int) []bottomless {
	ring, choices, thin := new(endless), new(chosen), new(thinned)
	ring.Next, choices.Next, thin.Kids[0] = ring, choices, thin
	at := &posed{At: [16]float32{0: 1, 5: 1, 10: 1, 15: 1}}
	at.Next = at
	w := bits.NewAppendWriter(nil)
	w.WriteBool(true)
	for range levels {
		w.WriteUint128(bits.Uint128{}, bits.Uint128{}, bits.Uint128{Lo: 1<<64 - 1, Hi: 1<<64 - 1})
		w.WriteBits(0, 64)
		w.WriteFloat32(1)
		w.WriteBool(true) // the scale is 1
		w.WriteBool(true) // the next pointer is non-nil
	}
	ones := bytes.Repeat([]byte{0xFF}, levels)
	return []bottomless{
		{ring, ones, "endless.Next.Next", ".Next.Next"},
		{choices, ones, "chosen.Next.Next.Next", ".Next.Next"},
		{&thicket{thin}, ones, "thicket.In.Kids[0].Kids[0]", "].Kids"},
		{&gallery{at}, w.Bytes(), "gallery.In.Next.Next", ".Next.At"},
	}
}

// TestDepthOfBlocks nests values more deeply than a codec accepts.
func TestDepthOfBlocks(t *testing.T) {
	c := settingsWith(tagcodec.WithMaxDepth(2))
	for _, row := range allBottomless(100) {
		typ := reflect.TypeOf(row.ring).Elem()
		plan, err := typecache.Of(typ)
		require.NoError(t, err)

		_, want := reference.Encode(&c, sealed.PlanOf(plan), reflect.ValueOf(row.ring).Elem(), nil)
		require.ErrorContains(t, want, "tagcodec: marshal "+row.path+" at bit ")
		require.ErrorContains(t, want, ": nested too deeply: 3 is outside [0, 2]")
		_, err = engine.Encode(&c, sealed.PlanOf(plan), engine.VariableTo(reflect.ValueOf(row.ring)), nil)
		sameError(t, want, err, typ.Name())

		want = referenceUnmarshal(&c, sealed.PlanOf(plan), reflect.New(typ).Elem(), row.data)
		require.ErrorContains(t, want, "tagcodec: unmarshal "+row.path+" at bit ")
		require.ErrorContains(t, want, ": nested too deeply: 3 is outside [0, 2]")
		sameError(t, want, engine.Unmarshal(&c, sealed.PlanOf(plan), engine.VariableTo(reflect.New(typ)), row.data), typ.Name())
	}
}

// The reference interpreter limits nesting to protect the stack, whatever
// WithMaxDepth allows.
func TestReferenceDepth(t *testing.T) {
	c := settingsWith(tagcodec.WithMaxDepth(1 << 30))
	levels := core.MaxStackLevels // and this many fit on the stack
	if effort.Factor() == 1 {
		levels = 100
	}
	c.StackLevels = core.MaxStackLevels - levels
	for _, row := range allBottomless(2 * levels) {
		typ := reflect.TypeOf(row.ring).Elem()
		plan, err := typecache.Of(typ)
		require.NoError(t, err)
		_, written := reference.Encode(&c, sealed.PlanOf(plan), reflect.ValueOf(row.ring).Elem(), nil)
		for _, err := range []error{written, referenceUnmarshal(&c, sealed.PlanOf(plan), reflect.New(typ).Elem(), row.data)} {
			failed := err.(*tagcodec.Error)
			cause := bits.Error{Op: failed.Err.(*bits.Error).Op, Bit: failed.Bit, Err: tagcodec.ErrDepth, Value: core.MaxStackLevels + 1, Min: 0, Max: core.MaxStackLevels}
			require.Equal(t, &cause, failed.Err)
			require.Equal(t, row.end, failed.Path[len(failed.Path)-len(row.end):]) // the path itself is long
		}
	}
}

package delta_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/delta"
	"github.com/gobitpack/bitpack/typecache"
)

// TestConcurrent uses a codec and shared images from many goroutines.
func TestConcurrent(t *testing.T) {
	c := delta.MustFor[world]()
	w := newWorld(50)
	var images []*delta.Image
	for i := range 20 {
		w.Entities[i].Health--
		image, err := c.Quantize(&w, nil)
		require.NoError(t, err)
		images = append(images, image)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			s, r := c.NewSender(), c.NewReceiver()
			for tick, image := range images {
				some, err := image.Select("Entities", []int64{10, 20, 30}, nil)
				if err != nil {
					t.Error(err)
					return
				}
				data, err := s.Append(nil, uint64(tick), some)
				some.Release()
				var state world
				if err == nil {
					_, err = r.Read(data, &state)
				}
				if err != nil || len(state.Entities) != 3 {
					t.Error(err, len(state.Entities))
				}
				s.Ack(uint64(tick))
			}
		})
	}
	all.Wait()
}

// TestMaxBits checks that no message is longer than a whole one and its header,
// even if nothing can be predicted.
func TestMaxBits(t *testing.T) {
	type noise struct {
		Words [100]uint64
		Small [9]int16 `bp:"pred=lin"`
	}
	c := delta.MustFor[noise]()
	s, r := c.NewSender(), c.NewReceiver()
	x := uint64(1)
	for tick := range uint64(20) {
		var v noise
		for i := range v.Words {
			x = x*6364136223846793005 + 1442695040888963407
			v.Words[i] = x ^ x>>32
		}
		for i := range v.Small {
			v.Small[i] = int16(v.Words[i])
		}
		image, err := c.Quantize(&v, nil)
		require.NoError(t, err)
		data, err := s.Append(nil, tick, image)
		require.NoError(t, err)
		if len(data) == 0 {
			continue
		}
		require.LessOrEqual(t, 8*len(data), c.MaxBits())
		size, err := tagcodec.Size(&v)
		require.NoError(t, err)
		require.LessOrEqual(t, len(data), size+8)
		require.GreaterOrEqual(t, 8*len(data), c.MinBits())
		var got noise
		_, err = r.Read(data, &got)
		require.NoError(t, err)
		require.Equal(t, v, got)
		s.Ack(tick)
	}
}

// TestKeysOfNoSlice checks that a keyed type may stand elsewhere, and may refer
// to other keyed types.
func TestKeysOfNoSlice(t *testing.T) {
	type tree struct {
		ID   uint32           `bp:"key"`
		Kids map[uint32]*tree `bp:"maxlen=3"`
	}
	type state struct {
		One   entity
		Many  [3]entity
		Slots [3]*entity         `bp:"subset=bitmap"`
		Named map[string]*entity `bp:"maxlen=3,key.maxlen=3"`
		Tree  tree
		Teams []struct {
			ID    uint8 `bp:"key"`
			First *entity
		} `bp:"maxlen=3"`
		Owners []struct{ Owner *entity } `bp:"maxlen=3"`
	}
	_, err := delta.For[state]()
	require.NoError(t, err)
}

// TestBadTags checks tags that only package delta can refuse.
func TestBadTags(t *testing.T) {
	type spin struct {
		Rotation [4]float32 `bp:"quat,bits=9,pred=vel:Spin"`
		Spin     [2]float32 `bp:"float,min=-9,max=9,res=0.1"`
	}
	type raw struct {
		X float32 `bp:"pred=vel:V"`
		V float32
	}
	type circle struct {
		A int8 `bp:"pred=vel:B"`
		B int8 `bp:"pred=vel:A"`
	}
	type late struct {
		P  int8 `bp:"pred=vel:V"`
		On bool
		V  int8 `bp:"if=On"`
	}
	type chained struct {
		List []struct {
			ID    int32 `bp:"key"`
			Other int32 `bp:"relative,chain"`
		} `bp:"maxlen=3"`
	}
	type tree struct {
		ID   uint32 `bp:"key"`
		Kids []tree `bp:"maxlen=3"`
	}
	type forest struct {
		Roots []tree `bp:"maxlen=3"`
	}
	type pointers struct {
		Shots []*entity `bp:"maxlen=3"`
	}
	type trunks struct {
		Trunks []*tree `bp:"maxlen=3"`
	}
	type based struct {
		Base struct {
			ID uint8 `bp:"key"`
		}
		Kind uint8 `bp:"key"`
	}
	type bases struct {
		List []based `bp:"maxlen=3"`
	}
	refused := func(err error, text string) {
		t.Helper()
		var e *typecache.Error
		require.ErrorAs(t, err, &e)
		require.Contains(t, err.Error(), text)
		require.Equal(t, "delta: "+strings.TrimPrefix(e.Error(), "typecache: "), err.Error())
	}
	_, err := delta.For[spin]()
	refused(err, `spin.Rotation: option "pred" cannot follow this velocity: it needs one number for each component, or three for a rotation`)
	_, err = delta.For[raw]()
	refused(err, `raw.X: option "pred" cannot follow this velocity: both must be integers or quantized floats of up to 32 bits`)
	_, err = delta.For[circle]()
	refused(err, "not move by this field")
	_, err = delta.For[late]()
	refused(err, "late.P: the condition of a velocity must come before the fields that move by it")
	_, err = delta.For[chained]()
	refused(err, `option "chain" goes with a key only on the key itself`)
	_, err = delta.For[tree]()
	refused(err, `tree.Kids: option "key" of ID does not identify the elements, which are of a recursive type: remove it, or use a map by that field instead of the slice`)
	_, err = delta.For[forest]()
	refused(err, `forest.Roots: option "key" of ID does not identify the elements, which are of a recursive type`)
	_, err = delta.For[pointers]()
	refused(err, `pointers.Shots: option "key" of ID does not identify the elements, which are pointers, which may be nil: remove it, or make them values`)
	_, err = delta.For[bases]()
	refused(err, `bases.Kind: option "key" is given to Base.ID as well, and one field identifies an element: keep one, or put both into one integer`)
	_, err = delta.For[based]()
	require.NoError(t, err) // no element needs a key
	_, err = delta.For[trunks]()
	refused(err, `trunks.Trunks: option "key" of ID does not identify the elements, which are pointers`)
	_, err = delta.For[world](delta.WithWindow(65))
	require.ErrorIs(t, err, delta.ErrArgument)
	_, err = delta.For[world](delta.WithTickRate(0))
	require.ErrorIs(t, err, delta.ErrArgument)
	require.Panics(t, func() { delta.MustFor[raw]() })
}

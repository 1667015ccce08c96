package delta_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/delta"
)

type tree struct {
	Value uint8
	Left  *tree
	Kids  []tree           `bp:"maxlen=3"`
	Named map[string]*tree `bp:"maxlen=2,key.maxlen=3"`
	Slots [3]*tree         `bp:"subset=bitmap"`
}

type shape interface{ area() float32 }

type circle struct {
	R float32 `bp:"float,min=0,max=10,res=0.1"`
}

type square struct {
	Side uint8
	In   shape `bp:"union"`
}

func (c circle) area() float32  { return c.R }
func (s *square) area() float32 { return 1 }

type version struct{ Major, Minor int32 }

func (v *version) Serialize(s *bits.Stream) error {
	bits.Int(s, &v.Major, 0, 100)
	s.Align()
	bits.Int(s, &v.Minor, 0, 1000)
	return s.Err()
}

type everything struct {
	Root    tree
	Shape   shape   `bp:"union"`
	Shapes  []shape `bp:"union,maxlen=4"`
	Version version
	Old     []version   `bp:"maxlen=4"`
	Since   time.Time   `bp:"binary,maxlen=30"`
	Matrix  [16]float32 `bp:"affine"`
	Chain   []link      `bp:"maxlen=5"`
	Odd     bool
	If      [3]int16 `bp:"if=Odd,pred=lin"`
	_       struct{} `bp:"align"`
	Opt     int32    `bp:"varint,optional"`
	Anchor  *anchor  `bp:"link"`
}

type anchor struct{ ID uint64 }

// anchors is a Linker.
type anchors [3]*anchor

func (a *anchors) ID(object any) (uint64, bool) { return object.(*anchor).ID, true }
func (a *anchors) Object(id uint64) (any, bool) { return a[id-1], id <= 3 }
func (a *anchors) Unresolved(p tagcodec.Patch)  { panic("every anchor is known") }

var harbor = &anchors{{1}, {2}, {3}}

type link struct {
	ID   int64  `bp:"relative,chain"`
	Next uint32 `bp:"relative,to=ID"`
}

func randomTree(r *rand.Rand, depth int) tree {
	t := tree{Value: uint8(r.IntN(3))}
	if depth == 0 {
		return t
	}
	if r.IntN(2) == 0 {
		left := randomTree(r, depth-1)
		t.Left = &left
	}
	for range r.IntN(3) {
		t.Kids = append(t.Kids, randomTree(r, depth-1))
	}
	if r.IntN(2) == 0 {
		named := randomTree(r, depth-1)
		t.Named = map[string]*tree{string(rune('a' + r.IntN(4))): &named, "z": nil}
	}
	for i := range t.Slots {
		if r.IntN(3) == 0 {
			slot := randomTree(r, depth-1)
			t.Slots[i] = &slot
		}
	}
	return t
}

func randomShape(r *rand.Rand, depth int) shape {
	switch n := r.IntN(3); {
	case n == 0:
		return nil
	case n == 1 || depth == 0:
		return circle{float32(r.IntN(100)) / 10}
	}
	return &square{uint8(r.IntN(5)), randomShape(r, depth-1)}
}

// change changes some fields of the value.
func (e *everything) change(r *rand.Rand) {
	for range 1 + r.IntN(3) {
		switch r.IntN(12) {
		case 0:
			e.Root = randomTree(r, 3)
		case 1:
			e.Root.Value++
			if e.Root.Left != nil {
				left := *e.Root.Left
				left.Value++
				e.Root.Left = &left
			}
		case 2:
			e.Shape = randomShape(r, 3)
		case 3:
			e.Shapes = append(slices.Clone(e.Shapes), randomShape(r, 2))
			e.Shapes = e.Shapes[max(0, len(e.Shapes)-4):]
		case 4:
			e.Version.Minor = int32(r.IntN(1000))
		case 5:
			e.Old = append(slices.Clone(e.Old), version{int32(r.IntN(3)), 2})
			e.Old = e.Old[max(0, len(e.Old)-4):]
		case 6:
			e.Since = time.Unix(int64(r.IntN(4)), 0).UTC()
		case 7:
			e.Matrix = [16]float32{0: 2, 5: 2, 10: 2, 15: 1, 12: float32(r.IntN(9))}
		case 8:
			e.Chain = nil
			for id := int64(r.IntN(3)); len(e.Chain) < r.IntN(6); id += 1 + int64(r.IntN(400)) {
				e.Chain = append(e.Chain, link{id, uint32(id) + 1 + uint32(r.IntN(50))})
			}
		case 9:
			if e.Odd = !e.Odd; e.Odd {
				e.If = [3]int16{int16(r.IntN(9)), 3, 4}
			} else {
				e.If = [3]int16{}
			}
		case 10:
			e.Opt = int32(r.IntN(3))
		case 11:
			e.Anchor = append(harbor[:], nil)[r.IntN(4)]
		}
	}
}

func newEverything(t testing.TB) (*delta.Codec[everything], *tagcodec.Codec[everything]) {
	options := []tagcodec.Option{tagcodec.WithUnion[shape](circle{}, (*square)(nil)), tagcodec.WithLinker(harbor)}
	c, err := delta.For[everything](delta.WithCodec(options...))
	require.NoError(t, err)
	plain, err := tagcodec.For[everything](options...)
	require.NoError(t, err)
	return c, plain
}

// TestEveryKind codes values of every kind that holds others, or that has its own
// encoding.
func TestEveryKind(t *testing.T) {
	c, plain := newEverything(t)
	p := sealed.PlanOf(plain.Plan())
	for _, code := range []plan.Code{
		plan.CodeBinary, plan.CodeCustom, plan.CodeLink, plan.CodeScale, plan.CodeMatrix, plan.CodeUnion, plan.CodeCall,
	} {
		require.True(t, slices.ContainsFunc(p.Ops, func(op plan.Op) bool { return op.Code == code }), "no op of code %v", code)
	}
	for seed := range uint64(effort.Rounds(t, 25)) {
		r := rand.New(rand.NewPCG(seed, 3))
		v := everything{Matrix: [16]float32{0: 1, 5: 1, 10: 1, 15: 1}}
		var images []*delta.Image
		for tick := range uint64(10) {
			message, err := plain.Append(nil, &v)
			require.NoError(t, err)
			image, err := c.Quantize(&v, nil)
			require.NoError(t, err)
			images = append(images, image)
			refs := delta.Refs{Tick: tick + 1}
			if base := uint64(r.Int64N(int64(tick) + 1)); r.IntN(4) > 0 {
				refs.Base = delta.Ref{Tick: base, Image: images[base]}
				if base > 0 {
					refs.Older[0] = delta.Ref{Tick: base - 1, Image: images[base-1]}
				}
			}
			data, err := c.Append(nil, image, refs)
			require.NoError(t, err)
			require.LessOrEqual(t, 8*len(data), c.MaxBits())
			explained(t, c, data, refs)
			back, err := c.Read(data, refs, nil)
			require.NoError(t, err)
			var state everything
			require.NoError(t, c.Restore(back, &state))
			again, err := plain.Append(nil, &state)
			require.NoError(t, err)
			require.Equal(t, message, again, "seed %d tick %d", seed, tick)
			var direct everything
			require.NoError(t, plain.Unmarshal(message, &direct))
			require.True(t, reflect.DeepEqual(direct, state), "seed %d tick %d", seed, tick)
			v.change(r)
		}
	}
}

// explained checks that the parts of a delta are all of its bits.
func explained[T any](t *testing.T, c *delta.Codec[T], data []byte, refs delta.Refs) {
	e := c.Explain(data, refs)
	require.NoError(t, e.Err)
	end := 0
	for _, p := range e.Parts {
		require.Equal(t, end, p.Bit)
		require.NotContains(t, p.What, "<nil>")
		end += p.Bits
	}
	require.Equal(t, len(data), (end+7)/8)
}

// TestDepth checks values that nest more deeply than a message may.
func TestDepth(t *testing.T) {
	type node struct{ Next *node }
	c := delta.MustFor[node](delta.WithCodec(tagcodec.WithMaxDepth(5000)))
	list := func(n int) *node {
		var first *node
		for range n {
			first = &node{first}
		}
		return first
	}
	image, err := c.Quantize(list(900), nil)
	require.NoError(t, err)
	data, err := c.Append(nil, image, delta.Refs{})
	require.NoError(t, err)
	explained(t, c, data, delta.Refs{})
	_, err = c.Read(data, delta.Refs{}, nil)
	require.NoError(t, err)
	image, err = c.Quantize(list(2000), nil)
	require.NoError(t, err)
	_, err = c.Append(nil, image, delta.Refs{})
	require.ErrorIs(t, err, delta.ErrDepth)
}

package delta

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
)

// subject codes snapshots of a type that only reflection knows.
type subject struct {
	untyped
	typ reflect.Type
}

func newSubject(t reflect.Type) (*subject, error) {
	plan, err := typecache.Of(t)
	if err != nil {
		return nil, err
	}
	s := &subject{typ: t}
	s.config = config{rate: 60, window: 64}
	if s.schema, err = compile(sealed.PlanOf(plan), &s.config); err != nil {
		return nil, err
	}
	s.zero = s.schema.empty(&s.images, &s.images.whole)
	return s, nil
}

// decode reads a delta.
func (s *subject) decode(data []byte, refs *Refs) (*Image, error) { return s.decodeAt(data, refs, 0) }

// decodeAt reads a delta that begins at a bit of data.
func (s *subject) decodeAt(data []byte, refs *Refs, bit int) (*Image, error) {
	k := s.coder()
	defer s.release(k)
	return s.decodeWith(k, data, refs, bit)
}

// decodeWith is decodeAt with a coder.
func (s *subject) decodeWith(k *coder, data []byte, refs *Refs, bit int) (*Image, error) {
	if err := k.refer(&s.untyped, refs, "read"); err != nil {
		return nil, err
	}
	k.reading, k.r, k.image = true, bitReader{data: data, pos: bit}, s.schema.empty(&s.images, &s.images.whole)
	whole := k.r.get(1) == 1
	if k.trace != nil {
		k.trace.form(whole)
	}
	if whole {
		if len(data) < (k.r.pos+7)/8 {
			return nil, ErrOverread
		}
		message := slices.Clone(data[(k.r.pos+7)/8:])
		if err := tagcodec.Unmarshal(message, reflect.New(s.typ).Interface()); err != nil {
			return nil, err
		}
		return s.parsed(message, true)
	}
	k.run()
	if k.r.bad == nil {
		k.r.end()
	}
	return k.image, k.r.bad
}

func TestRandomTypes(t *testing.T) {
	types, values := 0, 0
	codes := map[plan.Code]bool{}
	seeds := effort.Rounds(t, 190)
	for seed := range uint64(seeds) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
		typ := g.structOf(2)
		s, err := newSubject(typ)
		if err != nil {
			continue
		}
		types++
		for i := range s.schema.plan.Ops {
			codes[s.schema.plan.Ops[i].Code] = true
		}
		v := reflect.New(typ).Elem()
		g.touch(v, "", 0.9)
		var images []*Image
		for tick := range 8 {
			message, err := tagcodec.Marshal(v.Interface())
			require.NoError(t, err, "%v", typ)
			image, err := s.parsed(slices.Clone(message), false)
			require.NoError(t, err)
			packed, err := image.pack(new(bits.Writer), []byte{})
			require.NoError(t, err, "%v", typ)
			again := reflect.New(typ)
			require.NoError(t, tagcodec.Unmarshal(packed, again.Interface()), "%v", typ)
			if !strings.Contains(fmt.Sprint(typ), "key\\\"") {
				require.Equal(t, message, packed, "%v", typ)
			}
			images = append(images, image)
			for range 3 {
				refs := Refs{Tick: uint64(tick) + 1}
				if base := g.IntN(tick+1) - 1; base >= 0 {
					refs.Base = Ref{uint64(base), images[base]}
					for i := range refs.Older {
						if older := g.IntN(base+1) - 1; older >= 0 {
							refs.Older[i] = Ref{uint64(older), images[older]}
						}
					}
				}
				delta, err := s.append(nil, image, &refs, nil)
				require.NoError(t, err)
				require.LessOrEqual(t, len(delta), max(len(message), len(packed))+1)
				back, err := s.decode(delta, &refs)
				require.NoError(t, err, "seed %d tick %d %v", seed, tick, typ)
				repacked, err := back.pack(new(bits.Writer), []byte{})
				require.NoError(t, err)
				require.Equal(t, packed, repacked, "seed %d tick %d %v", seed, tick, typ)
				values++
			}
			g.touch(v, "", []float64{0, 0.02, 0.2, 0.7}[g.IntN(4)])
		}
	}
	t.Log(types, "types,", values, "deltas")
	require.Greater(t, types, seeds*2/3)
	for _, code := range []plan.Code{ // TestEveryKind has them
		plan.CodeBinary, plan.CodeCustom, plan.CodeLink, plan.CodeScale, plan.CodeMatrix, plan.CodeUnion, plan.CodeCall,
	} {
		codes[code] = true
	}
	for code := range plan.NumCodes {
		require.True(t, codes[plan.Code(code)], "no type has an op of code %v", plan.Code(code))
	}
}

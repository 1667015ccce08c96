package enginetest

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/typecache"
)

// careless decodes two codes as the same value.
type careless struct{ V uint8 }

func (c *careless) Serialize(s *bits.Stream) error {
	bits.Bits(s, &c.V, 2)
	c.V &^= 2
	return s.Err()
}

// rewrite decodes a message and encodes the result.
func rewrite(t *testing.T, pl *plan.Plan, data []byte) ([]byte, error) {
	t.Helper()
	c := settingsWith(tagcodec.WithLinker(&harbour{}))
	v := reflect.New(pl.Type)
	require.NoError(t, engine.Unmarshal(&c, pl, engine.VariableTo(v), data))
	return engine.Encode(&c, pl, engine.VariableTo(v), nil)
}

// For each flag that Plan.Open reports, two messages decode as the same value.
func TestNoncanonical(t *testing.T) {
	for _, row := range []struct {
		open       typecache.Noncanonical
		typ        reflect.Type
		data, want []byte
	}{
		{typecache.NoncanonicalRelative, reflect.TypeFor[struct {
			A uint16 `bp:"relative,base=0"`
		}](), []byte{0x40, 0, 0, 0, 0}, []byte{1}}, // 1 in full, and 1 as the next integer after 0
		{typecache.NoncanonicalFloat, reflect.TypeFor[struct {
			A float32 `bp:"min=1000,max=1001,bits=16"`
		}](), []byte{3, 0}, []byte{4, 0}},
		{typecache.NoncanonicalHalf, reflect.TypeFor[struct {
			A float32 `bp:"half"`
		}](), []byte{1, 0x7C}, []byte{1, 0x7E}},
		{typecache.NoncanonicalAngle, reflect.TypeFor[struct {
			A float32 `bp:"angle,bits=32"`
		}](), []byte{0xFF, 0xFF, 0xFF, 0xFF}, []byte{0x32, 0xFF, 0xFF, 0xFF}}, // the largest below 2*pi
		{typecache.NoncanonicalQuat, reflect.TypeFor[struct {
			A [4]float32 `bp:"quat,bits=12"`
		}](), []byte{0xFC, 0xF9, 0x9F, 0x97, 0x24}, []byte{0xF9, 0xF9, 0x9F, 0x97, 0x24}},
		{typecache.NoncanonicalMatrix, reflect.TypeFor[struct {
			A [16]float32 `bp:"affine,min=-1,max=1,res=1,bits=2"`
		}](), []byte{0x58, 0x72}, []byte{0x58, 0x4D}},
		{typecache.NoncanonicalLink, reflect.TypeFor[struct {
			A *ship `bp:"link,bits=8"`
		}](), []byte{200}, []byte{0}},
		{typecache.NoncanonicalOwn, reflect.TypeFor[struct{ A careless }](), []byte{2}, []byte{0}},
	} {
		t.Run(row.open.String(), func(t *testing.T) {
			plan, err := typecache.Of(row.typ)
			require.NoError(t, err)
			require.Equal(t, row.open, plan.Noncanonical())
			got, err := rewrite(t, sealed.PlanOf(plan), row.data)
			require.NoError(t, err)
			require.Equal(t, row.want, got)
		})
	}
}

// Several flags are combined, and a canonical type has none.
func TestNoncanonicalJoined(t *testing.T) {
	for _, row := range []struct {
		typ  reflect.Type
		want string
	}{
		{reflect.TypeFor[relatives](), "relative"},
		{reflect.TypeFor[graph](), "half"},
		{reflect.TypeFor[landing](), "link"},
		{reflect.TypeFor[struct {
			A []counted  `bp:"maxlen=3"`
			B [2]float32 `bp:"half,optional"`
			C []float64  `bp:"maxlen=2,min=0,max=1,bits=53"`
		}](), "float|half|own"},
		{reflect.TypeFor[texts](), ""},
		{reflect.TypeFor[varints](), ""},
		{reflect.TypeFor[aligned](), ""},
		{reflect.TypeFor[struct {
			A float64    `bp:"angle,bits=32"`
			B float32    `bp:"angle,bits=23"`
			C [4]float64 `bp:"quat,bits=20"`
			D [4]float32 `bp:"quat,bits=11"`
			E [4]float32 `bp:"quat,bits=20,mode=sign"`
			F [3]float32 `bp:"unit,bits=24"`
			G complex64  `bp:"angle,bits=23"`
		}](), ""},
		{reflect.TypeFor[struct {
			G complex64 `bp:"angle,bits=24"`
		}](), "angle"},
	} {
		plan, err := typecache.Of(row.typ)
		require.NoError(t, err)
		require.Equal(t, row.want, plan.Noncanonical().String(), "%v", row.typ)
	}
}

// A plan reports a float as open if and only if one of its codes decodes to a
// value that is encoded with another code.
func TestNoncanonicalSteps(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	found := map[typecache.Noncanonical]int{}
	for i := range 200 {
		typ, spacing := reflect.TypeFor[float32](), 0x1p-23
		if i%2 == 1 {
			typ, spacing = reflect.TypeFor[float64](), 0x1p-52
		}
		lo := float64(float32(random.NormFloat64() * math.Pow(10, float64(random.IntN(8)))))
		n := 1 + random.IntN(8)
		// Step sizes from an eighth to eight times the spacing of floats.
		hi := lo + math.Abs(lo)*spacing*math.Pow(2, 6*random.Float64()-3)*float64(uint(1)<<n)
		plan, err := typecache.Of(reflect.StructOf([]reflect.StructField{{
			Name: "A", Type: typ, Tag: reflect.StructTag(fmt.Sprintf(`bp:"min=%v,max=%v,bits=%d"`, lo, hi, n)),
		}}))
		if err != nil {
			require.ErrorContains(t, err, "min must be below max", "they are the same float")
			continue
		}
		want := typecache.Noncanonical(0)
		for code := range uint64(1) << n {
			w := bits.NewAppendWriter(nil)
			w.WriteBits(code, n)
			got, err := rewrite(t, sealed.PlanOf(plan), w.Bytes())
			require.NoError(t, err)
			if !bytes.Equal(w.Bytes(), got) {
				want = typecache.NoncanonicalFloat
			}
		}
		require.Equal(t, want, plan.Noncanonical(), sealed.PlanOf(plan).Fields[0].Tag)
		found[want]++
	}
	require.Greater(t, found[0], 30)
	require.Greater(t, found[typecache.NoncanonicalFloat], 30)
}

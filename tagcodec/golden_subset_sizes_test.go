package tagcodec_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
)

// subsetBits returns the number of bits that a mode needs for the indices. It
// measures a message of eight equal subsets, whose elements have no bits.
func subsetBits(t *testing.T, mode string, present []bool) int {
	type object struct{ Sent bool }
	typ := reflect.ArrayOf(8, reflect.StructOf([]reflect.StructField{{
		Name: "Objects", Type: reflect.ArrayOf(len(present), reflect.TypeFor[object]()),
		Tag: reflect.StructTag(`bp:"subset=` + mode + `,by=Sent"`),
	}}))
	v := reflect.New(typ)
	for i := range 8 {
		for k, sent := range present {
			v.Elem().Index(i).Field(0).Index(k).Field(0).SetBool(sent)
		}
	}
	data, err := tagcodec.Marshal(v.Interface())
	require.NoError(t, err)
	read := reflect.New(typ)
	require.NoError(t, tagcodec.Unmarshal(data, read.Interface()))
	require.Equal(t, v.Interface(), read.Interface())
	return len(data)
}

// The numbers given in the articles, for a scene of 4000 objects.
func TestSubsetsOfTheArticles(t *testing.T) {
	sent := func(indices ...int) []bool {
		present := make([]bool, 4000)
		for _, i := range indices {
			present[i] = true
		}
		return present
	}
	half := sent()
	for i := range half {
		half[i] = i%2 == 1
	}
	bytes := func(mode string, present []bool) int { return (subsetBits(t, mode, present) + 7) / 8 }

	require.Equal(t, 500, bytes("bitmap", sent(1234)), "one object")
	require.Equal(t, 3, bytes("index", sent(1234)), "12 bits of count and 12 of index")
	require.Equal(t, 3, bytes("sentinel", sent(1234)))
	require.Equal(t, 500, bytes("bitmap", sent(1234, 3999)), "two objects")
	require.Equal(t, 5, bytes("index", sent(1234, 3999)), "12 + 2*12 bits")
	require.Equal(t, 5, bytes("sentinel", sent(1234, 3999)))

	require.Equal(t, 3002, bytes("index", half), "2000 objects of 12 bits each, and the count")
	require.Equal(t, 500, bytes("bitmap", half))
}

// Auto costs exactly 2 bits more than the best of the four modes.
func TestSubsetAutoIsTheBest(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	wins := map[string]int{}
	for range 200 {
		present := make([]bool, 1+random.IntN(300))
		on, stay := false, random.Float64() // sequences of any length and density
		density := random.Float64() * random.Float64()
		for i := range present {
			if random.Float64() > stay {
				on = random.Float64() < density
			}
			present[i] = on
		}
		best, winner := math.MaxInt, ""
		for _, mode := range []string{"bitmap", "index", "sentinel", "relative"} {
			if n := subsetBits(t, mode, present); n < best {
				best, winner = n, mode
			}
		}
		wins[winner]++
		require.Equal(t, best+2, subsetBits(t, "auto", present))
	}
	require.Greater(t, wins["bitmap"], 5)
	require.Greater(t, wins["index"], 5)
	require.Greater(t, wins["relative"], 5)
	require.Zero(t, wins["sentinel"], "a count takes no more bits than a sentinel does")
}

package order_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/order"
)

func TestOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 70 {
		values, want := make([]int, n), make([]int, n)
		for i := range values {
			values[i], want[i] = rng.IntN(n/2+1), i
		}
		slices.SortStableFunc(want, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
		require.Equal(t, want, order.Of(n, func(i, j int) int { return cmp.Compare(values[i], values[j]) }), values)
	}
}

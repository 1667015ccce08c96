package bench

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAllocs checks that every operation allocates no more often than stated.
func TestAllocs(t *testing.T) {
	list := Operations()
	require.Len(t, list, 10)
	for _, op := range list {
		t.Run(op.Name, func(t *testing.T) {
			const n = 100
			op.Run(2) // allocate the destination's memory
			allocs := testing.AllocsPerRun(10, func() { op.Run(n) }) / n
			require.LessOrEqual(t, allocs, float64(op.Allocs))
		})
	}
}

func BenchmarkMain(b *testing.B) {
	for _, op := range Operations() {
		b.Run(op.Name, func(b *testing.B) {
			op.Run(2)
			b.ReportAllocs()
			b.SetBytes(int64(op.Bytes))
			b.ResetTimer()
			op.Run(b.N)
		})
	}
}

//go:build !purego && bitpack_noruns

package fast

// takeRuns is false, so that no run is ever taken.
const takeRuns = false

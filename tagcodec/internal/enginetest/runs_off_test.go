//go:build !purego && bitpack_noruns

package enginetest

const withRuns = false

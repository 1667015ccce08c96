//go:build !purego && !bitpack_noruns

package fast

// takeRuns says that the tight loops execute the runs of a plan. With the build
// tag bitpack_noruns it is false, and every op is executed by itself. Messages,
// values and errors are the same.
const takeRuns = true

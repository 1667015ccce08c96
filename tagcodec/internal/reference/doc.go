// Package reference is the reference interpreter. It executes a plan on
// reflect.Values, one op at a time, through a bits.Writer or bits.Reader. It
// finds values by field index, not by address.
//
// Tests compare the fast loops with it in bytes, values and errors. With the
// build tag purego, package engine uses it in place of them. In every build it
// reads the parts of values whose Reader gets more data on demand.
package reference

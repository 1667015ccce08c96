// Package values contains the values that the encodings are compared on, with
// bitpack's tags. The types are plain Go structs, so that every encoding that
// uses reflection accepts them unchanged.
package values

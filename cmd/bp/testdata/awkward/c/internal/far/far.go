// Package far has types that only package c and its own packages can import.
package far

type (
	Distance uint16
	Point    struct{ X Distance }
)

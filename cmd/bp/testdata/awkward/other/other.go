// Package other is called like a field and a type elsewhere.
package binary

type Level int16

type Math struct{ X, Y float64 }

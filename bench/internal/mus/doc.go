// Package mus has the code of mus-go for the values. go.mod has the version of
// the generator.
package mus

//go:generate go run ../musgen mus

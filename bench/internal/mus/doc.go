// Package mus contains the mus-go code for the values. The version of the
// generator is in go.mod.
package mus

//go:generate go run ../musgen mus

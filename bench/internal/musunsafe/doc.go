// Package musunsafe contains the mus-go code for the values with strings that
// share the memory of the message. The message must not change while they are
// in use. The version of the generator is in go.mod.
package musunsafe

//go:generate go run ../musgen -unsafe musunsafe

// Package musunsafe has the code of mus-go for the values with strings that
// share the memory of the message, which must not change as long as they are
// used. go.mod has the version of the generator.
package musunsafe

//go:generate go run ../musgen -unsafe musunsafe

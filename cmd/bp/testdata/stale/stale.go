// Package stale has a generated file that no longer compiles.
package stale

// Message has had another field.
type Message struct {
	HP int32 `bp:"int,min=0,max=100"`
}

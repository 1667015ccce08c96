package typecache

import (
	"errors"
	"fmt"
	"reflect"
)

// ErrTag is the error that every [Error] wraps.
var ErrTag = errors.New("the type cannot be encoded as it is tagged")

// Error reports a mistake in a type or its tags. The same type always gives the
// same Error.
type Error struct {
	Type reflect.Type // the type whose plan was requested
	Path string       // the struct and the field: "Player.Health"
	Msg  string       // what is wrong and how to fix it
}

// Error returns the path and the message.
func (e *Error) Error() string { return fmt.Sprintf("typecache: %s: %s", e.Path, e.Msg) }

// Unwrap returns [ErrTag].
func (e *Error) Unwrap() error { return ErrTag }

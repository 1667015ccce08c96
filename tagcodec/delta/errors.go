package delta

import (
	"errors"
	"fmt"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/errtext"
	"github.com/gobitpack/bitpack/tagcodec"
)

// Sentinel errors for use with [errors.Is]. Those that package tagcodec also
// reports are defined there.
var (
	ErrRange        = tagcodec.ErrRange
	ErrLength       = tagcodec.ErrLength
	ErrText         = tagcodec.ErrText
	ErrOverread     = tagcodec.ErrOverread
	ErrPadding      = tagcodec.ErrPadding
	ErrTrailing     = tagcodec.ErrTrailing
	ErrNotCanonical = tagcodec.ErrNotCanonical
	ErrDepth        = tagcodec.ErrDepth
	ErrArgument     = tagcodec.ErrArgument

	// ErrKey means that two elements of a keyed slice have the same key, or that
	// a message has them out of order.
	ErrKey = errors.New("the keys of a keyed slice repeat, or are not sorted")
	// ErrSelect means that a snapshot has no keyed slice of that name.
	ErrSelect = errors.New("no such keyed slice with integer keys in the snapshot itself")
	// ErrBaseline means that the receiver lacks an image that a message refers
	// to. The error is a [*BaselineError].
	ErrBaseline = errors.New("a reference of the message is missing")
	// ErrLate means that a message is older than one that was read. Its image is
	// kept, and the tick should be acknowledged.
	ErrLate = errors.New("delta: the snapshot is older than one that was read")
	// ErrStale means that a message is older than one that was read, and of no
	// use any more.
	ErrStale = errors.New("delta: the snapshot is too old to be read")
	// ErrRepeated means that the snapshot of a message has been read before.
	ErrRepeated = errors.New("delta: the snapshot has been read before")
	// ErrTick means that the ticks of a Sender do not increase.
	ErrTick = errors.New("the tick is not after that of the snapshot before")
)

// BaselineError names the image that a receiver lacks.
type BaselineError struct {
	Tick    uint64 // of the message, as far as its low bits tell
	Missing uint64 // the tick of the reference, or Tick if the message does not say
}

func (e *BaselineError) Error() string {
	if e.Missing == e.Tick {
		return fmt.Sprintf("delta: tick %d: %v", e.Tick, ErrBaseline)
	}
	return fmt.Sprintf("delta: tick %d: %v: tick %d", e.Tick, ErrBaseline, e.Missing)
}

// Unwrap returns ErrBaseline.
func (e *BaselineError) Unwrap() error { return ErrBaseline }

// KeyError names two elements of a keyed slice of a snapshot that have the same key
// or, in a message, keys that are not in order.
type KeyError struct {
	Path          string // of the slice
	First, Second int    // the indices of the elements
	Key           any    // of the second, an int64, a uint64 or a string
	Equal         bool   // the keys are equal
}

func (e *KeyError) Error() string {
	if e.Equal {
		return fmt.Sprintf("%s: %v: elements %d and %d have the key %v: give each its own", e.Path, ErrKey, e.First, e.Second, e.Key)
	}
	return fmt.Sprintf("%s: %v: element %d has the key %v, which is below that of element %d", e.Path, ErrKey, e.Second, e.Key, e.First)
}

// Unwrap returns ErrKey.
func (e *KeyError) Unwrap() error { return ErrKey }

// Error describes a snapshot or a message that was refused.
type Error struct {
	Op  string // "quantize", "append", "read" or "restore"
	Bit int    // where a message was refused, or -1
	Err error
}

func (e *Error) Error() string {
	if e.Bit < 0 {
		return fmt.Sprintf("delta: %s: %s", e.Op, errtext.Bare(e.Err))
	}
	reason := errtext.Bare(e.Err)
	if cause, ok := e.Err.(*bits.Error); ok {
		reason = cause.Reason()
	}
	return fmt.Sprintf("delta: %s at bit %d: %s", e.Op, e.Bit, reason)
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

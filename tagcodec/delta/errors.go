package delta

import (
	"errors"
	"fmt"

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
	ErrLate = errors.New("the snapshot is older than one that was read")
	// ErrStale means that a message is older than one that was read, and of no
	// use any more.
	ErrStale = errors.New("the snapshot is too old to be read")
	// ErrRepeated means that the snapshot of a message has been read before.
	ErrRepeated = errors.New("the snapshot has been read before")
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

// Error describes a snapshot or a message that was refused.
type Error struct {
	Op  string // "quantize", "append", "read" or "restore"
	Bit int    // where a message was refused, or -1
	Err error
}

func (e *Error) Error() string {
	if e.Bit < 0 {
		return fmt.Sprintf("delta: %s: %v", e.Op, e.Err)
	}
	return fmt.Sprintf("delta: %s at bit %d: %v", e.Op, e.Bit, e.Err)
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

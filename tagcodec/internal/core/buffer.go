package core

import (
	"slices"
	"sync"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
)

// ShortMessage is a length in bytes. If no message of a type is longer, a buffer
// gets room for the longest one at once. The unused bytes cost less than growing
// again.
const ShortMessage = 128

// WithRoom returns dst with enough spare capacity for the shortest message of a
// plan. It may reserve less for very long messages; see grow.
func WithRoom(pl *plan.Plan, dst []byte) []byte {
	if cap(dst)-len(dst) >= pl.MinBits>>3 {
		return dst
	}
	return grow(pl, dst)
}

// WithRoomForAll is WithRoom for n values of the plan's type.
func WithRoomForAll(pl *plan.Plan, n int, dst []byte) []byte {
	least := saturate.Bytes(saturate.Mul(n, pl.MinBits))
	if cap(dst)-len(dst) >= least {
		return dst
	}
	// The memory of the values exists, so n of their sizes fit in a uintptr.
	return slices.Grow(dst, RoomFor(least, saturate.Bytes(saturate.Mul(n, pl.MaxBits)), uintptr(n)*pl.Type.Size()))
}

// grow is WithRoom for a dst without that capacity.
func grow(pl *plan.Plan, dst []byte) []byte {
	return slices.Grow(dst, RoomFor(saturate.Bytes(pl.MinBits), saturate.Bytes(pl.MaxBits), pl.Type.Size()))
}

// RoomFor returns the number of bytes to reserve for a message of a type. least
// and most are the smallest and the largest size of a message in bytes, and
// memory is the size of a value.
func RoomFor(least, most int, memory uintptr) int {
	if most <= ShortMessage {
		return most
	}
	// The smallest size counts the minimum length of every slice, but a value may
	// have shorter ones, which are refused only later. The limit bounds the memory
	// reserved for missing elements. Other values take about as much on the wire
	// as in memory.
	return min(least, int(memory)+ShortMessage)
}

// Buffers holds scratch buffers for messages whose length is not yet known.
var Buffers = sync.Pool{New: func() any { b := make([]byte, 0, 1024); return &b }}

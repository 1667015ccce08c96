//go:build !purego

package fast

import (
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// This file codes adjacent values of one type, one after the other.

// EncodeAll is EncodeFrom for the n values from base on, which are adjacent in
// memory. After an error it returns the index of the value that failed, and the
// bit where that value starts.
func EncodeAll(c *core.Settings, pl *plan.Plan, base memory.Pointer, n int, dst []byte, start, bit int) (buf []byte, end, failed int, err error) {
	all := elements{base, n, pl.Type.Size()}
	var out output // set field by field: see Encode
	out.start = start
	out.resume(core.WithRoomForAll(pl, n, dst), bit)
	before := out
	ok := n == 0
	var refused int32
	switch r := pl.Whole(); {
	case ok || !takeRuns:
	case pl.Verbatim():
		out.verbatim(base.Array(n * int(all.size)))
		ok = true
	case pl.Gapless():
		ok = encodePacked(pl, &pl.Ops[0], base, n*pl.Ops[0].Count, &out)
	case r != nil:
		ok, refused = out.run(pl, r, all), pl.Ops[0].Run
	}
	if ok && out.tooLong() {
		ok, out = false, before
	}
	for i := 0; i < n && !ok; i++ {
		bit = out.bit()
		if err := encodeTo(c, pl, base.At(uintptr(i)*all.size), &out, refused); err != nil {
			return dst, bit, i, err
		}
	}
	return out.close(), out.bit(), 0, nil
}

// DecodeAll is Decode for the n values from base on, which are adjacent in memory.
// After an error it returns the index of the value that failed.
func DecodeAll(c *core.Settings, pl *plan.Plan, base memory.Pointer, n int, data []byte, bit int) (end, failed int, err error) {
	all := elements{base, n, pl.Type.Size()}
	ok := false
	var refused int32
	switch r := pl.Whole(); {
	case n == 0 || !takeRuns || len(data) > mostBytes || c.ReservedBits > 0:
	case pl.Verbatim():
		end, ok = decodeVerbatim(base.Array(n*int(all.size)), data, bit)
	case pl.Gapless():
		end, ok = decodePacked(pl, &pl.Ops[0], base, n*pl.Ops[0].Count, data, bit)
	case r != nil:
		end, ok = decodeRun(pl, r, all, data, bit, 0)
		refused = pl.Ops[0].Run
	}
	if ok {
		return end, 0, nil
	}
	for i := range n {
		if bit, err = decode(c, pl, base.At(uintptr(i)*all.size), data, bit, refused); err != nil {
			return bit, i, err
		}
	}
	return bit, 0, nil
}

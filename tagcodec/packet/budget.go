package packet

import (
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/tagcodec/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

// ErrBudget says that a packet is too large for a datagram. [New] returns it if
// a packet of some type could be.
var ErrBudget = errors.New("packet: larger than the MTU allows")

// MaxDatagram is the largest payload of a UDP datagram over IPv4, in bytes. It
// is the limit for protocols without an MTU.
const MaxDatagram = 65507

// DefaultMTU is a payload in bytes that nearly every path of the internet
// carries unfragmented. QUIC requires the same of a path (RFC 9000, section
// 14).
const DefaultMTU = 1200

// Cost is the maximum size of a field in one packet.
type Cost struct {
	Field string // its path, such as "Bodies[].Position"
	Times int    // maximum number of occurrences in one packet
	Bits  int    // maximum for all occurrences together, or typecache.Unbounded
}

// String returns the field and its cost.
func (c Cost) String() string {
	switch {
	case c.Bits == typecache.Unbounded:
		return c.Field + " (unbounded)"
	case c.Times > 1:
		return fmt.Sprintf("%s (%d x %d bits)", c.Field, c.Times, c.Bits/c.Times)
	}
	return fmt.Sprintf("%s (%d bits)", c.Field, c.Bits)
}

// costs returns the costs of a type's fields, largest first.
func costs(p *typecache.Plan) []Cost {
	var list []Cost
	index := map[string]int{} // index in list by field
	walk(p, func(i int, path string, n int) {
		if path == "" {
			path = typename.Of(p.Type)
		}
		c := Cost{path, n, times(n, most(p, i))}
		if c.Bits == 0 {
			return
		}
		// A presence bit, a condition or a count shares the path of its value.
		if k, known := index[c.Field]; known {
			old := &list[k]
			old.Times = max(old.Times, c.Times)
			if old.Bits += c.Bits; old.Bits < 0 {
				old.Bits = typecache.Unbounded
			}
			return
		}
		index[c.Field] = len(list)
		list = append(list, c)
	})
	slices.SortStableFunc(list, func(a, b Cost) int {
		switch {
		case a.Bits > b.Bits:
			return -1
		case a.Bits < b.Bits:
			return 1
		}
		return 0
	})
	return list
}

// most returns the maximum number of bits of a single execution of an op,
// excluding the ops that it encloses.
func most(p *typecache.Plan, i int) int {
	op := &p.Ops[i]
	width := int(op.Bits)
	switch op.Code {
	case typecache.CodeAlign:
		return 7
	case typecache.CodeBytes:
		return 7 + 8*op.Count
	case typecache.CodeCString, typecache.CodeString, typecache.CodeBinary:
		return width + 7 + times(int(op.Bias+op.Span), 8)
	case typecache.CodeWString:
		return width + times(int(op.Span), 32)
	case typecache.CodeVarint:
		return op.Count * 8 * ((varintBits(p, op) + 6) / 7)
	case typecache.CodeRelative:
		return op.Count * 38
	case typecache.CodeCustom, typecache.CodeCall:
		return typecache.Unbounded
	case typecache.CodeHuffman:
		longest := 0
		h := &p.Huffmans[op.Aux]
		for symbol := range h.Values {
			_, n := h.Code.Code(symbol)
			longest = max(longest, n)
		}
		return longest
	case typecache.CodeCommon, typecache.CodePointer, typecache.CodeOptional:
		return 1 // for a value that is not listed, added to the cost of its own op
	case typecache.CodeScale:
		return 2
	case typecache.CodeSubset:
		n := repeats(op)
		if sub := p.Elems[op.Aux].Subset; sub.Auto || sub.Mode == compress.SubsetBitmap {
			return width + 2 + n // auto never chooses anything longer than the bitmap
		}
		return width + 8 + n*bits.Len(uint(n))
	case typecache.CodeSlice, typecache.CodeMap, typecache.CodeUnion:
		return width
	case typecache.CodeArray, typecache.CodeMatrix, typecache.CodeIf, typecache.CodePresent,
		typecache.CodeNext, typecache.CodeEnd:
		return 0
	}
	return times(op.Count, width)
}

// varintBits returns the size in bits of a varint's integers. An int counts as
// 64 bits on every machine.
func varintBits(p *typecache.Plan, op *typecache.Op) int {
	t := p.Fields[op.Field].Type
	for t.Kind() == reflect.Array {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Int, reflect.Uint, reflect.Uintptr:
		return 64
	}
	return t.Bits()
}

// aligns reports whether the size of a plan's values depends on the bit within
// a byte at which they start.
func aligns(p *typecache.Plan) bool {
	return slices.ContainsFunc(p.Ops, func(op typecache.Op) bool {
		switch op.Code {
		case typecache.CodeAlign, typecache.CodeBytes, typecache.CodeCString, typecache.CodeString, typecache.CodeBinary:
			return true
		}
		return false
	})
}

// largest returns the maximum size in bytes of a packet, including a type index
// of width bits. A value that aligns may take up to 7 bits more than at the
// start of a byte: after its first alignment the layout is the same.
func largest(p *typecache.Plan, width int) int {
	if p.MaxBits == typecache.Unbounded {
		return typecache.Unbounded
	}
	n := width + p.MaxBits
	if width%8 != 0 && aligns(p) {
		n += 7
	}
	return max(1, (n+7)/8)
}

// smallest returns the minimum size in bytes of a packet. After the type index,
// an alignment may take fewer bits than at the start of a byte.
func smallest(p *typecache.Plan, width int) int {
	n := width + p.MinBits
	if width%8 != 0 && aligns(p) {
		n = max(width, n-7)
	}
	return max(1, (n+7)/8)
}

// overBudget returns the error for a type with packets of more than room bytes.
func overBudget(info *Info, room int) error {
	size, leave := fmt.Sprintf("up to %d bytes", info.MaxSize), "; Type.MayExceed leaves the check to each packet that is sent"
	switch {
	case info.MinSize > room:
		size, leave = fmt.Sprintf("at least %d bytes", info.MinSize), ""
	case info.MaxSize == typecache.Unbounded:
		size = "any number of bytes"
	}
	var fields []string
	for _, c := range info.Costs[:min(3, len(info.Costs))] {
		fields = append(fields, c.String())
	}
	return &Error{Op: "send", Type: info.Type, Reason: ErrBudget,
		Err: fmt.Errorf("%s takes %s, and a datagram has room for %d: the most costs %s%s",
			typename.Of(info.Type), size, room, strings.Join(fields, ", then "), leave)}
}

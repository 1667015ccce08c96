package packet

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

// ErrBudget says that a packet is too large for a datagram. [New] returns it if
// a packet of some type could be.
var ErrBudget = errors.New("packet: too large for a datagram")

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
func costs(p *plan.Plan) []Cost {
	var list []Cost
	index := map[string]int{} // index in list by field
	for x := range p.Tree().All() {
		path := x.Path
		if path == "" {
			path = typename.Of(p.Type)
		}
		c := Cost{path, x.Times, saturate.Mul(x.Times, p.MostBits(x.Op))}
		if c.Bits == 0 {
			continue
		}
		// A presence bit, a condition or a count shares the path of its value.
		if k, known := index[c.Field]; known {
			old := &list[k]
			old.Times = max(old.Times, c.Times)
			if old.Bits += c.Bits; old.Bits < 0 {
				old.Bits = typecache.Unbounded
			}
			continue
		}
		index[c.Field] = len(list)
		list = append(list, c)
	}
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

// largest returns the maximum size in bytes of a packet, including a type index
// of width bits. MaxBits is for a value at the start of a byte. After a type
// index that ends within a byte, the value's first alignment may take up to 7
// bits more; what follows is the same.
func largest(p *plan.Plan, width int) int {
	if p.MaxBits == typecache.Unbounded {
		return typecache.Unbounded
	}
	n := width + p.MaxBits
	if width%8 != 0 && p.Aligns() {
		n += 7
	}
	return max(1, (n+7)/8)
}

// smallest returns the minimum size in bytes of a packet. After the type index,
// an alignment may take fewer bits than at the start of a byte.
func smallest(p *plan.Plan, width int) int {
	n := width + p.MinBits
	if width%8 != 0 && p.Aligns() {
		n = max(width, n-7)
	}
	return max(1, (n+7)/8)
}

// overBudget returns the error for a type with packets of more than limit bytes.
// room is that of a datagram.
func overBudget(info *Info, limit, room int) error {
	size, hint := fmt.Sprintf("takes up to %d bytes", info.MaxSize), "; use "+mayExceedHint
	switch {
	case info.MinSize > limit:
		size, hint = fmt.Sprintf("takes at least %d bytes", info.MinSize), ""
	case info.MaxSize == typecache.Unbounded:
		size = "has no maximum size"
		if name := undeclared(info.plan); name != "" {
			hint = fmt.Sprintf("; declare the maximum of %s with a method MaxBits() int, or use %s", name, mayExceedHint)
		}
	}
	has := "a datagram has room for"
	if limit > room {
		has = "a packet may have"
	}
	var fields []string
	for _, c := range info.Costs[:min(3, len(info.Costs))] {
		fields = append(fields, c.String())
	}
	return &Error{Op: "send", Type: info.Type, Reason: ErrBudget,
		Err: fmt.Errorf("%s %s, but %s %d; largest fields: %s%s",
			typename.Of(info.Type), size, has, limit, strings.Join(fields, ", "), hint)}
}

const mayExceedHint = "Type.MayExceed to check each packet when it is sent instead"

// undeclared returns the name of a type in p that serializes itself and has no
// MaxBits method, or "".
func undeclared(p *plan.Plan) string {
	for i := range p.Ops {
		if op := &p.Ops[i]; op.Code == plan.CodeCustom && int(op.Bias+op.Span) == typecache.Unbounded {
			return typename.Of(p.Fields[op.Field].Type)
		}
	}
	return ""
}

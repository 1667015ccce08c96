package packet

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

// ErrBudget says that a packet is larger than a datagram may be: when a
// protocol is built, that one of a type may be.
var ErrBudget = errors.New("packet: larger than the MTU allows")

// MaxDatagram is the largest payload of a UDP datagram over IPv4, in bytes. It
// bounds a datagram where the MTU of a protocol does not.
const MaxDatagram = 65507

// DefaultMTU is a payload that nearly every path of the internet takes whole:
// QUIC requires as much of one (RFC 9000, section 14).
const DefaultMTU = 1200

// Cost is what a field may take in the largest packet.
type Cost struct {
	Field string // "Bodies[].Position"
	Times int    // how often it may stand in one packet
	Bits  int    // of all of them, at most; typecache.Unbounded if nothing bounds it
}

// String returns the field and what it costs.
func (c Cost) String() string {
	switch {
	case c.Bits == typecache.Unbounded:
		return c.Field + " (unbounded)"
	case c.Times > 1:
		return fmt.Sprintf("%s (%d x %d bits)", c.Field, c.Times, c.Bits/c.Times)
	}
	return fmt.Sprintf("%s (%d bits)", c.Field, c.Bits)
}

// costs returns what the fields of a type may cost, the most expensive first.
func costs(p *typecache.Plan) []Cost {
	var list []Cost
	index := map[string]int{} // in list, by field
	p.Walk(func(at typecache.Step) {
		path := at.Path
		if path == "" {
			path = typename.Of(p.Type)
		}
		c := Cost{path, at.Times, saturate.Mul(at.Times, p.MostBits(at.Op))}
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

// largest returns the bytes of the largest packet of a plan behind an index of
// width bits. What aligns may take 7 bits more than it does at the start of a
// byte: behind its first alignment it goes on in the same way.
func largest(p *typecache.Plan, width int) int {
	if p.MaxBits == typecache.Unbounded {
		return typecache.Unbounded
	}
	n := width + p.MaxBits
	if width%8 != 0 && p.Aligns() {
		n += 7
	}
	return max(1, (n+7)/8)
}

// smallest returns the bytes of the smallest packet likewise. Behind an index
// an alignment may take fewer bits than at the start of a byte.
func smallest(p *typecache.Plan, width int) int {
	n := width + p.MinBits
	if width%8 != 0 && p.Aligns() {
		n = max(width, n-7)
	}
	return max(1, (n+7)/8)
}

// overBudget is the error of a type that has packets of more than room bytes.
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

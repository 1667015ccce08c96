package generator

import (
	"fmt"
	"strings"

	"github.com/gobitpack/bitpack/internal/plan/tree"
)

// term returns the expression of a code that is moved by shift bits, to the left
// if it is positive.
func term(code string, shift int) string {
	switch {
	case shift > 0:
		return fmt.Sprintf("%s<<%d", code, shift)
	case shift < 0:
		return fmt.Sprintf("%s>>%d", code, -shift)
	}
	return code
}

// width returns the number of bits of the slots.
func (a *appender) width() (bits int) {
	for i := range a.slots {
		bits += a.slots[i].width
	}
	return bits
}

// pack prints the codes of the slots, which start at bit fill of a word. It calls
// store with the expression of each word that is full, and returns that of the
// last bits. If fill is not 0, w is the first term of the first word.
func (a *appender) pack(fill int, store func(i int, word string)) string {
	var terms []string
	if fill > 0 {
		terms = append(terms, "w")
	}
	at, full := fill, 0
	for _, s := range a.slots {
		if s.code == "" {
			s.code = a.newLocal("c")
			if k := s.node.Kind; k == tree.KindFloat32 || k == tree.KindFloat64 {
				a.quantize(s.node, s.code)
			} else {
				a.linef("%s := %s", s.code, a.code(s.node))
				a.writeCheck(s.node, s.code)
			}
		}
		if s.width == 0 {
			continue
		}
		terms = append(terms, term(s.code, at))
		if at += s.width; at >= 64 {
			store(full, strings.Join(terms, " | "))
			full++
			at -= 64
			terms = nil
			if at > 0 {
				terms = append(terms, term(s.code, at-s.width))
			}
		}
	}
	a.slots = a.slots[:0]
	return strings.Join(terms, " | ")
}

// segment prints the slots.
func (a *appender) segment() {
	if len(a.slots) == 0 {
		return
	}
	a.linef("%s", describe(a.slots, "the next"))
	if a.fill == unknown {
		a.unknownSegment()
		return
	}
	bits := a.fill + a.width()
	full := bits / 64
	b := a.array(8 * full)
	rest := a.pack(a.fill, func(i int, word string) {
		a.linef("binary.LittleEndian.PutUint64(%s, %s)", b(8*i), word)
	})
	a.advance(8 * full)
	if rest != "" {
		a.linef("w = %s", rest)
	}
	a.fill = bits % 64
}

// unknownSegment prints the slots after an unknown number of bits.
func (a *appender) unknownSegment() {
	a.begun = true
	bits := a.width()
	least, most := a.least+bits, a.most+bits
	if most >= 64 && !a.roomy && !a.bounded() {
		a.linef("if need := int(n+%d) >> 6 << 3; len(buf)-pos < need {\nbuf = genrt.Grow(buf, pos, need)\n}", bits)
	}
	full, width := bits/64, bits%64
	if a.most+width >= 64 {
		a.place()
		a.displace()
	}
	var b func(int) string
	if full > 1 || a.at != unknown {
		b = a.part(8 * full)
	}
	rest := a.pack(0, func(i int, word string) {
		code := a.named(word)
		if b != nil {
			a.linef("binary.LittleEndian.PutUint64(%s, w|%s<<(n&63))", b(8*i), code)
		} else {
			a.linef("binary.LittleEndian.PutUint64(%s, w|%s<<(n&63))", a.here(0), code)
			a.advance(8)
		}
		a.linef("w = %s >> 1 >> (^n & 63)", code)
	})
	if b != nil {
		a.advance(8 * full)
	}
	if width > 0 {
		code := a.named(rest)
		a.linef("w |= %s << (n & 63)", code)
		if a.most+width < 64 {
			a.linef("n += %d", width)
		} else {
			a.linef("if n += %d; n >= 64 {", width)
			a.linef("binary.LittleEndian.PutUint64(%s, w)", a.here(0))
			a.advance(8)
			a.linef("n -= 64")
			a.linef("w = %s >> ((%d - n) & 63)", code, width)
			a.linef("}")
		}
	}
	if a.least, a.most = least%64, most%64; least/64 != most/64 {
		a.least, a.most = 0, 63
	}
}

// named returns a local variable with the value of an expression, or the
// expression if it is a variable.
func (a *appender) named(expr string) string {
	if !strings.Contains(expr, " ") && !strings.Contains(expr, "<") {
		return expr
	}
	x := a.newLocal("x")
	a.linef("%s := %s", x, expr)
	return x
}

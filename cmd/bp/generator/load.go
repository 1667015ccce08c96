package generator

import (
	"fmt"

	"github.com/gobitpack/bitpack/internal/plan/tree"
)

// segment prints the slots. The codes of each load are checked before their values
// are stored.
func (r *reader) segment() {
	if len(r.slots) == 0 {
		return
	}
	all, bits := r.slots, 0
	for _, s := range all {
		bits += s.width
	}
	r.linef("%s", describe(all, "the next"))
	if r.at == unknown {
		if bits > 0 && !r.covered {
			r.refuse("end-bit < %d", bits)
		}
		if r.window == 0 && (bits >= 16*8 || r.phase != unknown && r.phase+bits > 56) {
			r.windowed = r.newLocal("b")
			r.window = bits / 8
			if r.phase != unknown {
				r.window = (r.phase + bits + 7) / 8
			}
			r.linef("%s := (*[%d]byte)(data[bit>>3:])", r.windowed, r.window)
			if r.phase == unknown {
				r.shift = r.newLocal("s")
				r.linef("%s := uint(bit & 7)", r.shift)
			}
			defer func() { r.window = 0 }()
		}
	}
	r.loads()
	r.skip(bits)
	r.slots = nil
}

// store prints the checks of the codes of slots, and then the stores of their
// values.
func (r *reader) store(slots []slot) {
	for _, s := range slots {
		switch n := s.node; n.kind {
		case nodeField:
			r.readCheck(n, s.code)
		case tree.KindSlice, tree.KindMap, tree.KindSubset, tree.KindBytes:
			r.checkSpan(s.code, n.Span, s.width)
		default:
		}
	}
	vectors := r.vectors(slots)
	for _, s := range slots {
		if n := s.node; n.vector != nil {
			for i, x := range n.vector {
				to := "float32"
				if n.op.Size == 8 {
					to = "float64"
				}
				r.linef("%s = %s(%s[%d])", x, to, vectors[s.code], i)
			}
		} else if n.eight {
			r.linef("binary.LittleEndian.PutUint64(%s, %s)", n.value, s.code)
		} else if n.kind == nodeField && n.Kind != tree.KindConst {
			r.linef("%s = %s", n.value, r.valueOf(n, s.code))
		}
	}
}

// loads prints the loads of the slots' codes, and what is done with them.
func (r *reader) loads() {
	at := 0
	for i := 0; i < len(r.slots); {
		s := r.slots[i]
		if s.width == 0 {
			r.linef("%s := uint64(0)", s.code)
			r.store(r.slots[i : i+1])
			i++
			continue
		}
		word, from, size := r.load(at)
		if at+s.width > from+size { // a code that one load does not cover
			r.linef("%s := %s", s.code, extract(word, at-from, 32, false))
			high, from, size := r.load(at + 32)
			r.linef("%s |= %s << 32", s.code, extract(high, at+32-from, s.width-32, at+s.width == from+size))
			at += s.width
			r.store(r.slots[i : i+1])
			i++
			continue
		}
		x, first := r.newLocal("x"), i
		r.linef("%s := %s", x, word)
		for ; i < len(r.slots) && r.slots[i].width > 0 && at+r.slots[i].width <= from+size; i++ {
			s := r.slots[i]
			r.linef("%s := %s", s.code, extract(x, at-from, s.width, at-from+s.width == 64))
			at += s.width
		}
		r.store(r.slots[first:i])
	}
}

// load returns the expression of a word with the bits of the segment from at on.
// The word has size bits. The first of them is bit from of the segment.
func (r *reader) load(at int) (word string, from, size int) {
	if r.at == unknown && r.phase != unknown && r.window > 0 {
		first := min((r.phase+at)/8, r.window-8)
		return fmt.Sprintf("binary.LittleEndian.Uint64(%s[%d:])", r.windowed, first), 8*first - r.phase, 64
	}
	if r.at == unknown {
		if first := at / 8; first+8 <= r.window {
			word = fmt.Sprintf("binary.LittleEndian.Uint64(%s[%d:]) >> (%s & 63)", r.windowed, first, r.shift)
			if at%8 > 0 {
				word = fmt.Sprintf("binary.LittleEndian.Uint64(%s[%d:]) >> ((%s + %d) & 63)", r.windowed, first, r.shift, at%8)
			}
			return word, at, 57 - at%8
		}
		if at == 0 {
			return "genrt.Load(data, bit)", at, 57
		}
		return fmt.Sprintf("genrt.Load(data, bit+%d)", at), at, 57
	}
	first := min((r.at+at)/8, r.least-8)
	return fmt.Sprintf("binary.LittleEndian.Uint64(b[%d:])", first), 8*first - r.at, 64
}

// extract returns the expression of width bits of a word. last says that no
// further bits follow in the word.
func extract(word string, shift, width int, last bool) string {
	if shift > 0 {
		word = fmt.Sprintf("%s >> %d", word, shift)
	}
	if last || width == 64 {
		return word
	}
	return fmt.Sprintf("%s & %s", word, hex(1<<width-1))
}

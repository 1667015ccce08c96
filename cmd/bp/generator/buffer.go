package generator

import (
	"fmt"

	"github.com/gobitpack/bitpack/internal/plan/tree"
)

// maxReserved is the largest maximum of a message, in bytes, for which all room is
// made at the start. Most buffers have more.
const maxReserved = 512

// bounded reports whether there is room for the longest message from the start.
func (a *appender) bounded() bool { return a.pl.MaxBits <= 8*maxReserved }

// growing reports whether the code of the nodes calls functions that may grow the
// buffer.
func growing(list []node) bool {
	for i := range list {
		switch n := &list[i]; n.kind {
		case tree.KindString, tree.KindBytes, tree.KindAlign, tree.KindVarint, tree.KindRelative, tree.KindCommon, tree.KindSubset, nodePart:
			return true
		case nodeRaw:
			if n.Min < 8 {
				return true
			}
		default:
		}
		if growing(list[i].body) {
			return true
		}
	}
	return false
}

// here returns the expression of the buffer from the byte on that is add bytes
// after the next one.
func (a *appender) here(add int) string {
	name := "buf"
	if a.direct {
		name = "out"
	}
	return name + "[" + a.position(add) + ":]"
}

// position returns the expression of the number of bytes stored, plus add.
func (a *appender) position(add int) string {
	if a.at != unknown {
		return fmt.Sprint(a.at + add)
	}
	return offset("pos", uint64(add))
}

// advance skips bytes that have been stored.
func (a *appender) advance(bytes int) {
	switch {
	case bytes == 0:
	case a.at != unknown:
		a.at += bytes
	default:
		a.linef("pos += %d", bytes)
	}
}

// place makes the local variable pos up to date.
func (a *appender) place() {
	if a.at != unknown {
		a.linef("pos = %d", a.at)
	}
}

// displace makes the number of stored bytes unknown.
func (a *appender) displace() {
	a.place()
	a.at = unknown
}

// array makes sure that there is room for size bytes, and returns what part does.
func (a *appender) array(size int) func(at int) string {
	switch {
	case size == 0:
		return nil
	case a.begun && (a.bounded() || a.roomy):
		// there is room
	case a.begun:
		a.linef("if len(buf)-pos < %d {\nbuf = genrt.Grow(buf, pos, %d)\n}", size, size)
	default:
		a.first, a.begun = size, true
	}
	return a.part(size)
}

// part returns a function that returns the expression of the buffer from byte at of
// the next size bytes on. It makes a local variable with them if necessary.
func (a *appender) part(size int) func(at int) string {
	b, first := "out", a.at
	if first == unknown {
		b, first = a.newLocal("b"), 0
		a.linef("%s := (*[%d]byte)(%s)", b, size, a.here(0))
	}
	return func(at int) string { return fmt.Sprintf("%s[%d:]", b, first+at) }
}

// align prints the padding up to the next byte, and makes room for size bytes
// there. If they are at least 8, they overwrite the rest of the incomplete word.
func (a *appender) align(size int) {
	if size < 8 {
		a.linef("buf, pos = genrt.Align(buf, pos, %s, %d)", a.known(), size)
		return
	}
	bytes := "int(n+7) >> 3"
	if a.fill != unknown {
		bytes = fmt.Sprint((a.fill + 7) / 8)
	}
	if !a.bounded() {
		a.linef("if need := %s + %d; len(buf)-pos < need {\nbuf = genrt.Grow(buf, pos, need)\n}", bytes, size)
	}
	if a.fill != 0 {
		a.linef("binary.LittleEndian.PutUint64(%s, w)", a.here(0))
		if a.fill != unknown {
			a.advance((a.fill + 7) / 8)
			return
		}
		a.displace()
		a.linef("pos += %s", bytes)
	}
}

// finish prints the last slots and the end of the function. The number of bits is
// known.
func (a *appender) finish() {
	if len(a.slots) > 0 {
		a.linef("%s", describe(a.slots, "the last"))
	}
	bits := a.fill + a.width()
	size := (bits + 7) / 8
	b := a.array(size)
	word := a.pack(a.fill, func(i int, word string) {
		a.linef("binary.LittleEndian.PutUint64(%s, %s)", b(8*i), word)
	})
	if left := size % 8; bits%64 > 56 {
		a.linef("binary.LittleEndian.PutUint64(%s, %s)", b(size-8), word)
	} else if left > 0 {
		a.tail(b, size-left, left, a.named(word))
	}
	a.result(size, fmt.Sprint(8*size-bits))
}

// result prints the return of the message, which ends size bytes after the stored
// ones.
func (a *appender) result(size int, unused string) {
	if a.direct {
		a.linef("return dst[:len(dst)+%s], %s, true", a.position(size), unused)
	} else {
		a.linef("return buf[:%s], %s, true", a.position(size), unused)
	}
}

// close prints the end of a direct function with an unknown number of bits in the
// last word.
func (a *appender) close() {
	least, most := (a.least+7)/8, (a.most+7)/8
	switch {
	case least == most:
		if most > 0 {
			a.tail(a.part(most), 0, most, "w")
		}
		a.result(most, "-n & 7")
	case least == most-1:
		if least > 0 {
			a.tail(a.part(least), 0, least, "w")
		}
		a.linef("if n > %d {", 8*least)
		a.tail(func(int) string { return a.here(least) }, least, 1, fmt.Sprintf("w>>%d", 8*least))
		a.linef("}")
		a.linef("return dst[:len(dst)+%s+int(n+7)>>3], -n & 7, true", a.position(0))
	default:
		a.linef("return dst[:len(dst)+genrt.Last(out[:], %s, w, n)], -n & 7, true", a.position(0))
	}
}

// tail prints the stores of the low bytes of a word.
func (a *appender) tail(b func(int) string, at, left int, word string) {
	shift := 0
	for _, part := range []struct {
		bytes int
		name  string
	}{{8, "Uint64"}, {4, "Uint32"}, {2, "Uint16"}, {1, ""}} {
		if left < part.bytes {
			continue
		}
		x := word
		if shift > 0 {
			x = fmt.Sprintf("%s>>%d", word, shift)
		}
		switch part.bytes {
		case 1:
			to := b(at)
			a.linef("%s] = byte(%s)", to[:len(to)-2], x)
		case 8:
			a.linef("binary.LittleEndian.PutUint64(%s, %s)", b(at), x)
		default:
			a.linef("binary.LittleEndian.Put%s(%s, u%s(%s))", part.name, b(at), part.name[1:], x)
		}
		left -= part.bytes
		at += part.bytes
		shift += 8 * part.bytes
	}
}

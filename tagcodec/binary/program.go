//go:build !purego

package binary

// program copies the values of one element between memory and the wire, in one
// direction and for one byte order. Every value has its place on both sides,
// so that their order does not matter: those that are copied in one way are
// copied together, in a loop that has nothing to decide.
type program struct {
	move64, move32, move16, move8 []move // as they are
	swap64, swap32, swap16        []move // with their bytes reversed
	floats                        []move // float32s, whose bytes order reverses
	bools                         []move // bytes that become 0 or 1
	long                          []action

	order reversal

	// whole and count say that the element is one run without gaps: elements
	// are then a longer one. Otherwise whole is repeat.
	whole kind
	count int

	wide bool // there are moves of more than a byte

	toEach, fromEach int // the bytes from one element to the next
}

// move is one value: the offset that it is copied to, and from.
type move struct{ to, from uint32 }

// action is a run of n values, or n elements.
type action struct {
	kind     kind
	to, from int
	n        int
	elem     *program // of a repeat
}

// reversal says on which side the bytes of a word are in the reverse order of
// this machine.
type reversal uint8

const (
	neither reversal = iota
	reverseTo
	reverseFrom
)

// maxMoves is the number of values in a run that are moves of their own, and
// maxBytes the number of bytes.
const (
	maxMoves = 8
	maxBytes = 64
)

// encoder returns the program that writes values of a layout, on a wire whose
// words are in the reverse order of this machine or not.
func (l *layout) encoder(swap bool) *program {
	if swap {
		return l.program(reverseTo, true)
	}
	return l.program(neither, true)
}

// decoder returns the program that reads values of a layout likewise.
func (l *layout) decoder(swap bool) *program {
	if swap {
		return l.program(reverseFrom, false)
	}
	return l.program(neither, false)
}

func (l *layout) program(order reversal, encode bool) *program {
	p := &program{order: order, whole: repeat, toEach: l.size, fromEach: l.stride}
	if !encode {
		p.toEach, p.fromEach = l.stride, l.size
	}
	runs := l.simplified(order != neither, encode)
	if whole := (&layout{stride: l.stride, runs: runs}).dense(); whole != nil && l.size == l.stride {
		p.whole, p.count = whole.kind, whole.n
	}
	for _, r := range runs {
		a := action{kind: r.kind, to: r.wire, from: r.mem, n: r.n}
		if !encode {
			a.to, a.from = r.mem, r.wire
		}
		if r.kind == repeat {
			a.elem = r.elem.program(order, encode)
		}
		p.add(a)
	}
	p.wide = len(p.move64)+len(p.move32)+len(p.move16) > 0
	return p
}

// simplified returns the runs as a program needs them. Words that are copied
// as they are, are bytes; so are bools to an encoder. Blanks are for encoders
// alone.
func (l *layout) simplified(swap, encode bool) []run {
	var s layout
	for _, r := range l.runs {
		s.size = r.wire
		switch {
		case r.kind == repeat:
			s.runs = append(s.runs, r)
		case r.kind == blank && !encode:
		case r.kind <= word64 && !swap, r.kind == boolean && encode:
			s.values(word8, r.mem, r.bytes(), open)
		default:
			s.values(r.kind, r.mem, r.n, open)
		}
	}
	return s.runs
}

// add makes a run part of the program: as moves, if it is short.
func (p *program) add(a action) {
	switch {
	case a.kind == word8 && a.n <= maxBytes:
		p.addBytes(a)
	case a.kind == word8 || a.kind >= blank || a.n > maxMoves:
		p.long = append(p.long, a)
	default:
		list := [...]*[]move{word16: &p.swap16, word32: &p.swap32, word64: &p.swap64, float: &p.floats, boolean: &p.bools}[a.kind]
		for i := range a.n {
			at := uint32(i * width[a.kind])
			*list = append(*list, move{uint32(a.to) + at, uint32(a.from) + at})
		}
	}
}

// addBytes makes the fewest moves of a run of bytes. The last may copy some of
// them again.
func (p *program) addBytes(a action) {
	list, size := &p.move8, 1
	switch {
	case a.n >= 8:
		list, size = &p.move64, 8
	case a.n >= 4:
		list, size = &p.move32, 4
	case a.n >= 2:
		list, size = &p.move16, 2
	}
	for at := 0; at < a.n; at += size {
		first := uint32(min(at, a.n-size))
		*list = append(*list, move{uint32(a.to) + first, uint32(a.from) + first})
	}
}

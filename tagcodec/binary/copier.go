//go:build !purego

package binary

// copier copies the values of one element between memory and the wire, in one
// direction and for one byte order. Every value has a fixed offset on both
// sides, so the values can be copied in any order. Those that are copied in the
// same way are grouped and copied in a loop without branches.
type copier struct {
	move64, move32, move16, move8 []move // copied as they are
	swap64, swap32, swap16        []move // copied with their bytes reversed
	floats                        []move // float32s; order says where their bytes are reversed
	bools                         []move // bytes copied as 0 or 1
	long                          []action

	order reversal

	// whole and count are the kind and the number of the element's values if it
	// is one segment without gaps, so that several elements form one longer
	// segment. Otherwise whole is repeat.
	whole kind
	count int

	wide bool // there are moves wider than a byte

	toEach, fromEach int // bytes from one element to the next on each side
}

// move is one value, with its destination and source offsets.
type move struct{ to, from uint32 }

// action copies n values of one kind, or n elements.
type action struct {
	kind     kind
	to, from int
	n        int
	elem     *copier // the elements of a repeat
}

// reversal says on which side words have the opposite of this machine's byte
// order.
type reversal uint8

const (
	neither reversal = iota
	reverseTo
	reverseFrom
)

// A segment of at most maxMoves values, or of at most maxBytes bytes, is copied
// by moves.
const (
	maxMoves = 8
	maxBytes = 64
)

// encoder returns the copier that writes the values of l. With swap, words on
// the wire have the opposite of this machine's byte order.
func (l *layout) encoder(swap bool) *copier {
	if swap {
		return l.copier(reverseTo, true)
	}
	return l.copier(neither, true)
}

// decoder returns the copier that reads the values of l. swap is as for encoder.
func (l *layout) decoder(swap bool) *copier {
	if swap {
		return l.copier(reverseFrom, false)
	}
	return l.copier(neither, false)
}

// copier returns the copier that writes the values of l, if encode is true, or
// that reads them.
func (l *layout) copier(order reversal, encode bool) *copier {
	p := &copier{order: order, whole: repeat, toEach: l.size, fromEach: l.stride}
	if !encode {
		p.toEach, p.fromEach = l.stride, l.size
	}
	segments := l.simplified(order != neither, encode)
	if whole := (&layout{stride: l.stride, segments: segments}).dense(); whole != nil && l.size == l.stride {
		p.whole, p.count = whole.kind, whole.n
	}
	for _, r := range segments {
		a := action{kind: r.kind, to: r.wire, from: r.mem, n: r.n}
		if !encode {
			a.to, a.from = r.mem, r.wire
		}
		if r.kind == repeat {
			a.elem = r.elem.copier(order, encode)
		}
		p.add(a)
	}
	p.wide = len(p.move64)+len(p.move32)+len(p.move16) > 0
	return p
}

// simplified returns the segments that a copier copies. Words that keep their
// byte order are treated as bytes, and so are bools when encoding. Blanks are
// omitted when decoding.
func (l *layout) simplified(swap, encode bool) []segment {
	var s layout
	for _, r := range l.segments {
		s.size = r.wire
		switch {
		case r.kind == repeat:
			s.segments = append(s.segments, r)
		case r.kind == blank && !encode:
		case r.kind <= word64 && !swap, r.kind == boolean && encode:
			s.values(word8, r.mem, r.bytes(), accessOpen)
		default:
			s.values(r.kind, r.mem, r.n, accessOpen)
		}
	}
	return s.segments
}

// add adds an action to the copier, as moves if it is short.
func (p *copier) add(a action) {
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

// addBytes adds the fewest moves that copy a segment of bytes. The last move may
// overlap the one before it.
func (p *copier) addBytes(a action) {
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

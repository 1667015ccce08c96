package delta

// mostHeader is a bound on the size in bytes of a header, with the bit before a
// whole message and its padding.
const mostHeader = 24

// header begins each message of a Sender: the low 16 bits of the tick, and the
// spacing of the references.
//
//	1                        the spacing of the message of the base
//	0 lag (6 bits) older (5)  the base is lag ticks before, 1 to 63
//	0 0 (6 bits) rest        a complete snapshot; rest is the tick without its
//	                         low 16 bits, as Exp-Golomb code of order 3
type header struct {
	tick    uint64
	usual   bool
	spacing spacing
}

const (
	tickBits  = 16
	lagBits   = 6
	olderBits = 5
)

// spacing says how many ticks lie between a snapshot and its references. The
// zero value is that of a complete snapshot.
type spacing struct {
	lag   uint8 // ticks from the base
	older uint8 // index of the distances of the older images
}

// The distances of the older images from the base: that of the first, and its
// multiple for the second. 0 is none.
var (
	distances = [8]uint64{0, 1, 2, 3, 4, 6, 8, 12}
	multiples = [4]uint64{0, 2, 4, 6}
)

// apart returns the distances of the older images from the base, or 0 for
// those that there are not.
func (s spacing) apart() [2]uint64 {
	d := distances[s.older/4]
	return [2]uint64{d, d * multiples[s.older%4]}
}

// put writes the header.
func (h *header) put(w *bitWriter) {
	w.put(h.tick&(1<<tickBits-1), tickBits)
	switch {
	case h.usual:
		w.put(1, 1)
	case h.spacing == spacing{}:
		w.put(0, 1+lagBits)
		w.golomb(h.tick>>tickBits, 3)
	default:
		w.put(uint64(h.spacing.lag)<<1, 1+lagBits)
		w.put(uint64(h.spacing.older), olderBits)
	}
}

// getHeader reads a header. The tick of one that is not of a complete snapshot
// has only its low bits.
func (r *bitReader) getHeader() (h header) {
	h.tick = r.get(tickBits)
	if h.usual = r.get(1) == 1; h.usual {
		return h
	}
	if h.spacing.lag = uint8(r.get(lagBits)); h.spacing.lag > 0 {
		h.spacing.older = uint8(r.get(olderBits))
		if h.spacing.older > 0 && h.spacing.older < 4 {
			r.fail(ErrNotCanonical)
		}
		return h
	}
	rest := r.golomb(3)
	if rest >= 1<<(64-tickBits) {
		r.fail(ErrRange)
	}
	h.tick |= rest << tickBits
	return h
}

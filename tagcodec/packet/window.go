package packet

// WindowSize is the number of sequence numbers for which a session remembers
// whether it has accepted them, counted back from the highest accepted. A
// datagram older than these is refused.
const WindowSize = 256

// window records which sequence numbers were accepted. The zero window has
// accepted none.
type window struct {
	top  uint64                  // the highest accepted
	seen [WindowSize / 64]uint64 // bit i: top-i was accepted
}

// fresh reports whether a sequence number may be accepted. It does not change
// the window, because the datagram may still turn out to be forged.
func (w *window) fresh(seq uint64) bool {
	if seq > w.top {
		return true
	}
	age := w.top - seq
	return age < WindowSize && w.seen[age/64]>>(age%64)&1 == 0
}

// accept records a fresh sequence number.
func (w *window) accept(seq uint64) {
	if seq > w.top {
		w.shift(seq - w.top)
		w.top = seq
	}
	age := w.top - seq
	w.seen[age/64] |= 1 << (age % 64)
}

// shift makes room for n newer sequence numbers by ageing all others by n.
func (w *window) shift(n uint64) {
	if n >= WindowSize {
		w.seen = [len(w.seen)]uint64{}
		return
	}
	words, bits := int(n/64), n%64
	for i := len(w.seen) - 1; i >= 0; i-- {
		var v uint64
		if from := i - words; from >= 0 {
			v = w.seen[from] << bits
			if from > 0 {
				v |= w.seen[from-1] >> (64 - bits) // 0 if bits is 0
			}
		}
		w.seen[i] = v
	}
}

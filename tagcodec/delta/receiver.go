package delta

// Receiver reads the snapshots of one session. It keeps the images that it has
// read within the window. One goroutine may use it at a time.
type Receiver[T any] struct {
	store
	codec *Codec[T]
	state *T // during a call of Read
}

// source reads and restores images for a store.
type source interface {
	decode(data []byte, refs *Refs, bit int) (*Image, error)
	restore(*Image) error
}

// store holds the snapshots that a Receiver has read.
type store struct {
	window int
	read   []sent // by tick
	refs   Refs   // during a call of next
}

// NewReceiver returns a Receiver for one session.
func (c *Codec[T]) NewReceiver() *Receiver[T] {
	return &Receiver[T]{store: store{window: c.config.window}, codec: c}
}

// Read reads a message into state, and returns the tick of the snapshot. The
// program acknowledges the tick if there is no error, and also after ErrLate and
// ErrRepeated, where it is as good as read.
//
//   - ErrBaseline, a [*BaselineError]: an image that the message refers to is
//     missing. If this goes on, the program asks for a complete snapshot, which
//     is [Sender.Reset] at the other end.
//   - ErrLate: a newer snapshot has been read. The image is kept, as one that
//     later messages may refer to.
//   - ErrRepeated: the snapshot has been read before.
//   - ErrStale: the message is too old to be of use.
//   - Any other error: the message is not valid.
//
// In the first four cases state is not touched. After another error it may hold
// a part of the snapshot, as with Unmarshal.
func (r *Receiver[T]) Read(data []byte, state *T) (tick uint64, err error) {
	r.state = state
	defer func() { r.state = nil }()
	return r.next(data, r)
}

func (r *Receiver[T]) decode(data []byte, refs *Refs, bit int) (*Image, error) {
	return r.codec.read(data, refs, bit)
}

func (r *Receiver[T]) restore(image *Image) error { return r.codec.Restore(image, r.state) }

// next reads a message. Its image is restored unless it is late.
func (r *store) next(data []byte, from source) (tick uint64, err error) {
	in := bitReader{data: data}
	h := in.getHeader()
	if in.bad != nil {
		return 0, &Error{Op: "read", Bit: in.at, Err: in.bad}
	}
	r.refs, err = r.resolve(&h)
	defer func() { r.refs = Refs{} }()
	refs := &r.refs
	if err == nil {
		err = r.fresh(refs.Tick)
	}
	late := err == ErrLate
	if err != nil && !late {
		return refs.Tick, err
	}
	image, err := from.decode(data, refs, in.pos)
	if err != nil {
		return refs.Tick, err
	}
	if !late {
		if err := from.restore(image); err != nil {
			image.Release()
			return refs.Tick, err
		}
	}
	r.keep(sent{tick: refs.Tick, image: image.hold(), spacing: h.spacing})
	image.Release()
	if tick = refs.Tick; late {
		return tick, ErrLate
	}
	return tick, nil
}

// fresh refuses a tick that has been read, or is too old. It returns ErrLate for
// one that is older than the newest but may be read.
func (r *store) fresh(tick uint64) error {
	if len(r.read) == 0 {
		return nil
	}
	switch newest := r.read[len(r.read)-1].tick; {
	case r.find(tick) >= 0:
		return ErrRepeated
	case tick < newest && newest-tick >= uint64(r.window):
		return ErrStale
	case tick < newest:
		return ErrLate
	}
	return nil
}

// resolve finds the references of a message. It completes the spacing of h.
func (r *store) resolve(h *header) (refs Refs, err error) {
	if !h.usual && h.spacing.lag == 0 {
		return Refs{Tick: h.tick}, nil
	}
	base := -1
	for i := range r.read {
		lag := h.spacing.lag
		if h.usual {
			lag = r.read[i].spacing.lag
		}
		if lag > 0 && (r.read[i].tick+uint64(lag))&(1<<tickBits-1) == h.tick {
			base = i
			break
		}
	}
	if base < 0 {
		refs.Tick, err = r.missing(h)
		return refs, err
	}
	b := &r.read[base]
	if h.usual {
		h.spacing = b.spacing
	}
	refs.Tick = b.tick + uint64(h.spacing.lag)
	refs.Base = Ref{b.tick, b.image}
	for i, d := range h.spacing.apart() {
		if d == 0 {
			continue
		}
		older := r.find(b.tick - d)
		if older < 0 {
			return refs, r.lost(refs.Tick, b.tick-d)
		}
		refs.Older[i] = Ref{r.read[older].tick, r.read[older].image}
	}
	return refs, nil
}

// missing returns the error for a message whose base is missing. The tick of the
// message is the one nearest to the newest that was read.
func (r *store) missing(h *header) (tick uint64, err error) {
	tick = h.tick
	if n := len(r.read); n > 0 {
		newest := r.read[n-1].tick
		tick = newest + uint64(int64(int16(h.tick-newest)))
	}
	if r.find(tick) >= 0 {
		return tick, ErrRepeated
	}
	return tick, r.lost(tick, tick-uint64(h.spacing.lag))
}

// lost returns the error for a message that refers to a tick that was not read,
// or not kept.
func (r *store) lost(tick, missing uint64) error {
	if n := len(r.read); n > 0 && tick < r.read[n-1].tick {
		return ErrStale
	}
	return &BaselineError{Tick: tick, Missing: missing}
}

// find returns the index of the snapshot of a tick, or -1.
func (r *store) find(tick uint64) int {
	for i := range r.read {
		if r.read[i].tick == tick {
			return i
		}
	}
	return -1
}

// keep adds a snapshot in the order of ticks, and forgets those older than the
// window.
func (r *store) keep(s sent) {
	r.read = append(r.read, s)
	for i := len(r.read) - 1; i > 0 && r.read[i-1].tick > r.read[i].tick; i-- {
		r.read[i-1], r.read[i] = r.read[i], r.read[i-1]
	}
	r.read = forget(r.read, r.read[len(r.read)-1].tick, r.window)
}

// Tick returns the newest tick that was read. ok is false before the first.
func (r *store) Tick() (tick uint64, ok bool) {
	if n := len(r.read); n > 0 {
		return r.read[n-1].tick, true
	}
	return 0, false
}

// Image returns the image of a tick within the window, for interpolation. The
// caller becomes a user of the image, and may Release it.
func (r *store) Image(tick uint64) (*Image, bool) {
	if i := r.find(tick); i >= 0 {
		return r.read[i].image.share(), true
	}
	return nil, false
}

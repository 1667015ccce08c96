package delta

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/internal/sha256"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/custom"
)

// Codec codes snapshots of type T as deltas. It is safe for concurrent use.
type Codec[T any] struct {
	untyped
	plain  *tagcodec.Codec[T]
	silent *tagcodec.Codec[T] // plain, to verify messages
	spare  sync.Pool          // *T, to verify messages
}

// untyped is the part of a Codec that does not depend on its type.
type untyped struct {
	schema *schema
	config config
	images pools
	coders sync.Pool // *coder
	zero   *Image    // the base of complete snapshots
	hash   [32]byte
}

type config struct {
	rate   float64
	window int
	plain  []tagcodec.Option
}

// An Option changes a [Codec].
type Option func(*config)

// WithTickRate sets how many ticks there are in a second, for pred=vel. The
// default is 60. It is part of the hash.
func WithTickRate(ticks float64) Option { return func(c *config) { c.rate = ticks } }

// WithWindow sets for how many ticks a [Sender] and a [Receiver] keep an image,
// from 2 to 64. The default is 64. It is part of the hash.
func WithWindow(ticks int) Option { return func(c *config) { c.window = ticks } }

// WithCodec sets options of the codec that quantizes and restores, such as its
// unions and its Linker.
func WithCodec(opts ...tagcodec.Option) Option {
	return func(c *config) { c.plain = append(c.plain, opts...) }
}

// DefaultTickRate and DefaultWindow are those of a codec without options.
const (
	DefaultTickRate = 60
	DefaultWindow   = 64
)

// For returns the codec of T. It fails with an error that wraps a
// [*typecache.Error] if T or its tags are not valid.
func For[T any](opts ...Option) (*Codec[T], error) {
	cfg := config{rate: DefaultTickRate, window: DefaultWindow}
	for _, o := range opts {
		o(&cfg)
	}
	if !(cfg.rate > 0 && cfg.rate <= 1e9) || cfg.window < 2 || cfg.window > DefaultWindow {
		return nil, fmt.Errorf("delta: %w: the tick rate must be above 0, and the window from 2 to %d ticks", ErrArgument, DefaultWindow)
	}
	plain, err := tagcodec.For[T](cfg.plain...)
	var s *schema
	if err == nil {
		s, err = compile(sealed.PlanOf(plain.Plan()), &cfg)
	}
	if err != nil {
		return nil, &core.Renamed{Package: "delta", Err: err}
	}
	c := &Codec[T]{plain: plain, silent: plain.With(custom.Silent)}
	c.schema, c.config = s, cfg
	c.zero = s.empty(&c.images, &c.images.whole)
	c.hash = sha256.Sum(s.describe(&cfg))
	return c, nil
}

// MustFor is like [For] but panics on an error.
func MustFor[T any](opts ...Option) *Codec[T] {
	c, err := For[T](opts...)
	if err != nil {
		panic(err)
	}
	return c
}

// describe returns everything that affects the bytes of deltas.
func (s *schema) describe(cfg *config) string {
	text := fmt.Sprintf("delta 1\nwindow %d\n%s", cfg.window, s.plan.Text())
	for i, t := range s.tables {
		text += fmt.Sprintf("table %d of %d bits, key %d\n", i, t.bits, t.key)
		for j := range t.fields {
			f := &t.fields[j]
			text += fmt.Sprintf("field %d: %d cells from %d, pred %d", f.kind, f.n, f.first, f.pred)
			if f.pred == plan.PredVel {
				text += fmt.Sprintf(" of field %d by %v, own ticks %t", f.vel, f.scale[:min(f.n, 3)], f.own)
			}
			text += "\n"
		}
	}
	return text
}

// Hash returns the SHA-256 of everything that affects the bytes of deltas: the
// tags with their predictions, the tick rate as far as it matters, and the window.
func (c *Codec[T]) Hash() [32]byte { return c.hash }

// MinBits returns a lower bound on the length in bits of a message of
// [Codec.Append].
func (c *Codec[T]) MinBits() int { return 2 }

// MaxBits returns the largest length in bits of a message of [Codec.Append] and
// of a [Sender]. It is 24 bytes more than that of a message of package tagcodec,
// because such a message is sent if the delta is not shorter. It is
// [typecache.Unbounded] if that is.
func (c *Codec[T]) MaxBits() int {
	return saturate.Add(saturate.Mul(8, saturate.Bytes(c.plain.MaxBits())), 8*mostHeader)
}

// Quantize returns the image of a state. It refuses what Marshal refuses, and
// two elements of a keyed slice with the same key. reuse is released, and may be
// nil; its memory is used again as soon as nobody else uses it.
func (c *Codec[T]) Quantize(state *T, reuse *Image) (*Image, error) {
	reuse.Release()
	k := c.coder()
	defer c.coders.Put(k)
	data, err := c.plain.Append(k.message[:0], state)
	data = k.keep(data)
	if err != nil {
		return nil, &Error{Op: "quantize", Bit: -1, Err: err}
	}
	image, err := c.parsed(data, false)
	if err != nil {
		return nil, &Error{Op: "quantize", Bit: -1, Err: err}
	}
	return image, nil
}

// keep keeps the memory of a message for the next one. It returns the message with
// room for the bytes after it that parse clears.
func (k *coder) keep(message []byte) []byte {
	message = slices.Grow(message, parseRoom)
	k.message = message[:0]
	return message
}

// parsed returns the image of a valid message.
func (c *untyped) parsed(data []byte, strict bool) (*Image, error) {
	image := c.schema.empty(&c.images, &c.images.whole)
	if err := c.schema.parse(image, data, strict); err != nil {
		image.Release()
		return nil, err
	}
	image.size = len(data)
	return image, nil
}

// coder returns a coder from the pool.
func (c *untyped) coder() *coder {
	k, ok := c.coders.Get().(*coder)
	if !ok {
		k = &coder{schema: c.schema}
	}
	return k
}

// Restore sets state to the value that the image stands for: the one that
// Unmarshal reads from the message of the state that was quantized. The elements
// of keyed slices are in the order of their keys.
func (c *Codec[T]) Restore(image *Image, state *T) error {
	k := c.coder()
	defer c.coders.Put(k)
	data, err := c.pack(k, image)
	if err != nil {
		return err
	}
	if err := c.plain.Unmarshal(data, state); err != nil {
		return &Error{Op: "restore", Bit: -1, Err: err}
	}
	return nil
}

// pack returns the message of an image in the coder's memory.
func (c *untyped) pack(k *coder, image *Image) ([]byte, error) {
	if err := c.owns(image, "restore"); err != nil {
		return nil, err
	}
	data, err := image.pack(&k.writer, k.message[:0])
	if err != nil {
		return nil, &Error{Op: "restore", Bit: -1, Err: err}
	}
	k.message = data[:0]
	return data, nil
}

// owns refuses an image that is nil or of another codec.
func (c *untyped) owns(image *Image, op string) error {
	if image == nil || image.schema != c.schema || image.users.Load() == 0 {
		return &Error{Op: op, Bit: -1, Err: fmt.Errorf("%w: the image is nil, released, or made by another codec", ErrArgument)}
	}
	return nil
}

// Refs are the images that a delta refers to. Both sides must use the same. The
// zero value is for a complete snapshot, which refers to none.
type Refs struct {
	Tick  uint64 // of the snapshot
	Base  Ref
	Older [2]Ref // images before the base, to predict by; either may be unset
}

// Ref is an image and its tick.
type Ref struct {
	Tick  uint64
	Image *Image
}

// farthest is the largest number of ticks between images that refer to each
// other.
const farthest = 255

var errTicks = fmt.Errorf("%w: references must be from 1 to %d ticks before each other", ErrArgument, farthest)

// refer prepares the coder for the references.
func (k *coder) refer(c *untyped, refs *Refs, op string) error {
	k.base, k.older = c.zero, [2]*Image{}
	k.ticks, k.apart = 1, [2]int64{1, 1}
	if refs.Base.Image == nil {
		return nil
	}
	if err := c.owns(refs.Base.Image, op); err != nil {
		return err
	}
	if k.base = refs.Base.Image; refs.Tick-refs.Base.Tick-1 >= farthest {
		return &Error{Op: op, Bit: -1, Err: errTicks}
	}
	k.ticks = int64(refs.Tick - refs.Base.Tick)
	for i, r := range refs.Older {
		if r.Image == nil {
			continue
		}
		if err := c.owns(r.Image, op); err != nil {
			return err
		}
		if refs.Base.Tick-r.Tick-1 >= farthest {
			return &Error{Op: op, Bit: -1, Err: errTicks}
		}
		k.older[i], k.apart[i] = r.Image, int64(refs.Base.Tick-r.Tick)
	}
	return nil
}

// Append appends the delta of an image to dst. It does not say what it refers
// to: the reader must be given the same references.
func (c *Codec[T]) Append(dst []byte, image *Image, refs Refs) ([]byte, error) {
	return c.append(dst, image, &refs, nil)
}

// append appends a delta after a header, which may be nil.
func (c *untyped) append(dst []byte, image *Image, refs *Refs, h *header) ([]byte, error) {
	if err := c.owns(image, "append"); err != nil {
		return dst, err
	}
	k := c.coder()
	defer c.release(k)
	if err := k.refer(c, refs, "append"); err != nil {
		return dst, err
	}
	k.reading, k.image = false, image
	k.begin(dst, h)
	body := k.w.bits(len(dst))
	k.w.put(0, 1) // a delta
	k.run()
	if k.r.bad != nil {
		return dst, &Error{Op: "append", Bit: -1, Err: k.r.bad}
	}
	if image.size == 0 || k.w.bits(len(dst)) <= 8*(image.size+body/8+1) {
		return k.w.finish(), nil
	}
	k.begin(k.w.buf[:len(dst)], h)
	k.w.put(1, 1) // the whole message, from the next byte on
	data, err := image.pack(&k.writer, k.w.finish())
	if err != nil {
		return dst, &Error{Op: "append", Bit: -1, Err: err}
	}
	return data, nil
}

// begin writes a header, which may be nil.
func (k *coder) begin(dst []byte, h *header) {
	k.w = bitWriter{buf: dst}
	if h != nil {
		h.put(&k.w)
	}
}

// release puts a coder back into the pool without its references.
func (c *untyped) release(k *coder) {
	k.image, k.base, k.older, k.w.buf, k.r, k.trace = nil, nil, [2]*Image{}, nil, bitReader{}, nil
	k.writer = bits.Writer{}
	c.coders.Put(k)
}

// Read returns the image of a delta. It refuses every message that stands for a
// value that Unmarshal would refuse. reuse is released, and may be nil.
func (c *Codec[T]) Read(data []byte, refs Refs, reuse *Image) (*Image, error) {
	image, err := c.read(data, &refs, 0)
	reuse.Release()
	return image, err
}

// read reads a delta that begins at a bit of data.
func (c *Codec[T]) read(data []byte, refs *Refs, bit int) (*Image, error) {
	k := c.coder()
	defer c.release(k)
	return c.readWith(k, data, refs, bit)
}

// readWith is read with a coder.
func (c *Codec[T]) readWith(k *coder, data []byte, refs *Refs, bit int) (*Image, error) {
	if err := k.refer(&c.untyped, refs, "read"); err != nil {
		return nil, err
	}
	k.reading, k.r = true, bitReader{data: data, pos: bit}
	whole := k.r.get(1) == 1
	if k.trace != nil {
		k.trace.form(whole)
	}
	if whole {
		return c.readWhole(k)
	}
	k.image = c.schema.empty(&c.images, &c.images.whole)
	k.run()
	if k.r.bad == nil {
		k.r.end()
	}
	err := k.r.bad
	if err == nil && c.schema.verify {
		err = c.verify(k, k.image)
	}
	if err != nil {
		k.image.Release()
		return nil, &Error{Op: "read", Bit: k.r.at, Err: err}
	}
	return k.image, nil
}

// readWhole reads a message that is not a delta.
func (c *Codec[T]) readWhole(k *coder) (*Image, error) {
	if left := k.r.left() % 8; left > 0 && k.r.bad == nil && k.r.get(uint(left)) != 0 {
		k.r.fail(ErrPadding)
	}
	err := k.r.bad
	var image *Image
	if err == nil {
		data := k.r.data[k.r.pos/8:]
		if k.trace != nil {
			k.trace.whole(c.silent.Explain(data))
		}
		state := c.state()
		defer c.spare.Put(state)
		if err = c.silent.Unmarshal(data, state); err == nil {
			image, err = c.parsed(k.keep(append(k.message[:0], data...)), true)
		}
	}
	if err != nil {
		return nil, &Error{Op: "read", Bit: k.r.at, Err: err}
	}
	return image, nil
}

// verify refuses an image that Restore would refuse.
func (c *Codec[T]) verify(k *coder, image *Image) error {
	data, err := c.pack(k, image)
	if err != nil {
		return errors.Unwrap(err)
	}
	state := c.state()
	defer c.spare.Put(state)
	return c.silent.Unmarshal(data, state)
}

// state returns a variable to read into.
func (c *Codec[T]) state() *T {
	if state, ok := c.spare.Get().(*T); ok {
		return state
	}
	return new(T)
}

// end refuses whole bytes that are left, and bits that are not zero.
func (r *bitReader) end() {
	switch left := r.left(); {
	case left >= 8:
		r.fail(ErrTrailing)
	case r.get(uint(left)) != 0:
		r.fail(ErrPadding)
	}
}

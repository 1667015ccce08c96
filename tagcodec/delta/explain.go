package delta

import (
	"github.com/gobitpack/bitpack/tagcodec"
)

// Explain takes a message of [Codec.Append] apart: it returns its bits, and what
// they mean, up to the end of the message or to where [Codec.Read] would refuse
// it. refs are those that Read needs. Links are shown by their id.
//
// A delta says which rows have changed, which of their fields differ, and how far
// each value is from its prediction. The path of a part names the row or the
// field. Where a row has been removed or added by its key, the path names the list
// and the value is the key. The text of a number has the prediction, the residual
// and the parameters of its code R, as in the document, before the value itself.
//
// Explain is for people who look into a wire. It takes much more time than Read,
// and memory for each part, but not more than the message has bits for.
func (c *Codec[T]) Explain(data []byte, refs Refs) *tagcodec.Explanation {
	var e tagcodec.Explanation
	c.explain(&e, data, &refs, 0)
	return &e
}

// Explain takes a message of a [Sender] apart, as [Codec.Explain] does. The parts
// begin with the header, which names the references. Explain does not change what
// the Receiver knows.
//
// The error is that of [Receiver.Read]. A message that is late, repeated or stale
// is explained all the same if its references are there, and if it is not valid
// either, the error says so.
func (r *Receiver[T]) Explain(data []byte) *tagcodec.Explanation {
	var e tagcodec.Explanation
	in := bitReader{data: data}
	t := tracer{e: &e, schema: r.codec.schema, r: &in}
	h := in.getHeader()
	if in.bad != nil {
		t.header(&h, &Refs{Tick: h.tick})
		e.Err = &Error{Op: "read", Bit: in.at, Err: in.bad}
		return &e
	}
	sent := h
	refs, err := r.resolve(&h)
	if t.header(&sent, &refs); err != nil {
		e.Err = err
		return &e
	}
	if r.codec.explain(&e, data, &refs, in.pos); e.Err == nil {
		e.Err = r.fresh(refs.Tick)
	}
	return &e
}

// explain adds the parts of a delta that begins at a bit of data to e.
func (c *Codec[T]) explain(e *tagcodec.Explanation, data []byte, refs *Refs, bit int) {
	k := c.coder()
	defer c.release(k)
	k.trace = newTracer(e, k, bit)
	image, err := c.readWith(k, data, refs, bit)
	if image != nil {
		image.Release()
	}
	k.trace.finish()
	e.Err = err
}

// newTracer makes a tracer for a coder that reads from a bit on.
func newTracer(e *tagcodec.Explanation, k *coder, bit int) *tracer {
	return &tracer{e: e, schema: k.schema, r: &k.r, c: k, end: bit, places: make([][]place, len(k.schema.tables))}
}

// header notes the header of a message. The ticks of the references are known
// unless one is missing.
func (tr *tracer) header(h *header, refs *Refs) {
	root := tr.root()
	if tr.note(tickBits, root, "low bits of the tick", refs.Tick); tr.r.bad != nil && tr.r.at <= tickBits {
		return
	}
	var ticks []uint64
	for _, ref := range refs.Older {
		if ref.Image != nil {
			ticks = append(ticks, ref.Tick)
		}
	}
	var base any
	if refs.Base.Image != nil {
		base = refs.Base.Tick
	}
	switch {
	case h.usual && base != nil:
		tr.note(1, root, "the usual references, ticks", append([]uint64{refs.Base.Tick}, ticks...))
	case h.usual:
		tr.note(1, root, "the usual references", nil)
	case h.spacing.lag == 0:
		tr.note(1, root, "not the usual references", nil)
		tr.note(lagBits, root, "no base: a complete snapshot", nil)
		tr.note(golombBits(h.tick>>tickBits, 3), root, "the rest of the tick as EG(k=3)", h.tick>>tickBits)
	default:
		tr.note(1, root, "not the usual references", nil)
		if base == nil {
			tr.note(lagBits, root, "ticks since the base", int(h.spacing.lag))
		} else {
			tr.note(lagBits, root, "base, tick", base)
		}
		tr.note(olderBits, root, "older images, ticks", ticks)
	}
}

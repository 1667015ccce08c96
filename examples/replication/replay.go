package main

import (
	"fmt"
	"slices"

	"github.com/gobitpack/bitpack/tagcodec/delta"
)

// replay is a recorded match: a keyframe every few seconds, and between them a
// delta for each tick. It is in memory here; a file would have the same frames.
type replay struct {
	frames [][]byte // by tick
	last   [4]*delta.Image
}

// keyframes is the number of ticks from one keyframe to the next.
const keyframes = 4 * tickRate

// refs returns the references of a tick. A keyframe has none, and no tick refers
// to one before its keyframe.
func (r *replay) refs(tick uint64) delta.Refs {
	refs := delta.Refs{Tick: tick}
	since := tick % keyframes
	if since > 0 {
		refs.Base = delta.Ref{Tick: tick - 1, Image: r.last[(tick-1)%4]}
	}
	for i, d := range []uint64{1, 3} {
		if since > d {
			refs.Older[i] = delta.Ref{Tick: tick - 1 - d, Image: r.last[(tick-1-d)%4]}
		}
	}
	return refs
}

// keep makes an image a reference of the ticks after it.
func (r *replay) keep(tick uint64, image *delta.Image) {
	r.last[tick%4].Release()
	r.last[tick%4] = image
}

// record appends the next tick.
func (r *replay) record(image *delta.Image) error {
	tick := uint64(len(r.frames))
	frame, err := codec.Append(nil, image, r.refs(tick))
	if err != nil {
		return err
	}
	r.frames = append(r.frames, slices.Clip(frame))
	r.keep(tick, image.Retain())
	return nil
}

// seek returns the world of a tick. It reads the keyframe before it and the
// deltas from there on.
func (r *replay) seek(tick uint64) (w World, err error) {
	if tick >= uint64(len(r.frames)) {
		return w, fmt.Errorf("the replay has no tick %d", tick)
	}
	from := replay{frames: r.frames}
	for at := tick - tick%keyframes; at <= tick; at++ {
		image, err := codec.Read(r.frames[at], from.refs(at), nil)
		if err != nil {
			return w, err
		}
		from.keep(at, image)
	}
	err = codec.Restore(from.last[tick%4], &w)
	return w, err
}

// size returns the bytes of all frames.
func (r *replay) size() (n int) {
	for _, frame := range r.frames {
		n += len(frame)
	}
	return n
}

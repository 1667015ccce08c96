package delta

import (
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
)

// The ticks of rows that are sampled on their own are near those of the message.
const (
	earliest = 16 // below the ticks of the message
	stepSpan = 32
	stepBits = 5
)

// steps codes how many ticks after the base the rows of a set were sampled,
// unless a field before has done so: what is typical in 5 bits, the parameter of
// the differences from it in 2 bits, and the differences.
func (c *coder) steps(t *table, f *field, set []int32) {
	first := max(0, c.ticks-earliest)
	c.todo = c.todo[:0]
	for _, k := range set {
		if c.changed[k].ticks < 0 {
			c.todo = append(c.todo, k)
		}
	}
	todo := c.todo
	if len(todo) == 0 {
		return
	}
	if c.reading {
		typical, k := first+int64(c.r.get(stepBits)), uint(c.r.get(2))
		for _, i := range todo {
			ticks := typical + int64(bitio.Unzigzag(c.r.rice(k, 2)))
			if ticks < first || ticks >= first+stepSpan {
				c.r.fail(ErrRange)
			}
			c.changed[i].ticks = int16(ticks)
		}
		return
	}
	for _, i := range todo {
		c.changed[i].ticks = int16(c.bestStep(t, &c.changed[i], first))
	}
	cost := func(typical int64, k uint) (n int) {
		for _, i := range todo {
			n += riceBits(bitio.Zigzag(uint64(int64(c.changed[i].ticks)-typical)), k, 2)
		}
		return n
	}
	typical, k, best := first, uint(0), -1
	for ticks := first; ticks < first+stepSpan; ticks++ {
		for order := range uint(4) {
			if n := cost(ticks, order); best < 0 || n < best {
				typical, k, best = ticks, order, n
			}
		}
	}
	c.w.put(uint64(typical-first), stepBits)
	c.w.put(uint64(k), 2)
	for _, i := range todo {
		c.w.rice(bitio.Zigzag(uint64(int64(c.changed[i].ticks)-typical)), k, 2)
	}
}

// bestStep returns the ticks that predict the numbers of a row best.
func (c *coder) bestStep(t *table, r *row, first int64) (best int64) {
	var s spot
	c.open(&s, t, r)
	best = c.ticks
	least := -1
	for ticks := first; ticks < first+stepSpan; ticks++ {
		cost := int(min(8, magnitude(ticks-c.ticks)))
		for i := range t.fields {
			f := &t.fields[i]
			if f.pred != plan.PredVel || f.kind != numbers {
				continue
			}
			for j := range f.n {
				cell, v := &t.cells[f.first+j], &t.cells[t.fields[f.vel].first+j]
				sum := int64(v.load(s.baseData, s.base)^v.flip) + int64(v.load(s.data, s.at)^v.flip)
				from := int64(cell.load(s.baseData, s.base) ^ cell.flip)
				now := int64(cell.load(s.data, s.at) ^ cell.flip)
				cost += 16 * length(now-from-f.scale[j].distance(sum, ticks))
			}
		}
		if least < 0 || cost < least {
			best, least = ticks, cost
		}
	}
	return best
}

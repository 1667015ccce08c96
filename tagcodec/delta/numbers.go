package delta

import (
	mathbits "math/bits"

	"github.com/gobitpack/bitpack/internal/plan"
)

// forecast is what is known of a value before it is coded.
type forecast struct {
	held   int64    // in the base
	ext    [2]int64 // continued from each of the older images
	value  int64    // the prediction
	spread int64    // by how much two of these differ
}

// numbers codes the cells [from, to) of field i in the rows of a set. They are all
// cells of the field, except while a message is explained.
func (c *coder) numbers(t *table, i int, set []int32, from, to int) {
	f, m := &t.fields[i], c.modelOf(t, i)
	var s spot
	var p forecast
	for _, k := range set {
		r := &c.changed[k]
		c.open(&s, t, r)
		for j := from; j < to; j++ {
			cell := &t.cells[f.first+int32(j)]
			c.forecast(&p, t, f, m, &s, r, j)
			v := int64(0)
			if !c.reading {
				v = cell.around(int64(cell.load(s.data, s.at)^cell.flip) - p.value)
			}
			v = c.residual(&m.class[classOf(p.spread, r.last)], mathbits.Len64(cell.span), v)
			r.last = uint8(length(v))
			value := p.value + v
			if c.reading {
				c.codes[j] = cell.circle(uint64(value)) ^ cell.flip
				if c.failed() || c.codes[j] > cell.span {
					c.r.fail(ErrRange)
					return
				}
				cell.store(s.data, s.at, c.codes[j])
			}
			if f.pred == plan.PredLin && s.has[0] && s.has[1] {
				m.learn(v, p.ext[0]-p.held, p.ext[1]-p.held, m.neighbor[j])
				m.neighbor[j] = value - p.ext[0]
			}
		}
		if c.reading && f.valid != nil && to == int(f.n) && !f.valid(c.codes[:f.n]) {
			c.r.fail(ErrRange)
			return
		}
	}
}

// around returns the shortest residual on a circle of codes.
func (c *cell) around(v int64) int64 {
	if !c.wraps {
		return v
	}
	n := 64 - c.width
	return v << n >> n
}

// circle is the inverse of around for a code.
func (c *cell) circle(v uint64) uint64 {
	if !c.wraps {
		return v
	}
	return v & c.span
}

// limit returns v within the codes of the cell.
func (c *cell) limit(v int64) int64 {
	if c.wraps {
		return v
	}
	return clamp(v, 0, int64(c.span))
}

// forecast sets p to the forecast of cell j of a field. Its numbers are ordered
// codes.
func (c *coder) forecast(p *forecast, t *table, f *field, m *model, s *spot, r *row, j int) {
	cell := &t.cells[f.first+int32(j)]
	held := int64(cell.load(s.baseData, s.base) ^ cell.flip)
	p.held, p.value, p.ext[0], p.ext[1], p.spread = held, held, held, held, 0
	if cell.width > narrow {
		return
	}
	if f.pred == plan.PredVel {
		v := &t.cells[t.fields[f.vel].first+int32(j)]
		sum := int64(v.load(s.baseData, s.base)^v.flip) + int64(v.load(s.data, s.at)^v.flip)
		p.value = cell.limit(p.held + f.scale[j].distance(sum, c.since(r)))
		return // the distance says nothing about the residual
	}
	var moved [2]int64 // in quarters
	for i := range moved {
		if s.has[i] {
			old := int64(cell.load(s.olderData[i], s.older[i]) ^ cell.flip)
			moved[i] = divide(cell.around(p.held-old)*c.ticks*4, c.apart[i])
			p.ext[i] = cell.limit(p.held + divide(moved[i], 4))
		}
	}
	both := s.has[0] && s.has[1]
	if f.pred == plan.PredLin {
		if both {
			sum := moved[0]*m.weights[0] + moved[1]*m.weights[1] + 4*m.neighbor[j]*m.weights[2]
			p.value = cell.limit(p.held + divide(sum, 4<<16))
		} else {
			p.value = cell.limit(p.held + divide(moved[0]+moved[1], 4))
		}
	}
	if p.spread = p.value - p.held; both {
		p.spread = p.ext[0] - p.ext[1]
	}
}

// since returns the ticks from the base to a row.
func (c *coder) since(r *row) int64 {
	if r.ticks >= 0 {
		return int64(r.ticks)
	}
	return c.ticks
}

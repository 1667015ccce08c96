package delta

import (
	"encoding/binary"

	"github.com/gobitpack/bitpack/internal/plan"
)

// rotations codes quaternions of smallest three: the set of those whose largest
// component is not that of the prediction, and then for each the residuals of
// the others. The index of a largest component that is in the set takes 2 bits.
func (c *coder) rotations(t *table, i int, set []int32) {
	c.set2 = c.set2[:0]
	if c.reading {
		c.set2 = c.r.getSet(len(set), c.set2)
		c.rotate(t, i, set, c.set2)
		return
	}
	c.w, c.aside = bitWriter{buf: c.aside.buf[:0]}, c.w // the residuals follow the set
	c.rotate(t, i, set, nil)
	c.w, c.aside = c.aside, c.w
	c.outside = c.w.putSet(len(set), c.set2, c.outside)
	c.w.append(&c.aside)
}

// rotate codes the residuals of the quaternions of a set. others are the
// positions in the set of those whose largest component is not that of the
// prediction. When writing, it appends them to c.set2 instead.
func (c *coder) rotate(t *table, i int, set, others []int32) {
	f, m := &t.fields[i], c.modelOf(t, i)
	cells := t.cells[f.first : f.first+4]
	g := newGrid(cells[1].width)
	var s spot
	var p turning
	for n, k := range set {
		r := &c.changed[k]
		c.open(&s, t, r)
		c.predictRotation(&p, t, f, m, &g, &s, r)
		var parts [4]int64
		index := p.value.largest()
		if c.reading {
			if len(others) > 0 && int(others[0]) == n {
				others, index = others[1:], int64(c.r.get(2))
			}
			parts[0] = index
		} else {
			for j := range parts {
				parts[j] = int64(cells[j].load(s.data, s.at))
			}
			if parts[0] != index {
				c.set2 = append(c.set2, int32(n))
				c.w.put(uint64(parts[0]), 2)
			}
		}
		if c.components(f, m, &g, &s, r, &p, &parts, int(cells[1].width)); c.failed() {
			return
		}
		if c.reading {
			c.codes = [4]uint64{uint64(parts[0]), uint64(parts[1]), uint64(parts[2]), uint64(parts[3])}
			if !f.valid(c.codes[:]) {
				c.r.fail(ErrRange)
				return
			}
			for j := range cells {
				cells[j].store(s.data, s.at, c.codes[j])
			}
		}
	}
}

// turning is the prediction of a rotation, like forecast.
type turning struct {
	held, value quaternion
	moved       [2]quaternion // since the base, continued from each of the older images
}

// components codes the three components besides the largest, which is
// parts[0].
func (c *coder) components(f *field, m *model, g *grid, s *spot, r *row, p *turning, parts *[4]int64, width int) {
	value := g.pack(&p.value, parts[0])
	both := s.has[0] && s.has[1] && f.pred != plan.PredVel
	k := 0
	for j := range value {
		if int64(k) == parts[0] {
			k++
		}
		first, second := p.moved[0][k]>>(g.shift+1), p.moved[1][k]>>(g.shift+1)
		if p.value[parts[0]] < 0 {
			first, second = -first, -second
		}
		k++
		spread := first
		if both {
			spread = first - second
		}
		v := parts[j+1] - value[j]
		v = c.residual(&m.class[classOf(spread, r.last)], width, v)
		r.last = uint8(length(v))
		if parts[j+1] = value[j] + v; c.failed() || parts[j+1] < 0 || parts[j+1] > g.most {
			c.r.fail(ErrRange)
			return
		}
		if f.pred == plan.PredLin && both {
			m.learn(v, first, second, 0)
		}
	}
}

// predictRotation sets p to the prediction of the rotation of a row.
func (c *coder) predictRotation(p *turning, t *table, f *field, m *model, g *grid, s *spot, r *row) {
	cells := t.cells[f.first : f.first+4]
	g.load(&p.held, cells, s.baseData, s.base)
	for j := range p.held {
		p.value[j], p.moved[0][j], p.moved[1][j] = p.held[j], 0, 0
	}
	if f.pred == plan.PredVel {
		var angles [3]int64
		for j := range angles {
			v := &t.cells[t.fields[f.vel].first+int32(j)]
			sum := int64(v.load(s.baseData, s.base)^v.flip) + int64(v.load(s.data, s.at)^v.flip)
			angles[j] = f.scale[j].distance(sum, c.since(r))
		}
		p.value = p.held.turn(&angles)
		return
	}
	var old quaternion
	for i := range p.moved {
		if !s.has[i] {
			continue
		}
		g.load(&old, cells, s.olderData[i], s.older[i])
		old.toward(&p.held)
		for j := range old {
			p.moved[i][j] = divide((p.held[j]-old[j])*c.ticks, c.apart[i])
		}
	}
	if f.pred != plan.PredLin {
		return
	}
	for j := range p.value {
		if s.has[0] && s.has[1] {
			p.value[j] += divide(p.moved[0][j]*m.weights[0]+p.moved[1][j]*m.weights[1], 1<<16)
		} else {
			p.value[j] += p.moved[0][j] + p.moved[1][j]
		}
	}
}

// load sets q to the rotation whose code is in the cells of a row.
func (g *grid) load(q *quaternion, cells []cell, data []byte, row int) {
	var parts [4]int64
	for j := range parts {
		parts[j] = int64(cells[j].load(data, row))
	}
	g.unpack(q, &parts)
}

// append writes the bits of another writer, which must begin at a whole byte of
// its buffer.
func (w *bitWriter) append(other *bitWriter) {
	for buf := other.buf; len(buf) > 0; buf = buf[8:] { // it has whole words
		w.put(binary.LittleEndian.Uint64(buf), 64)
	}
	w.put(other.acc, other.n)
}

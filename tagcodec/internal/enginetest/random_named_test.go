package enginetest

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
)

// Types that reflect.StructOf cannot make: named, embedded and recursive types,
// and types with methods.

type (
	level   int16
	mask    uint8
	handle  uint64
	title   string
	ratio   float32
	precise float64
	phase   complex64
	packed  []byte
	label   [5]byte
)

// Header is an embedded struct of an exported type.
type Header struct {
	Version uint8  `bp:"bits=4"`
	Kind    uint16 `bp:"enum,max=9"`
}

// position is an embedded struct of an unexported type.
type position struct {
	X, Y float32 `bp:"float,min=-100,max=100,res=0.01"`
	//lint:ignore U1000 the codecs must leave it alone
	hidden int
}

type moving struct {
	Header
	Fast     bool
	position `bp:"if=Fast"`
	_        struct{} `bp:"align"`
	Odd      [2]uint8 `bp:"if=Version&1"`
	_        struct{} `bp:"reserved,bits=3"`
	Speed    int32    `bp:"int,min=0,max=500,if=Kind!=0"`
	Faster   int32    `bp:"relative,to=Speed,if=Speed"`
	_        struct{} `bp:"check"`
	Cache    []int    `bp:"-"`
}

type tree struct {
	Value int8   `bp:"int,min=-5,max=5"`
	Kids  []tree `bp:"maxlen=3"`
	Name  string `bp:"maxlen=5,if=Value==2"`
}

type chainedList struct {
	ID   uint16 `bp:"varint"`
	Next *chainedList
}

// convoy is a recursive type with a link, so that it may read as zero.
type convoy struct {
	Lead *ship `bp:"link,bits=4"`
	Next *convoy
}

// graph and edge contain each other.
type graph struct {
	Edges map[uint8]*edge `bp:"maxlen=2,key.max=9,key.min=0"`
	Depth uint8           `bp:"uint,bits=3"`
}

type edge struct {
	Cost float32 `bp:"half"`
	To   [2]*graph
}

// counted serializes itself in 3 to 69 bits.
type counted struct {
	N     int
	Items [6]uint16
}

func (c *counted) Serialize(s *bits.Stream) error {
	bits.Count(s, &c.N, 0, len(c.Items))
	if s.Err() != nil {
		return s.Err()
	}
	for i := range c.Items[:c.N] {
		bits.Bits(s, &c.Items[i], 11)
	}
	if s.Reading() {
		clear(c.Items[c.N:])
	}
	return s.Err()
}

func (c *counted) MaxBits() int { return 3 + 11*len(c.Items) }

// direction is an integer that serializes itself.
type direction int8

func (d *direction) Serialize(s *bits.Stream) error {
	bits.Int(s, d, -1, 1)
	return s.Err()
}

func (d *direction) MaxBits() int { return 2 }

var errUnlucky = errors.New("unlucky number")

// lucky refuses a value with its own error.
type lucky struct{ V uint8 }

func (l *lucky) Serialize(s *bits.Stream) error {
	bits.Int(s, &l.V, 0, 20)
	if s.Err() == nil && l.V == 13 {
		return errUnlucky
	}
	return s.Err()
}

// free takes no bits.
type free struct{}

func (*free) Serialize(*bits.Stream) error { return nil }

var errShouting = errors.New("no capitals")

// word has binary methods, including AppendBinary.
type word struct{ text string }

func (w word) AppendBinary(dst []byte) ([]byte, error) {
	if w.text != strings.ToLower(w.text) {
		return nil, errShouting
	}
	return append(dst, w.text...), nil
}

func (w word) MarshalBinary() ([]byte, error) { return w.AppendBinary(nil) }

func (w *word) UnmarshalBinary(data []byte) error {
	w.text = string(data)
	if w.text != strings.ToLower(w.text) {
		return errShouting
	}
	return nil
}

// pair has binary methods, but no AppendBinary.
type pair struct{ a, b byte }

func (p *pair) MarshalBinary() ([]byte, error) { return []byte{p.a, p.b}, nil }

var errNoPair = errors.New("a pair has two bytes")

func (p *pair) UnmarshalBinary(data []byte) error {
	if len(data) != 2 {
		return errNoPair
	}
	p.a, p.b = data[0], data[1]
	return nil
}

// namedShapes lists those of the types above that need no tag on their field.
var namedShapes = []shape{
	named(func(g *gen, m *moving) {
		m.Version, m.Kind = uint8(g.IntN(16)), uint16(g.IntN(10))
		m.Fast = g.IntN(2) == 0
		m.X, m.Y = 100*g.Float32(), -100*g.Float32()
		m.Odd = [2]uint8{uint8(g.IntN(256)), 1}
		m.Speed = int32(g.IntN(501))
		m.Faster = m.Speed + 1 + int32(g.IntN(1<<g.IntN(20)))
		if g.strays() {
			m.Faster, m.Version = -m.Faster, m.Version+1
		}
	}),
	named(func(g *gen, v *tree) { *v = randomTree(g, 1+g.IntN(4)) }),
	named(func(g *gen, v *chainedList) {
		*v = chainedList{}
		for n := g.IntN(5); n > 0; n-- {
			*v = chainedList{ID: uint16(g.Uint64() >> g.IntN(64)), Next: &chainedList{v.ID, v.Next}}
		}
	}),
	named(func(g *gen, v *convoy) {
		*v = convoy{Lead: fleet[g.IntN(3)]}
		if g.IntN(2) == 0 {
			v.Next = &convoy{Lead: fleet[g.IntN(3)]}
		}
	}),
	named(func(g *gen, v *graph) { *v = randomGraph(g, g.IntN(4)) }),
	named(func(g *gen, v *counted) {
		*v = counted{N: g.IntN(7)}
		for i := range v.N {
			v.Items[i] = uint16(g.IntN(1 << 11))
		}
		if g.strays() {
			v.N, v.Items[0] = 2+g.IntN(8), 1<<12
		}
	}),
	named(func(*gen, *free) {}),
	named(func(g *gen, v *direction) {
		*v = direction(g.IntN(3) - 1)
		if g.strays() {
			*v = 2
		}
	}),
	named(func(g *gen, v *lucky) {
		v.V = uint8(g.IntN(13))
		if g.strays() {
			v.V = uint8(13 + 10*g.IntN(2))
		}
	}),
}

// named returns a shape of type T, filled by fill.
func named[T any](fill func(*gen, *T)) shape {
	return shape{typ: reflect.TypeFor[T](), fill: func(g *gen, v reflect.Value) { fill(g, reference.As[T](v)) }}
}

func randomTree(g *gen, depth int) tree {
	v := tree{Value: int8(g.IntN(11) - 5), Name: g.text(5)}
	if depth > 0 {
		for range g.IntN(3) {
			v.Kids = append(v.Kids, randomTree(g, depth-1))
		}
	}
	if g.strays() {
		v.Value += 4
	}
	return v
}

func randomGraph(g *gen, depth int) graph {
	v := graph{Depth: uint8(depth)}
	for range g.IntN(depth + 1) {
		e := &edge{Cost: g.Float32()}
		for i := range e.To {
			if g.IntN(2) == 0 {
				next := randomGraph(g, depth-1)
				e.To[i] = &next
			}
		}
		if v.Edges == nil {
			v.Edges = map[uint8]*edge{}
		}
		key := uint8(g.IntN(10))
		if v.Edges[key] = e; g.IntN(8) == 0 {
			v.Edges[key] = nil
		}
	}
	if g.strays() {
		v.Depth += 6
	}
	return v
}

// binaryShape returns a type with binary methods.
func (g *gen) binaryShape() shape {
	if g.IntN(2) == 0 {
		s := named(func(_ *gen, v *pair) { *v = pair{1, 2} })
		s.kind, s.opts = "binary", []string{"maxlen=2"}
		return s
	}
	longest := 1 + g.IntN(5)
	s := named(func(g *gen, v *word) {
		v.text = strings.Repeat("a", g.IntN(longest+1))
		if g.strays() {
			v.text += []string{"A", "more than there is room for"}[g.IntN(2)]
		}
	})
	s.kind, s.opts = "binary", []string{option("maxlen", longest)}
	return s
}

// gen generates random types and values.
type gen struct {
	*rand.Rand
	stray  int // one value in stray is out of range; none if 0
	budget int // number of parts that the type may still get

	// common types have no parts and values of the rarer kinds.
	common bool
	long   bool // a common type has a long slice, and needs no other one
}

func newGen(seed uint64) *gen { return &gen{Rand: rand.New(rand.NewPCG(seed, 0)), budget: 40} }

// strays reports whether the next value should be out of range.
func (g *gen) strays() bool { return g.stray > 0 && g.IntN(g.stray) == 0 }

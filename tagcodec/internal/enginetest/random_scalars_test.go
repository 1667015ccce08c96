package enginetest

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
)

// shape is a random type with a suitable tag and a function that fills a value.
type shape struct {
	typ    reflect.Type
	kind   string
	opts   []string
	fill   func(*gen, reflect.Value)
	chains []chain // integers that are chained from element to element

	// sample fills a value within the range of the op, where fill may not. It
	// may be nil.
	sample func(*gen, reflect.Value)
}

// sampled returns a function that fills a value in range.
func (s shape) sampled() func(*gen, reflect.Value) {
	if s.sample != nil {
		return s.sample
	}
	return s.fill
}

// chain is an integer that must be greater than that of the previous element.
type chain struct {
	index []int // field index
	base  int64
	most  int64
}

func option(name string, value any) string { return fmt.Sprintf("%s=%v", name, value) }

var integerTypes = []reflect.Type{
	reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](), reflect.TypeFor[int](),
	reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[uint](),
	reflect.TypeFor[uintptr](), reflect.TypeFor[level](), reflect.TypeFor[mask](), reflect.TypeFor[handle](),
}

func pick[T any](g *gen, all ...T) T { return all[g.IntN(len(all))] }

// integerIn returns an integer of n bits, often a small or extreme one.
func (g *gen) integerIn(n int, signed bool) *big.Int {
	x := new(big.Int).SetUint64(g.Uint64())
	x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(g.Uint64()))
	x.Rsh(x, uint(128-g.IntN(n+1))) // 0 to n bits
	if g.IntN(6) == 0 {
		x.Lsh(big.NewInt(1), uint(g.IntN(n+1)))
		x.Sub(x, big.NewInt(1))
	}
	if signed {
		if odd := x.Bit(0) == 1; odd {
			return x.Rsh(x, 1).Not(x)
		}
		return x.Rsh(x, 1)
	}
	return x
}

// between returns an integer in [lo, hi], often one of the bounds.
func (g *gen) between(lo, hi *big.Int) *big.Int {
	switch g.IntN(5) {
	case 0:
		return lo
	case 1:
		return hi
	}
	span := new(big.Int).Sub(hi, lo)
	x := g.integerIn(span.BitLen(), false)
	if x.Cmp(span) > 0 {
		x.Sub(x, span)
	}
	return x.Add(lo, x)
}

// rangeIn returns the bounds of a range within n bits.
func (g *gen) rangeIn(n int, signed bool) (lo, hi *big.Int) {
	lo, hi = g.integerIn(n, signed), g.integerIn(n, signed)
	if lo.Cmp(hi) > 0 {
		lo, hi = hi, lo
	}
	return lo, hi
}

func setInteger(v reflect.Value, x *big.Int) {
	if v.CanInt() {
		v.SetInt(x.Int64())
	} else {
		v.SetUint(x.Uint64())
	}
}

// fillBetween fills an integer in [lo, hi], or any integer if the value strays.
func fillBetween(lo, hi *big.Int) func(*gen, reflect.Value) {
	return func(g *gen, v reflect.Value) {
		x := g.between(lo, hi)
		if g.strays() {
			x = g.integerIn(v.Type().Bits(), v.CanInt())
		}
		setInteger(v, x)
	}
}

// integer returns an integer of any type and kind.
func (g *gen) integer() shape {
	t := pick(g, integerTypes...)
	signed, n := t.Kind() <= reflect.Int64, t.Bits()
	one := big.NewInt(1)
	least, most := new(big.Int), new(big.Int).Lsh(one, uint(n))
	if signed {
		most.Rsh(most, 1)
		least.Neg(most)
	}
	most.Sub(most, one)
	own := map[bool]string{true: "int", false: "uint"}[signed]
	switch g.IntN(9) {
	case 0:
		return shape{typ: t, fill: fillBetween(least, most)}
	case 1:
		width := 1 + g.IntN(n)
		unused := uint(n - width)
		return shape{
			typ: t, kind: pick(g, "", own), opts: []string{option("bits", width)},
			fill: fillBetween(new(big.Int).Rsh(least, unused), new(big.Int).Rsh(most, unused)),
		}
	case 2:
		hi := g.integerIn(n, false)
		if hi.Cmp(most) > 0 {
			hi.Rsh(hi, 1)
		}
		return shape{typ: t, kind: "enum", opts: []string{option("max", hi)}, fill: fillBetween(new(big.Int), hi)}
	case 3:
		return shape{typ: t, kind: "varint", fill: fillBetween(least, most)}
	case 4:
		if t.Kind() == reflect.Int || t.Kind() == reflect.Uint || t.Kind() == reflect.Uintptr {
			break
		}
		frac := g.IntN(n)
		lo, hi := g.rangeIn(n-frac, signed)
		return shape{
			typ: t, kind: "fixed", opts: []string{option("min", lo), option("frac", frac), option("max", hi)},
			fill: fillBetween(new(big.Int).Lsh(lo, uint(frac)), new(big.Int).Lsh(hi, uint(frac))),
		}
	case 5:
		c := g.chainOf(t)
		return shape{
			typ: t, kind: "relative", opts: []string{option("base", c.base)}, chains: []chain{c},
			fill: func(g *gen, v reflect.Value) { g.above(v, c.base, c.most) },
		}
	case 6:
		s := shape{typ: t, kind: "expgolomb", fill: func(g *gen, v reflect.Value) {
			// Integers of all lengths, or most codes would be long.
			x := g.between(least, most)
			setInteger(v, x.Rsh(x, uint(g.IntN(n))))
		}}
		if k := g.IntN(n); k > 0 {
			s.opts = []string{option("k", k)}
		}
		return s
	}
	lo, hi := g.rangeIn(n, signed)
	return shape{
		typ: t, kind: pick(g, "", "int", "uint"), opts: []string{option("min", lo), option("max", hi)},
		fill: fillBetween(lo, hi),
	}
}

// chainOf returns a chain of integers of type t, usually with a low base.
func (g *gen) chainOf(t reflect.Type) chain {
	n, signed := min(t.Bits(), 32), t.Kind() <= reflect.Int64
	c := chain{base: -1, most: 1<<n - 1}
	if signed {
		c.most >>= 1
	}
	switch g.IntN(4) {
	case 0:
		c.base = -int64(g.IntN(1000))
	case 1:
		c.base = g.Int64N(c.most)
	}
	return c
}

// above sets v to an integer greater than before and, if possible, at most
// most.
func (g *gen) above(v reflect.Value, before, most int64) {
	d := 1 + g.Int64N(1<<g.IntN(20))
	x := min(before+d, max(most, before+1))
	if x < 0 && v.CanUint() {
		x = 0
	}
	if g.strays() {
		x = g.integerIn(v.Type().Bits(), v.CanInt()).Int64()
	}
	if v.CanInt() {
		v.SetInt(x)
	} else {
		v.SetUint(uint64(x))
	}
}

// oddFloats lists float64s that are likely to be handled wrongly.
var oddFloats = []float64{
	0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(),
	math.SmallestNonzeroFloat32, math.MaxFloat32, math.MaxFloat64, 65519, 65520, 0x1p-25, 1e-320,
}

// setFloat sets a float, or both parts of a complex number. It can set any bit
// pattern.
func setFloat(v reflect.Value, next func() float64) {
	switch v.Kind() {
	case reflect.Complex64:
		*reference.As[complex64](v) = complex(float32(next()), float32(next()))
	case reflect.Complex128:
		*reference.As[complex128](v) = complex(next(), next())
	default:
		v.SetFloat(next())
	}
}

// float returns a float or complex number of any kind.
func (g *gen) float() shape {
	t := pick(g, reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
		reflect.TypeFor[ratio](), reflect.TypeFor[precise](), reflect.TypeFor[phase]())
	single := t.Kind() == reflect.Float32 || t.Kind() == reflect.Complex64
	near := func(lo, hi float64) func(*gen, reflect.Value) {
		return func(g *gen, v reflect.Value) {
			setFloat(v, func() float64 {
				switch {
				case g.strays():
					return pick(g, oddFloats...)
				case g.IntN(5) == 0:
					return pick(g, lo, hi, 2*lo-hi, 2*hi-lo)
				}
				return lo + g.Float64()*(hi-lo)
			})
		}
	}
	switch g.IntN(6) {
	case 0: // any bit pattern, including NaNs with a payload
		return shape{typ: t, fill: func(g *gen, v reflect.Value) {
			setFloat(v, func() float64 {
				if g.IntN(3) == 0 {
					return pick(g, oddFloats...)
				}
				return math.Float64frombits(g.Uint64())
			})
			if v.Kind() == reflect.Float32 {
				*reference.As[float32](v) = math.Float32frombits(g.Uint32() | uint32(g.IntN(2))*0x7F800000)
			}
		}}
	case 1:
		if !single {
			break
		}
		return shape{typ: t, kind: "half", fill: func(g *gen, v reflect.Value) {
			setFloat(v, func() float64 { return pick(g, g.NormFloat64(), g.NormFloat64()*1e4, pick(g, oddFloats...)) })
		}}
	case 2:
		s := shape{typ: t, kind: "angle", fill: near(-1000, 1000)}
		s.opts = []string{option("bits", 1+g.IntN(32))}
		if g.IntN(2) == 0 {
			s.opts = []string{option("res", pick(g, "0.5", "1e-3", "1"))}
		}
		if g.IntN(2) == 0 {
			s.opts = append(s.opts, "unit="+pick(g, "deg", "rad"))
		}
		return s
	}
	lo := math.Round(g.NormFloat64() * 100)
	hi := lo + math.Ceil(1+g.ExpFloat64()*100)
	s := shape{typ: t, kind: pick(g, "", "float"), opts: []string{option("min", lo), option("max", hi)}, fill: near(lo, hi)}
	if g.IntN(2) == 0 {
		s.opts = append(s.opts, option("bits", 1+g.IntN(map[bool]int{true: 32, false: 53}[single])))
	} else {
		steps := 1 + g.IntN(1<<g.IntN(24))
		s.opts = append(s.opts, "res="+strconv.FormatFloat((hi-lo)/float64(steps), 'g', -1, 32))
	}
	return s
}

// wide returns a 128-bit integer.
func (g *gen) wide() shape {
	t, signed := reflect.TypeFor[bits.Uint128](), false
	if g.IntN(2) == 0 {
		t, signed = reflect.TypeFor[bits.Int128](), true
	}
	s := shape{typ: t}
	fill := func(lo, hi *big.Int) {
		s.fill = func(g *gen, v reflect.Value) {
			x := new(big.Int).Set(g.between(lo, hi))
			if g.strays() {
				x = g.integerIn(128, signed)
			}
			low := new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
			high := x.Rsh(x, 64)
			v.Field(0).SetUint(low)
			setInteger(v.Field(1), high)
		}
	}
	lo, hi := g.rangeIn(128, signed)
	switch g.IntN(3) {
	case 0:
		s.kind = pick(g, "", "int", "uint")
		fill(new(big.Int), new(big.Int).SetUint64(math.MaxUint64))
		return s
	case 1:
		frac := g.IntN(128)
		lo, hi = g.rangeIn(128-frac, signed)
		s.kind, s.opts = "fixed", []string{option("frac", frac)}
		fill(new(big.Int).Lsh(lo, uint(frac)), new(big.Int).Lsh(hi, uint(frac)))
	default:
		s.kind = pick(g, "", "int", "uint")
		fill(lo, hi)
	}
	s.opts = append(s.opts, option("min", lo), option("max", hi))
	return s
}

// text returns text of at most n bytes.
func (g *gen) text(n int) string {
	s := ""
	for range g.IntN(n + 1) {
		if r := pick(g, 'a', 'Z', ' ', 'é', '\u4e16', '\U00010000', '\U0001F680', rune(1+g.IntN(127))); len(s)+len(string(r)) <= n {
			s += string(r)
		}
	}
	return s
}

// texts returns a string or bytes of any kind.
func (g *gen) texts() shape {
	longest := g.IntN(8)
	if g.common && g.IntN(4) == 0 {
		longest = g.IntN(300)
	}
	shortest := g.IntN(longest + 1)
	bytesOf := func(g *gen) []byte {
		n := shortest + g.IntN(longest-shortest+1)
		if g.strays() {
			n = g.IntN(12)
		}
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(g.Uint32())
		}
		return b
	}
	textOf := func(g *gen) []byte {
		if g.strays() {
			return []byte(pick(g, "a\x00b", "\xff", "longer than it may be", "\xed\xa0\x80"))
		}
		return []byte(g.text(longest))
	}
	content := func(get func(*gen) []byte) func(*gen, reflect.Value) {
		return func(g *gen, v reflect.Value) {
			switch b := get(g); v.Kind() {
			case reflect.String:
				v.SetString(string(b))
			case reflect.Slice:
				v.SetBytes(slices.Clip(b))
			default:
				v.SetZero()
				copy(v.Bytes(), b)
			}
		}
	}
	maxlen, minlen := option("maxlen", longest), option("minlen", shortest)
	text := pick(g, reflect.TypeFor[string](), reflect.TypeFor[title]())
	raw := pick(g, reflect.TypeFor[[]byte](), reflect.TypeFor[packed](), reflect.TypeFor[[]mask]())
	array := pick(g, reflect.ArrayOf(1+g.IntN(9), reflect.TypeFor[byte]()), reflect.TypeFor[label]())
	switch g.IntN(7) {
	case 0:
		return shape{typ: text, kind: pick(g, "", "string"), opts: []string{maxlen}, fill: content(textOf)}
	case 1:
		return shape{typ: text, kind: "wstring", opts: []string{maxlen}, fill: content(textOf)}
	case 2:
		return shape{typ: text, kind: "bytes", opts: []string{minlen, maxlen}, fill: content(bytesOf)}
	case 3:
		return shape{typ: raw, kind: "bytes", opts: []string{maxlen, minlen}, fill: content(bytesOf)}
	case 4:
		return shape{typ: raw, kind: "string", opts: []string{maxlen}, fill: content(textOf)}
	case 5:
		return shape{typ: array, kind: "bytes", fill: content(bytesOf)}
	}
	longest = array.Len() - 1
	return shape{typ: array, kind: "cstring", fill: func(g *gen, v reflect.Value) {
		content(textOf)(g, v)
		for i := bytes.IndexByte(v.Bytes(), 0) + 1; i > 0 && i < v.Len() && g.IntN(2) == 0; i++ {
			v.Index(i).SetUint(7) // after the end of the text
		}
	}}
}

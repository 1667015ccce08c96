package tagcodec

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/typecache"
)

var randomSeeds = flag.Int("seeds", 1500, "how many random types the tests make")

// regressions are the seeds of types on which a loop and the interpreter once
// disagreed.
var regressions = []struct {
	seed uint64
	name string
}{}

func TestRandomTypes(t *testing.T) {
	for _, row := range regressions {
		t.Run(row.name, func(t *testing.T) { checkSeed(t, row.seed) })
	}
	for seed := range uint64(*randomSeeds) {
		if checkSeed(t, seed); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// randomType makes a type that has a plan. Of the types that a seed gives some
// have none, because an element may take 0 bits.
func randomType(t *testing.T, seed uint64) (*gen, shape, *typecache.Plan) {
	g := newGen(seed)
	for {
		g.budget = 40
		s := g.message()
		plan, err := typecache.Of(s.typ)
		if err == nil {
			return g, s, plan
		}
		require.ErrorContains(t, err, "may take 0 bits", "seed %d: %v", seed, s.typ)
	}
}

// checkSeed compares the loops with the interpreter on values of a random
// type.
func checkSeed(t *testing.T, seed uint64) {
	t.Helper()
	g, s, plan := randomType(t, seed)
	c := checker{t, fmt.Sprintf("seed %d: %v", seed, s.typ), plan, s.typ}
	for i := range 4 {
		g.stray = 0
		if i == 3 {
			g.stray = 12
		}
		v := reflect.New(s.typ)
		s.fill(g, v.Elem())
		data, ok := c.encode(v)
		if !ok {
			continue
		}
		g.stray = 3
		dirty := reflect.New(s.typ)
		s.fill(g, dirty.Elem())
		c.decode(data, dirty)
		for range 6 {
			c.decodeMutated(g.mutated(data))
		}
	}
}

// mutated returns a message that is cut, extended or has other bits.
func (g *gen) mutated(data []byte) []byte {
	data = slices.Clone(data)
	switch g.IntN(6) {
	case 0:
		return data[:g.IntN(len(data)+1)]
	case 1:
		return append(data, byte(g.IntN(2)))
	case 2:
		for i := range data {
			data[i] = byte(g.Uint32())
		}
	default:
		for range 1 + g.IntN(3) {
			if len(data) > 0 {
				data[g.IntN(len(data))] ^= 1 << g.IntN(8)
			}
		}
	}
	return data
}

// checker compares the loops with the interpreter on one type.
type checker struct {
	t    *testing.T
	name string
	plan *typecache.Plan
	typ  reflect.Type
}

// encode compares the messages of *v. They are not ok if v has none.
func (c *checker) encode(v reflect.Value) (data []byte, ok bool) {
	t := c.t
	t.Helper()
	prefix := []byte{0xFF, 0xA5, 0xFF}[:g3(v)]
	want, wantErr := reflectEncode(&defaults, c.plan, v.Elem(), slices.Clip(prefix))
	got, err := Append(slices.Clip(prefix), v.Interface())
	sameError(t, wantErr, err, c.name)
	size, sizeErr := Size(v.Interface())
	sameError(t, wantErr, sizeErr, c.name)
	value := v.Elem()
	if value.Kind() == reflect.Pointer {
		value = v // as Marshal would take what it points to
	}
	marshalled, marshalErr := Marshal(value.Interface())
	sameError(t, wantErr, marshalErr, c.name)
	if err != nil {
		require.Equal(t, prefix, got, c.name)
		return nil, false
	}
	require.Equal(t, want, got, c.name)
	require.Equal(t, prefix, got[:len(prefix)], c.name)
	data = got[len(prefix):]
	require.Equal(t, len(data), size, c.name)
	require.True(t, bytes.Equal(data, marshalled), c.name)
	return data, true
}

// g3 spreads values over the ways a buffer can begin.
func g3(v reflect.Value) int { return int(v.Pointer()>>4) % 4 % 3 }

// decode compares what the loop and the interpreter make of a message that
// Marshal wrote, in a new variable and in a used one.
func (c *checker) decode(data []byte, dirty reflect.Value) {
	t := c.t
	t.Helper()
	fresh := c.decodeMutated(data)
	require.True(t, fresh.IsValid(), "%s: its own message is refused", c.name)
	require.NoError(t, Unmarshal(data, dirty.Interface()), c.name)
	require.Empty(t, difference(fresh.Elem(), dirty.Elem()), "%s: a used variable shows what it held", c.name)
	require.Empty(t, hidden(dirty.Elem()), "%s: memory behind a slice shows what it held", c.name)

	bit, err := reflectDecode(&defaults, c.plan, reflect.New(c.typ).Elem(), data)
	require.NoError(t, err, c.name)
	require.LessOrEqual(t, c.plan.MinBits, bit, c.name)
	require.GreaterOrEqual(t, c.plan.MaxBits, bit, c.name)
	rest, err := UnmarshalFirst(append(slices.Clip(data), 1, 2, 3), dirty.Interface())
	require.NoError(t, err, c.name)
	require.Equal(t, []byte{1, 2, 3}, rest, c.name)
}

// decodeMutated compares what the loop and the interpreter make of any data,
// and returns the value, if it is one. A value has only one message, other
// than where the wire leaves it open.
func (c *checker) decodeMutated(data []byte) reflect.Value {
	t := c.t
	t.Helper()
	want, got := reflect.New(c.typ), reflect.New(c.typ)
	wantErr := reflectUnmarshal(&defaults, c.plan, want.Elem(), data)
	err := Unmarshal(data, got.Interface())
	sameError(t, wantErr, err, c.name)
	if err != nil {
		return reflect.Value{}
	}
	require.Empty(t, difference(want.Elem(), got.Elem()), c.name)
	again, ok := c.encode(got)
	require.True(t, ok, "%s: what was decoded cannot be encoded", c.name)
	if !open(c.plan) {
		require.Equal(t, data, again, "%s: two messages of one value", c.name)
	}
	return got
}

// open reports whether a plan's values may have several messages: integers by
// the absolute form of int_relative, half-precision NaNs, and floats in steps
// that float arithmetic does not tell apart.
func open(p *typecache.Plan) bool {
	for i := range p.Ops {
		if code := p.Ops[i].Code; code == typecache.CodeRelative || code == typecache.CodeHalf {
			return true
		}
	}
	for _, q := range p.Float32s {
		if far := max(math.Abs(float64(q.Min)), math.Abs(float64(q.Min+q.Delta))); float64(q.Delta)/float64(q.Steps) < far*0x1p-20 {
			return true
		}
	}
	for _, q := range p.Float64s {
		if far := max(math.Abs(q.Min), math.Abs(q.Min+q.Delta)); q.Delta/float64(q.Steps) < far*0x1p-49 {
			return true
		}
	}
	return false
}

var sentinels = []error{
	ErrRange, ErrLength, ErrText, ErrCheck, ErrPadding, ErrOverread, ErrTrailing, ErrOrder, ErrDepth, ErrArgument,
	errUnlucky, errShouting, errNoPair,
}

// sameError requires two errors that say the same.
func sameError(t *testing.T, want, got error, name string) {
	t.Helper()
	if want == nil || got == nil {
		require.Equal(t, want, got, name)
		return
	}
	require.Equal(t, want.Error(), got.Error(), name)
	var a, b *Error
	require.ErrorAs(t, want, &a, name)
	require.ErrorAs(t, got, &b, name)
	require.Equal(t, a.Op, b.Op, name)
	require.Equal(t, a.Type, b.Type, name)
	require.Equal(t, a.Path, b.Path, name)
	require.Equal(t, a.Bit, b.Bit, name)
	for _, s := range sentinels {
		require.Equal(t, errors.Is(want, s), errors.Is(got, s), "%s: errors.Is(%v)", name, s)
	}
	var p, q *bits.Error
	require.Equal(t, errors.As(want, &p), errors.As(got, &q), name)
	if p != nil {
		require.Equal(t, fmt.Sprint(*p), fmt.Sprint(*q), name) // as an integer may be of a wider type
	}
}

// difference returns the path of the first value in which a and b differ.
// Floats are the same if their bits are, and what is empty is the same as what
// is nil.
func difference(a, b reflect.Value) string {
	switch a.Kind() {
	case reflect.Float32:
		if math.Float32bits(*as[float32](a)) == math.Float32bits(*as[float32](b)) {
			return ""
		}
	case reflect.Float64:
		if math.Float64bits(a.Float()) == math.Float64bits(b.Float()) {
			return ""
		}
	case reflect.Complex64:
		if x, y := *as[complex64](a), *as[complex64](b); math.Float32bits(real(x)) == math.Float32bits(real(y)) &&
			math.Float32bits(imag(x)) == math.Float32bits(imag(y)) {
			return ""
		}
	case reflect.Complex128:
		if x, y := a.Complex(), b.Complex(); math.Float64bits(real(x)) == math.Float64bits(real(y)) &&
			math.Float64bits(imag(x)) == math.Float64bits(imag(y)) {
			return ""
		}
	case reflect.Pointer:
		if a.IsNil() == b.IsNil() {
			if a.IsNil() {
				return ""
			}
			return difference(a.Elem(), b.Elem())
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if d := difference(a.Field(i), b.Field(i)); d != "" {
				return "." + a.Type().Field(i).Name + d
			}
		}
		return ""
	case reflect.Array, reflect.Slice:
		if a.Len() != b.Len() {
			break
		}
		for i := range a.Len() {
			if d := difference(a.Index(i), b.Index(i)); d != "" {
				return fmt.Sprintf("[%d]%s", i, d)
			}
		}
		return ""
	case reflect.Map:
		if a.Len() != b.Len() {
			break
		}
		for _, key := range a.MapKeys() {
			x, y := a.MapIndex(key), b.MapIndex(key)
			if !y.IsValid() {
				return fmt.Sprintf("[%v]: %v, nothing", key, x)
			}
			if d := difference(addressable(x), addressable(y)); d != "" {
				return fmt.Sprintf("[%v]%s", key, d)
			}
		}
		return ""
	default:
		if a.Equal(b) {
			return ""
		}
	}
	return fmt.Sprintf(": %v, %v", a, b)
}

func addressable(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Elem()
}

// hidden returns the path of the first slice that has something in the memory
// behind its length.
func hidden(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return hidden(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if h := hidden(v.Field(i)); h != "" {
				return "." + v.Type().Field(i).Name + h
			}
		}
	case reflect.Slice:
		behind := v.Slice(v.Len(), v.Cap())
		for i := range behind.Len() {
			if !behind.Index(i).IsZero() {
				return fmt.Sprintf("[%d]: %v", v.Len()+i, behind.Index(i))
			}
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			if h := hidden(v.Index(i)); h != "" {
				return fmt.Sprintf("[%d]%s", i, h)
			}
		}
	}
	return ""
}

// FuzzRandomType attacks random types. What they are is decided by two bytes,
// so that the types, which stay in memory for good, do not become too many.
func FuzzRandomType(f *testing.F) {
	for seed := range uint64(20) {
		f.Add([]byte{byte(seed), byte(seed >> 8), 1, 2, 3, 4, 5, 6, 7, 8})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 {
			return
		}
		seed := uint64(data[0]) | uint64(data[1]&0x0F)<<8
		_, s, plan := randomType(t, seed)
		c := checker{t, fmt.Sprintf("seed %d: %v", seed, s.typ), plan, s.typ}
		c.decodeMutated(data[2:])
	})
}

// TestOracleKnowsEveryCode runs the interpreter over messages whose plans have
// all codes: one that it does not know panics.
func TestOracleKnowsEveryCode(t *testing.T) {
	seen := map[typecache.Code]bool{}
	for seed := range uint64(200) {
		g, s, plan := randomType(t, seed)
		v := reflect.New(s.typ).Elem()
		s.fill(g, v)
		data, err := reflectEncode(&defaults, plan, v, nil)
		if err != nil {
			continue
		}
		require.NoError(t, reflectUnmarshal(&defaults, plan, v, data))
		for i := range plan.Ops {
			seen[plan.Ops[i].Code] = true
		}
	}
	for code := range typecache.NumCodes {
		require.True(t, seen[typecache.Code(code)], "%v", typecache.Code(code))
	}
}

package enginetest

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
	"github.com/gobitpack/bitpack/typecache"
)

// seeds returns the number of random types to test.
func seeds(t *testing.T) uint64 { return uint64(effort.Rounds(t, 150)) }

// valuesOfType is the number of values of each random type that make the round trip.
const valuesOfType = 4

// regressions lists seeds of types for which a loop and the interpreter once
// disagreed. They are useful only while the generator makes the same types from
// these seeds.
var regressions = []struct {
	seed uint64
	name string
}{
	{32, "an unsigned relative integer below zero was shown modulo 2^64"},
	{68, "bytes after the end of an optional cstring counted as its value"},
	{174, "an optional recursive struct was always zero"},
	{3101, "an unresolved link in an optional recursive struct was refused"},
	{5767, "a code above a range of 128 bits was shown modulo 2^128"},
}

func TestRandomTypes(t *testing.T) {
	for _, row := range regressions {
		t.Run(row.name, func(t *testing.T) { checkSeed(t, row.seed) })
	}
	for seed := range seeds(t) {
		if checkSeed(t, seed); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// randomType makes a type that has a plan. Some generated types have none,
// because a few bits could claim unbounded memory for them, or because a map
// must have more entries than its key type has values.
func randomType(t *testing.T, seed uint64) (*gen, shape, *plan.Plan) {
	return randomTypeOf(t, newGen(seed), seed)
}

// randomTypeOf is randomType for a generator of that seed.
func randomTypeOf(t *testing.T, g *gen, seed uint64) (*gen, shape, *plan.Plan) {
	for {
		g.budget, g.long = 40, false
		s := g.message()
		plan, err := typecache.Of(s.typ)
		if err == nil {
			return g, s, sealed.PlanOf(plan)
		}
		require.Regexp(t, "may take 0 bits|could claim without sending|the number of different keys|values that take no bits", err.Error(), "seed %d: %v", seed, s.typ)
	}
}

// checkSeed compares the loops with the interpreter on values of a random type.
func checkSeed(t *testing.T, seed uint64) {
	t.Helper()
	g, s, _ := randomType(t, seed)
	c := newChecker(t, fmt.Sprintf("seed %d: %v", seed, s.typ), s.typ)
	for i := range valuesOfType {
		g.stray = 0
		if i%4 == 3 {
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

// mutated returns a truncated, extended or corrupted copy of a message.
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

// checker compares the loops with the interpreter on one type. Each engine has
// its own Linker, so that the calls to the Linkers can be compared too.
type checker struct {
	t          *testing.T
	name       string
	view       *typecache.Plan
	plan       *plan.Plan // of view
	typ        reflect.Type
	loop, slow core.Settings

	links, slowLinks *harbour
}

// relink gives both engines new Linkers.
func (c *checker) relink() {
	c.links, c.slowLinks = new(harbour), new(harbour)
	c.loop, c.slow = settingsWith(tagcodec.WithLinker(c.links)), settingsWith(tagcodec.WithLinker(c.slowLinks))
}

func newChecker(t *testing.T, name string, typ reflect.Type) *checker {
	t.Helper()
	plan, err := typecache.Of(typ)
	require.NoError(t, err)
	return newPlanChecker(t, name, plan)
}

func newPlanChecker(t *testing.T, name string, plan *typecache.Plan) *checker {
	c := &checker{t: t, name: name, view: plan, plan: sealed.PlanOf(plan), typ: plan.Type()}
	c.relink()
	return c
}

// encode compares the messages of *v. It returns false if v cannot be encoded.
func (c *checker) encode(v reflect.Value) (data []byte, ok bool) {
	t := c.t
	t.Helper()
	prefix := []byte{0xFF, 0xA5, 0xFF}[:spread(v)%3]
	want, wantErr := reference.Encode(&c.slow, c.plan, v.Elem(), slices.Clip(prefix))
	got, err := engine.Encode(&c.loop, c.plan, engine.VariableTo(v), slices.Clip(prefix))
	sameError(t, wantErr, err, c.name)
	n, sizeErr := engine.Size(&c.loop, c.plan, engine.VariableTo(v))
	sameError(t, wantErr, sizeErr, c.name)
	c.encodeInPlace(v, spread(v)%8)
	if err != nil {
		require.Equal(t, prefix, got, c.name)
		return nil, false
	}
	require.Equal(t, want, got, c.name)
	require.Equal(t, prefix, got[:len(prefix)], c.name)
	data = got[len(prefix):]
	require.Equal(t, len(data), n, c.name)
	return data, true
}

// encodeInPlace compares the bits that Serialize writes after the first phase
// bits.
func (c *checker) encodeInPlace(v reflect.Value, phase int) {
	t := c.t
	t.Helper()
	want, got := bits.NewAppendWriter(nil), bits.NewAppendWriter(nil)
	if phase > 0 {
		want.WriteBits(0x55&(1<<phase-1), phase)
		got.WriteBits(0x55&(1<<phase-1), phase)
	}
	wantErr := reference.Write(&c.slow, c.plan, v.Elem(), want, nil)
	err := serializeInside(&c.loop, v, bits.NewWriteStream(got))
	sameError(t, wantErr, err, c.name)
	if err == nil {
		require.Equal(t, want.Bit(), got.Bit(), c.name)
		require.Equal(t, want.Bytes(), got.Bytes(), c.name)
	}
}

// spread derives a number from the address of a value, to vary the buffers.
func spread(v reflect.Value) int { return int(v.Pointer() >> 4 & 0xFFFF) }

// decode compares the results of the loop and the interpreter for a valid
// message, in a new variable and in a used one.
func (c *checker) decode(data []byte, dirty reflect.Value) {
	t := c.t
	t.Helper()
	fresh := c.decodeMutated(data)
	require.True(t, fresh.IsValid(), "%s: its own message is refused", c.name)
	require.NoError(t, engine.Unmarshal(&c.loop, c.plan, engine.VariableTo(dirty), data), c.name)
	require.Empty(t, difference(fresh.Elem(), dirty.Elem()), "%s: a used variable shows old values", c.name)
	require.Empty(t, hidden(dirty.Elem()), "%s: memory after a slice shows old values", c.name)

	bit, err := reference.Decode(&c.slow, c.plan, reflect.New(c.typ).Elem(), data, 0, nil)
	require.NoError(t, err, c.name)
	require.LessOrEqual(t, c.plan.MinBits, bit, c.name)
	require.GreaterOrEqual(t, c.plan.MaxBits, bit, c.name)
	rest, err := engine.UnmarshalFirst(&c.loop, c.plan, engine.VariableTo(dirty), append(slices.Clip(data), 1, 2, 3))
	require.NoError(t, err, c.name)
	require.Equal(t, []byte{1, 2, 3}, rest, c.name)
}

// decodeMutated compares the results of the loop and the interpreter for any
// data. If the data is accepted, it returns the value. A value has only one
// message unless the encoding is not canonical.
func (c *checker) decodeMutated(data []byte) reflect.Value {
	t := c.t
	t.Helper()
	want, got := reflect.New(c.typ), reflect.New(c.typ)
	c.relink()
	wantErr := referenceUnmarshal(&c.slow, c.plan, want.Elem(), data)
	err := engine.Unmarshal(&c.loop, c.plan, engine.VariableTo(got), data)
	sameError(t, wantErr, err, c.name)
	if err != nil {
		return reflect.Value{}
	}
	require.Empty(t, difference(want.Elem(), got.Elem()), c.name)
	told := c.links.settle()
	require.Equal(t, c.slowLinks.settle(), told, c.name)
	require.Empty(t, difference(want.Elem(), got.Elem()), c.name)
	c.decodeInPlace(data, got)
	again, ok := c.encode(got)
	if !ok {
		_, err := engine.Encode(&c.loop, c.plan, engine.VariableTo(got), nil)
		require.NoError(t, err, "%s: what was decoded cannot be encoded", c.name)
	}
	if open := c.open(); open == 0 && len(told) == 0 {
		require.Equal(t, data, again, "%s: two messages of one value", c.name)
	} else {
		c.relay(again, got, open)
	}
	return got
}

// relay passes an encoded value from program to program. Each program must
// accept the message and send the same bytes. With very small steps of a
// quantized float, the bytes may change a few times first. The numbers of a
// matrix may change in their last bits each time.
func (c *checker) relay(data []byte, sent reflect.Value, open typecache.Noncanonical) {
	t := c.t
	t.Helper()
	hops := 1
	switch {
	case open&typecache.NoncanonicalMatrix != 0:
		hops = 4
	case open&typecache.NoncanonicalFloat != 0:
		hops = 64
	}
	for range hops {
		got := reflect.New(c.typ)
		require.NoError(t, engine.Unmarshal(&c.loop, c.plan, engine.VariableTo(got), data), "%s: what was relayed is refused", c.name)
		again, err := engine.Encode(&c.loop, c.plan, engine.VariableTo(got), []byte{})
		require.NoError(t, err, "%s: what was relayed cannot be relayed again", c.name)
		if open&(typecache.NoncanonicalMatrix|typecache.NoncanonicalFloat) == 0 {
			require.Empty(t, difference(sent.Elem(), got.Elem()), "%s: the value that is relayed is another", c.name)
		}
		if bytes.Equal(data, again) {
			return
		}
		data = again
	}
	require.NotZero(t, open&typecache.NoncanonicalMatrix, "%s: what is relayed changes each time", c.name)
}

// decodeInPlace reads a message with Serialize after some other bits.
func (c *checker) decodeInPlace(data []byte, value reflect.Value) {
	t := c.t
	t.Helper()
	w := bits.NewAppendWriter(nil)
	phase := len(data) % 8
	if phase > 0 {
		w.WriteBits(0x55&(1<<phase-1), phase)
	}
	for _, b := range data {
		w.WriteBits(uint64(b), 8)
	}
	want, got := bits.NewReader(w.Bytes()), bits.NewReader(w.Bytes())
	want.Reset(access.Data(want), phase)
	got.Reset(access.Data(got), phase)
	v := reflect.New(c.typ)
	c.relink()
	wantErr := reference.Read(&c.slow, c.plan, v.Elem(), want)
	err := serializeInside(&c.loop, v, bits.NewReadStream(got))
	sameError(t, wantErr, err, c.name)
	if err == nil {
		require.Equal(t, want.Bit(), got.Bit(), c.name)
		c.links.settle()
		if phase == 0 {
			require.Empty(t, difference(value.Elem(), v.Elem()), c.name)
		}
	}
}

// open returns the reasons why the type is not canonical. The test types with
// their own methods decode only what they would encode, and unknown links are
// counted separately. Both matter only if an optional value may read as zero.
func (c *checker) open() typecache.Noncanonical {
	open := c.view.Noncanonical()
	if !slices.ContainsFunc(c.plan.Ops, func(op plan.Op) bool { return op.Code == plan.CodeOptional }) {
		open &^= typecache.NoncanonicalOwn | typecache.NoncanonicalLink
	}
	return open
}

var sentinels = []error{
	tagcodec.ErrRange, tagcodec.ErrLength, tagcodec.ErrText, tagcodec.ErrCheck, tagcodec.ErrPadding, tagcodec.ErrOverread, tagcodec.ErrTrailing, tagcodec.ErrOrder, tagcodec.ErrDepth, tagcodec.ErrArgument,
	tagcodec.ErrNotCanonical, tagcodec.ErrUnion, tagcodec.ErrLink,
	errUnlucky, errShouting, errNoPair,
}

// sameError requires that two errors are equal in content.
func sameError(t *testing.T, want, got error, name string) {
	t.Helper()
	if want == nil || got == nil {
		require.Equal(t, want, got, name)
		return
	}
	require.Equal(t, want.Error(), got.Error(), name)
	var a, b *tagcodec.Error
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
		require.Equal(t, fmt.Sprintf("%#v", *p), fmt.Sprintf("%#v", *q), name) // compares text, because NaNs are not equal
	}
}

// difference returns the path of the first value in which a and b differ. It
// compares floats by their bits, and treats empty and nil as equal.
func difference(a, b reflect.Value) string {
	switch a.Kind() {
	case reflect.Float32:
		if math.Float32bits(*reference.As[float32](a)) == math.Float32bits(*reference.As[float32](b)) {
			return ""
		}
	case reflect.Float64:
		if math.Float64bits(a.Float()) == math.Float64bits(b.Float()) {
			return ""
		}
	case reflect.Complex64:
		if x, y := *reference.As[complex64](a), *reference.As[complex64](b); math.Float32bits(real(x)) == math.Float32bits(real(y)) &&
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
	case reflect.Interface:
		if a.IsNil() && b.IsNil() {
			return ""
		}
		if !a.IsNil() && !b.IsNil() && a.Elem().Type() == b.Elem().Type() {
			return difference(addressable(a.Elem()), addressable(b.Elem()))
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

// hidden returns the path of the first slice with nonzero memory beyond its
// length.
func hidden(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
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
		spare := v.Slice(v.Len(), v.Cap())
		for i := range spare.Len() {
			if !spare.Index(i).IsZero() {
				return fmt.Sprintf("[%d]: %v", v.Len()+i, spare.Index(i))
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

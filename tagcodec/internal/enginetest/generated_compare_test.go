package enginetest

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/typecache"
)

// TestCompareCode compares the generated code of namedTypes with the engine. Only
// TestGeneratedCode runs it.
func TestCompareCode(t *testing.T) {
	if len(namedTypes) == 0 {
		t.Skip("TestGeneratedCode runs it")
	}
	types, messages, refused, coded, ops := 0, 0, 0, 0, 0
	for i := range namedTypes {
		n := &namedTypes[i]
		view, err := typecache.Of(n.typ)
		if err != nil {
			continue // a field hides another one, which a condition names
		}
		c := newCodeChecker(t, fmt.Sprintf("seed %d: %v", n.seed, n.typ), sealed.PlanOf(view))
		if c == nil {
			continue
		}
		types++
		end := c.plan.BlockEnd(0)
		ops += end
		coded += end
		for _, part := range c.plan.Generated().Parts {
			coded -= part[1] - part[0]
		}
		c.check(n)
		messages += c.messages
		refused += c.refused
	}
	t.Logf("%d of %d types have code, which does %d of their %d ops; it took %d messages and refused %d",
		types, len(namedTypes), coded, ops, messages, refused)
	require.Greater(t, types, len(namedTypes)/2)
	require.Greater(t, coded, ops/2)
	require.Greater(t, messages, 20*types)
	require.Greater(t, refused, 20*types)
}

// codeChecker compares the generated code of a type with the engine.
type codeChecker struct {
	t    *testing.T
	name string
	plan *plan.Plan
	code *engine.Generated
	c    core.Settings
	// withoutCode are the same settings with a Linker, which no type here calls. The
	// engine does not use generated code then.
	withoutCode core.Settings

	used     [2]reflect.Value // two equal variables, which both sides use again
	messages int              // that the code took
	refused  int              // that the engine refused
}

// newCodeChecker returns nil if the plan has no generated code.
func newCodeChecker(t *testing.T, name string, pl *plan.Plan) *codeChecker {
	g := pl.Generated()
	if g == nil {
		return nil
	}
	c := &codeChecker{t: t, name: name, plan: pl, code: g.Untyped.(*engine.Generated), c: settingsWith()}
	c.withoutCode = c.c
	c.withoutCode.Linker = struct{ core.Resolver }{}
	c.used = [2]reflect.Value{reflect.New(pl.Type), reflect.New(pl.Type)}
	return c
}

// check compares values of a random type.
func (c *codeChecker) check(n *namedType) {
	c.t.Helper()
	defer func() {
		if r := recover(); r != nil {
			c.t.Log(c.name)
			panic(r)
		}
	}()
	g, s := n.shape(c.t)
	for i := range 12 {
		g.stray = 0
		if i%3 == 2 {
			g.stray = 12
		}
		v := reflect.New(c.plan.Type)
		s.fill(g, v.Elem())
		data, ok := c.encode(v)
		if !ok {
			continue
		}
		// Both sides fill their variable with the same value out of range.
		seed := g.Uint64()
		for k := range c.used {
			dirt := newGen(seed)
			dirt.stray = 3
			s.fill(dirt, c.used[k].Elem())
			addCapacity(dirt, c.used[k].Elem())
		}
		c.decode(data)
		c.decodeFirst(data)
		if g.IntN(4) == 0 {
			c.atBits(v)
		}
		c.decodeWrong(g, data)
	}
}

// encode compares the messages of *v, appended to different buffers. It returns
// false if v cannot be encoded.
func (c *codeChecker) encode(v reflect.Value) (data []byte, ok bool) {
	t, base := c.t, engine.VariableTo(v)
	want, wantErr := engine.EncodePlan(&c.c, c.plan, base, nil)
	out, _, ok := c.code.Append(&c.c, base, nil)
	require.Equal(t, wantErr == nil, ok, "%s: the code and the engine differ on whether it can be encoded: %v", c.name, wantErr)
	if ok {
		require.Equal(t, want, slices.Clip(out), c.name)
	}
	for _, prefix := range []int{0, 1, 3, 8, 11} {
		for _, spare := range []int{-9, -8, -7, -1, 0, 1, 7, 8, 9, 40} {
			room := max(0, len(want)+spare)
			mine, theirs := dirtyBuffer(prefix, room), dirtyBuffer(prefix, room)
			got, err := engine.Encode(&c.c, c.plan, base, mine[:prefix:prefix+room])
			other, otherErr := engine.EncodePlan(&c.c, c.plan, base, theirs[:prefix:prefix+room])
			sameError(t, otherErr, err, c.name)
			require.True(t, bytes.Equal(other, got), "%s: %d bytes, %d spare: %x, %x", c.name, prefix, spare, other, got)
			clean := dirtyBuffer(prefix, room)
			require.Equal(t, clean[:prefix], mine[:prefix], "%s: the bytes before the message", c.name)
			end := len(mine)
			if err == nil {
				end = min(end, prefix+len(want))
				require.True(t, len(got) > prefix+room || sameMemory(mine, got), "%s: %d spare: the buffer is not used again", c.name, spare)
			} else {
				require.True(t, sameMemory(mine, got), c.name)
				end = prefix + room // the message may have begun there
			}
			require.Equal(t, clean[end:], mine[end:], "%s: %d spare: the bytes after the message", c.name, spare)
		}
	}
	for _, depth := range []int{0, 1, 2, 4} {
		settings := settingsWith(tagcodec.WithMaxDepth(depth))
		_, wantErr := engine.EncodePlan(&settings, c.plan, base, nil)
		_, err := engine.Encode(&settings, c.plan, base, nil)
		sameError(t, wantErr, err, c.name)
	}
	if wantErr != nil {
		c.refused++
		return nil, false
	}
	c.messages++
	return want, true
}

// atBits compares values that start at any bit of a byte, after other values.
func (c *codeChecker) atBits(v reflect.Value) {
	t, base := c.t, engine.VariableTo(v)
	for _, bit := range []int{1, 3, 7, 8, 12} {
		before := []byte{0x99, 0xFF, 0xFF}[:1+(bit+7)/8]
		if n := bit & 7; n > 0 {
			before[len(before)-1] = 1<<n - 1
		}
		got, end, err := engine.EncodeFrom(&c.c, c.plan, base, slices.Clone(before), 1, bit)
		require.NoError(t, err, c.name)
		want, wantEnd, err := engine.EncodeFrom(&c.withoutCode, c.plan, base, slices.Clone(before), 1, bit)
		require.NoError(t, err, c.name)
		require.Equal(t, wantEnd, end, c.name)
		require.True(t, bytes.Equal(want, got), "%s from bit %d: %x, %x", c.name, bit, want, got)
		for _, data := range [][]byte{got[1:], append(slices.Clip(got[1:]), 0xFF, 0xFF), got[1:max(1, len(got)-1)]} {
			end, err := engine.Decode(&c.c, c.plan, engine.VariableTo(c.used[1]), data, min(bit, 8*len(data)))
			wantEnd, wantErr := engine.Decode(&c.withoutCode, c.plan, engine.VariableTo(c.used[0]), data, min(bit, 8*len(data)))
			sameError(t, wantErr, err, c.name)
			require.Equal(t, wantEnd, end, c.name)
			require.Empty(t, unlike(c.used[0].Elem(), c.used[1].Elem()), "%s from bit %d: %v", c.name, bit, err)
		}
	}
}

// sameMemory reports whether two slices start at the same place, if the second one
// has any capacity.
func sameMemory(a, b []byte) bool { return cap(b) == 0 || &a[:1][0] == &b[:1][0] }

// dirtyBuffer returns a buffer with prefix bytes, and room for more and 16 bytes after
// it that must not change.
func dirtyBuffer(prefix, room int) []byte {
	b := make([]byte, prefix+room+16)
	for i := range b {
		b[i] = byte(0xA5 + 31*i)
	}
	return b
}

// decode compares the values of data, and the errors, in new variables and in used
// ones.
func (c *codeChecker) decode(data []byte) {
	t := c.t
	want, got := reflect.New(c.plan.Type), reflect.New(c.plan.Type)
	wantErr := engine.UnmarshalPlan(&c.c, c.plan, engine.VariableTo(want), data)
	err := engine.Unmarshal(&c.c, c.plan, engine.VariableTo(got), data)
	sameError(t, wantErr, err, c.name)
	require.Empty(t, unlike(want.Elem(), got.Elem()), "%s: %v", c.name, err)

	bit, ok := c.code.Read(&c.c, engine.VariableTo(reflect.New(c.plan.Type)), data, 0)
	require.Equal(t, wantErr == nil, ok && engine.EndsAt(data, bit), "%s: the code and the engine differ on whether it is a message: %v", c.name, wantErr)
	if ok {
		c.messages++
	} else {
		c.refused++
	}

	wantErr = engine.UnmarshalPlan(&c.c, c.plan, engine.VariableTo(c.used[0]), data)
	err = engine.Unmarshal(&c.c, c.plan, engine.VariableTo(c.used[1]), data)
	sameError(t, wantErr, err, c.name)
	require.Empty(t, unlike(c.used[0].Elem(), c.used[1].Elem()), "%s: a used variable: %v", c.name, err)
	if err == nil {
		require.Empty(t, difference(got.Elem(), c.used[1].Elem()), "%s: a used variable shows old values", c.name)
		require.Empty(t, hidden(c.used[1].Elem()), "%s: memory after a slice shows old values", c.name)
	}

	for _, depth := range []int{0, 1, 3} {
		settings := settingsWith(tagcodec.WithMaxDepth(depth), tagcodec.WithSentinelErrors())
		wantErr := engine.UnmarshalPlan(&settings, c.plan, engine.VariableTo(want), data)
		err := engine.Unmarshal(&settings, c.plan, engine.VariableTo(got), data)
		require.Equal(t, wantErr, err, c.name)
		require.Empty(t, unlike(want.Elem(), got.Elem()), "%s: depth %d: %v", c.name, depth, err)
	}
}

// decodeFirst compares what is read from the start of more data.
func (c *codeChecker) decodeFirst(data []byte) {
	t := c.t
	more := append(slices.Clip(data), 0xFF, 0, 0xFF, 1, 2, 3, 4, 5, 6)
	for _, data := range [][]byte{more, more[:len(data)+1], data[:max(0, len(data)-1)]} {
		rest, err := engine.UnmarshalFirst(&c.c, c.plan, engine.VariableTo(c.used[1]), data)
		wantRest, wantErr := engine.UnmarshalFirst(&c.withoutCode, c.plan, engine.VariableTo(c.used[0]), data)
		sameError(t, wantErr, err, c.name)
		require.Equal(t, wantRest, rest, c.name)
		require.Empty(t, unlike(c.used[0].Elem(), c.used[1].Elem()), "%s: %v", c.name, err)
	}
}

// decodeWrong compares what becomes of messages that were cut off, extended or
// changed.
func (c *codeChecker) decodeWrong(g *gen, data []byte) {
	const most = 24 // of each sort
	for i := range min(len(data), most) {
		n := i
		if len(data) > most {
			n = g.IntN(len(data))
		}
		c.decode(data[:n])
	}
	c.decode(append(slices.Clip(data), 0))
	c.decode(append(slices.Clip(data), 1))
	for i := range min(8*len(data), most) {
		bit := i
		if 8*len(data) > most {
			bit = g.IntN(8 * len(data))
		}
		wrong := slices.Clone(data)
		wrong[bit/8] ^= 1 << (bit % 8)
		c.decode(wrong)
	}
	for range 8 {
		c.decode(g.mutated(data))
	}
}

// addCapacity gives some slices more capacity than they need.
func addCapacity(g *gen, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			addCapacity(g, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				addCapacity(g, v.Field(i))
			}
		}
	case reflect.Slice:
		if !v.IsNil() && g.IntN(2) == 0 {
			n := v.Len()
			v.Grow(pick(g, 1, 3, 40))
			v.SetLen(n)
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			addCapacity(g, v.Index(i))
		}
	}
}

// unlike is like difference, but nil and empty differ, and so do slices with
// different memory after their length.
func unlike(a, b reflect.Value) string {
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			break
		}
		if a.Kind() == reflect.Interface {
			return difference(a, b)
		}
		return unlike(a.Elem(), b.Elem())
	case reflect.Map:
		if a.IsNil() == b.IsNil() {
			return difference(a, b)
		}
		return fmt.Sprintf(": %v, %v", a, b)
	case reflect.Slice:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() || a.Cap() != b.Cap() {
			return fmt.Sprintf(": %d of %d (nil: %t), %d of %d (nil: %t)", a.Len(), a.Cap(), a.IsNil(), b.Len(), b.Cap(), b.IsNil())
		}
		for i := range a.Cap() {
			if d := unlike(a.Slice(0, a.Cap()).Index(i), b.Slice(0, b.Cap()).Index(i)); d != "" {
				return fmt.Sprintf("[%d]%s", i, d)
			}
		}
		return ""
	case reflect.Array:
		for i := range a.Len() {
			if d := unlike(a.Index(i), b.Index(i)); d != "" {
				return fmt.Sprintf("[%d]%s", i, d)
			}
		}
		return ""
	case reflect.Struct:
		for i := range a.NumField() {
			if d := unlike(a.Field(i), b.Field(i)); d != "" {
				return "." + a.Type().Field(i).Name + d
			}
		}
		return ""
	}
	return difference(a, b)
}

package tagcodec_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/vectors"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// eachVectorSet is [vectors.Each] with the types that the description of the format
// names.
func eachVectorSet(t *testing.T, f func(*testing.T, *vectors.Set, *vectorTypes)) {
	vectors.Each(t, func(t *testing.T, set *vectors.Set) {
		types := newVectorTypes()
		f(t, set, types)
		t.Logf("%d tested, as %d types; %d skipped: %s", types.tested, len(types.types), len(types.skipped), strings.Join(types.skipped, ", "))
		require.Empty(t, types.skipped, "tags have no form of these")
		require.NotZero(t, types.tested)
	})
}

// vectorSlice returns the first n bytes of data without spare capacity. The
// array continues with ones, so that a read past the end is noticed.
func vectorSlice(data []byte, n int) []byte {
	array := make([]byte, n+16)
	for i := copy(array, data[:n]); i < len(array); i++ {
		array[i] = 0xFF
	}
	return array[:n:n]
}

// requireRefused checks the content of an error.
func requireRefused(t *testing.T, err error, typ reflect.Type, sentinel error, path, name string) *tagcodec.Error {
	t.Helper()
	var e *tagcodec.Error
	require.ErrorIs(t, err, sentinel, name)
	require.ErrorAs(t, err, &e, name)
	require.Equal(t, path, e.Path, name)
	require.Equal(t, "unmarshal", e.Op, name)
	require.Equal(t, typ, e.Type, name)
	return e
}

// requireExact checks that a message has exactly n bits. With one more byte,
// the only error must be trailing data.
func requireExact(t *testing.T, data []byte, n int, dst any, name string) {
	t.Helper()
	typ := reflect.TypeOf(dst).Elem()
	path := typ.Name()
	if path == "" {
		path = typ.String()
	}
	longer := append(append([]byte{}, data...), 0)
	e := requireRefused(t, tagcodec.Unmarshal(longer, dst), typ, tagcodec.ErrTrailing, path, name)
	require.Equal(t, n, e.Bit, name)
}

// Every message must encode to its bytes and decode to its values, and no
// shorter prefix may be accepted.
func TestVectorMessages(t *testing.T) {
	eachVectorSet(t, func(t *testing.T, set *vectors.Set, types *vectorTypes) {
		for _, m := range set.Messages {
			mt := types.of(m.Name, m.Ops)
			if mt == nil {
				continue
			}
			value, want := mt.value(m.Ops, false), mt.value(m.Ops, true)
			testVectorWrite(t, &m, mt, value)

			got := reflect.New(mt.typ)
			require.NoError(t, tagcodec.Unmarshal(vectorSlice(m.Bytes, len(m.Bytes)), got.Interface()), m.Name)
			require.Equal(t, vectors.Dump(want.Interface()), vectors.Dump(got.Interface()), m.Name)
			requireExact(t, m.Bytes, m.Bits, got.Interface(), m.Name)
			for n := range m.Bytes {
				if err := tagcodec.Unmarshal(vectorSlice(m.Bytes, n), got.Interface()); !errors.Is(err, tagcodec.ErrOverread) {
					require.ErrorIs(t, err, tagcodec.ErrOverread, "%s: %d of %d bytes", m.Name, n, len(m.Bytes))
				}
			}
		}
	})
}

func testVectorWrite(t *testing.T, m *vectors.Message, mt *vectorType, value reflect.Value) {
	t.Helper()
	data, err := tagcodec.Marshal(value.Interface())
	require.NoError(t, err, m.Name)
	require.Equal(t, m.Bytes, data, m.Name)
	data, err = tagcodec.Marshal(value.Elem().Interface())
	require.NoError(t, err, m.Name)
	require.Equal(t, m.Bytes, data, "%s: not by its pointer", m.Name)
	data, err = tagcodec.Append([]byte{0xEE}, value.Interface())
	require.NoError(t, err, m.Name)
	require.Equal(t, append([]byte{0xEE}, m.Bytes...), data, "%s: after another byte", m.Name)
	n, err := tagcodec.Size(value.Interface())
	require.NoError(t, err, m.Name)
	require.Equal(t, len(m.Bytes), n, m.Name)

	// A set bit after the message shows where it ends.
	followed := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "Message", Type: mt.typ}, {Name: "End", Type: reflect.TypeFor[bool]()}}))
	followed.Elem().Field(0).Set(value.Elem())
	followed.Elem().Field(1).SetBool(true)
	data, err = tagcodec.Marshal(followed.Interface())
	require.NoError(t, err, m.Name)
	want := append(append([]byte{}, m.Bytes...), 0)[:m.Bits/8+1]
	want[m.Bits/8] |= 1 << (m.Bits % 8)
	require.Equal(t, want, data, "%s: with a bit after it", m.Name)

	plan, err := typecache.Of(mt.typ)
	require.NoError(t, err, m.Name)
	require.LessOrEqual(t, plan.MinBits(), m.Bits, m.Name)
	require.GreaterOrEqual(t, plan.MaxBits(), m.Bits, m.Name)
	if mt.fixed {
		require.Equal(t, [2]int{m.Bits, m.Bits}, [2]int{plan.MinBits(), plan.MaxBits()}, "%s: no value changes the size", m.Name)
	}
}

// An error must name the field that is wrong, and all earlier fields must have
// been decoded.
func TestVectorRejects(t *testing.T) {
	eachVectorSet(t, func(t *testing.T, set *vectors.Set, types *vectorTypes) {
		for _, r := range set.Rejects {
			sentinel := r.Sentinel()
			require.Error(t, sentinel, "%s: reason %s", r.Name, r.Reason)
			mt := types.of(r.Name, r.Ops)
			if mt == nil {
				continue
			}
			data := vectorSlice(r.Bytes, len(r.Bytes))
			path := mt.typ.String() + "." + mt.name(r.FailOp)
			e := requireRefused(t, tagcodec.Unmarshal(data, reflect.New(mt.typ).Interface()), mt.typ, sentinel, path, r.Name)
			var cause *bits.Error
			require.ErrorAs(t, e, &cause, r.Name)
			require.Equal(t, "read", cause.Op, r.Name)
			require.LessOrEqual(t, e.Bit, 8*len(r.Bytes), r.Name)

			first, err := tagcodec.UnmarshalFirst(data, reflect.New(mt.typ).Interface())
			require.Equal(t, e, err, "%s: UnmarshalFirst refuses the same", r.Name)
			require.Equal(t, data, first, r.Name)

			before := mt.until(r.FailOp)
			got := reflect.New(before.typ)
			_, err = tagcodec.UnmarshalFirst(data, got.Interface())
			require.NoError(t, err, "%s: the ops before", r.Name)
			require.Equal(t, vectors.Dump(before.value(r.Ops, true).Interface()), vectors.Dump(got.Interface()), "%s: the ops before", r.Name)
			plan, err := typecache.Of(before.typ)
			require.NoError(t, err)
			require.GreaterOrEqual(t, e.Bit, plan.MinBits(), "%s: the bit is in the failing op", r.Name)
		}
	})
}

// UnmarshalFirst accepts encodings that writers do not produce but readers must
// accept. Unmarshal refuses data after the message.
func TestVectorAccepts(t *testing.T) {
	eachVectorSet(t, func(t *testing.T, set *vectors.Set, types *vectorTypes) {
		for _, a := range set.Accepts {
			mt := types.of(a.Name, a.Ops)
			if mt == nil {
				continue
			}
			want := vectors.Dump(mt.value(a.Ops, true).Interface())
			data := vectorSlice(a.Bytes, len(a.Bytes))
			got := reflect.New(mt.typ)
			rest, err := tagcodec.UnmarshalFirst(data, got.Interface())
			require.NoError(t, err, a.Name)
			require.Equal(t, want, vectors.Dump(got.Interface()), a.Name)
			require.Equal(t, a.Bytes[(a.Bits+7)/8:], rest, a.Name)

			canonical, err := tagcodec.Marshal(mt.value(a.Ops, false).Interface())
			require.NoError(t, err, a.Name)
			require.NotEqual(t, a.Bytes, canonical, "%s: written again", a.Name)

			got = reflect.New(mt.typ)
			err = tagcodec.Unmarshal(data, got.Interface())
			if a.Reason == vectors.RelativeNonMinimal {
				require.NoError(t, err, a.Name)
				require.Equal(t, want, vectors.Dump(got.Interface()), a.Name)
				requireExact(t, a.Bytes, a.Bits, got.Interface(), a.Name)
				continue
			}
			require.Contains(t, []string{vectors.TrailingBits, vectors.TrailingBytes}, a.Reason, a.Name)
			e := requireRefused(t, err, mt.typ, tagcodec.ErrTrailing, mt.typ.String(), a.Name)
			require.Equal(t, a.Bits, e.Bit, a.Name)
		}
	})
}

package bits

import (
	"fmt"
	"math"
	"reflect"
	"sort"

	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/values"
)

// The functions in this file serialize values with parts. They call a function
// for each part, which must use the Stream that it is given. Package compress
// has many such functions: position.Serialize, for example, where position is a
// compress.Float32.

func init() {
	access.Pays = func(s any, bit, n, least int) bool { return s.(*Stream).pays(bit, n, least) }
	access.Enter = func(s any) *access.Context { return s.(*Stream).enter() }
	access.Refuse = func(s any, bit int, err error, value, min, max any) {
		s.(*Stream).refuse(bit, err, value, min, max)
	}
}

// refuse fails with an [Error] about the value at bit.
func (s *Stream) refuse(bit int, err error, value, min, max any) {
	switch {
	case s.r != nil:
		s.r.refuse(bit, err, value, min, max)
	case s.w.err == nil:
		s.w.Fail(&Error{Op: "write", Bit: bit, Err: err, Value: value, Min: min, Max: max})
	}
}

// enter opens a level of nesting. The caller must decrement the Open of the
// context that it returns. It returns nil if the Stream has an error or too many
// levels are open.
func (s *Stream) enter() *access.Context {
	if s.Err() != nil {
		return nil
	}
	var at **access.Context
	if s.r != nil {
		at = &s.r.ctx
	} else {
		at = &s.w.ctx
	}
	if *at == nil {
		*at = new(access.Context)
	}
	ctx := *at
	if ctx.Open >= access.MaxOpen {
		s.refuse(s.Bit(), ErrDepth, ctx.Open+1, 0, access.MaxOpen)
		return nil
	}
	ctx.Open++
	return ctx
}

// pays reports whether n parts of at least the given number of bits each are
// left to read, besides the owed bits. If not, it fails at bit.
func (s *Stream) pays(bit, n, least int) bool {
	r := s.r
	if r.err != nil || n == 0 || least == 0 {
		return r.err == nil
	}
	owed := 0
	if r.ctx != nil {
		owed = r.ctx.Owed
	}
	all := saturate.MulAdd(n, least, owed)
	if r.need(all) {
		return true
	}
	r.refuse(bit, ErrOverread, all, nil, r.Remaining())
	return false
}

// parts serializes the elements of v, each of which takes at least the given
// number of bits. It stops at an error and returns the number of elements before
// it.
func parts[T any](s *Stream, v []T, least int, f func(s *Stream, v *T)) int {
	if len(v) == 0 {
		return 0
	}
	ctx := s.enter()
	if ctx == nil {
		return 0
	}
	owed, i := ctx.Owed, 0
	for ; i < len(v); i++ {
		ctx.Owed = saturate.MulAdd(len(v)-1-i, least, owed)
		bit := s.Bit()
		f(s, &v[i])
		if s.Err() != nil {
			break
		}
		if n := s.Bit() - bit; n < least {
			s.refuse(bit, ErrLength, n, least, math.MaxInt)
			break
		}
	}
	ctx.Owed = owed
	ctx.Open--
	return i
}

func checkLeast(least, lowest int) {
	if least < lowest {
		panic(fmt.Sprintf("bits: the least bits of a part must be at least %d, not %d", lowest, least))
	}
}

// Each serializes every element of v with f. It is for arrays and other lists
// whose length both sides know:
//
//	bits.Each(s, p.Position[:], position.Serialize)
//	bits.Each(s, p.Raw[:], (*bits.Stream).Float32)
func Each[T any](s *Stream, v []T, f func(s *Stream, v *T)) {
	for i := range v {
		f(s, &v[i])
	}
}

// Fields serializes every variable of v with f. It is for fields with the same
// encoding:
//
//	bits.Fields(s, position.Serialize, &p.X, &p.Y, &p.Z)
func Fields[T any](s *Stream, f func(s *Stream, v *T), v ...*T) {
	for _, field := range v {
		f(s, field)
	}
}

// Value serializes v with its Serialize method, and makes an error that the
// method returns the Stream's. Value[Item] is the function that [Slice] and the
// like take for elements of type Item.
func Value[T any, P interface {
	*T
	Serializer
}](s *Stream, v P) {
	s.Fail(v.Serialize(s))
}

// Slice serializes a length in [minLen, maxLen] and then the elements with f.
//
// An element takes at least the given number of bits, which must be 1 or more,
// or Slice fails with [ErrLength]. A reading Stream allocates elements only if
// the bits for all of them are left, besides those that the elements of
// surrounding slices still need. It reuses the slice in v unless its capacity is
// too small, or above 16 and more than four times the length. After an error v
// has only the elements before it.
func Slice[T any](s *Stream, v *[]T, minLen, maxLen, least int, f func(s *Stream, v *T)) {
	checkLeast(least, 1)
	Length(s, v, minLen, maxLen, least)
	n := parts(s, *v, least, f)
	if s.r != nil && n < len(*v) {
		clear((*v)[n:])
		*v = (*v)[:n]
	}
}

// Length serializes the length of a slice, in [minLen, maxLen], and no elements.
// A reading Stream gives v this length, with a mix of old and zero elements that
// the caller must set. It does so only if the bits for all elements are left, as
// described for [Slice]. If the least bits of an element are 0, only maxLen
// bounds the memory that a message can claim. After an error the length is 0.
func Length[T any](s *Stream, v *[]T, minLen, maxLen, least int) {
	checkLeast(least, 0)
	n, bit := len(*v), s.Bit()
	Count(s, &n, minLen, maxLen)
	switch {
	case s.r == nil:
	case s.pays(bit, n, least):
		*v = resized(*v, n)
	default:
		*v = (*v)[:0]
	}
}

// A reading Stream replaces a slice or map that has more room than keptLen and
// more than keptTimes the elements that it needs.
const (
	keptLen   = 16
	keptTimes = 4
)

// resized returns v with length n. Elements that it adds are zero, and so are
// those after the end.
func resized[T any](v []T, n int) []T {
	room := cap(v)
	if n > room || room > keptLen && room/keptTimes > n {
		return make([]T, n)
	}
	old := len(v)
	v = v[:max(n, old)]
	clear(v[min(n, old):])
	return v[:n]
}

// Ascending serializes a slice of ascending integers: a length in [minLen,
// maxLen], and each integer in the int_relative encoding, relative to the one
// before. The first is relative to base, and must be greater.
func Ascending[T Integer](s *Stream, v *[]T, minLen, maxLen int, base int64) {
	Slice(s, v, minLen, maxLen, 1, func(s *Stream, v *T) {
		Relative(s, base, v)
		base = int64(*v)
	})
}

// Pointer serializes a bit that says whether *v is not nil, and then **v with f.
// The target takes at least the given number of bits, and a reading Stream
// allocates it only if these are left, as described for [Slice]. It reuses the
// target that *v has. Recursive types may nest 65,536 deep, with Slice and the
// like counted too. Deeper values fail with [ErrDepth].
func Pointer[T any](s *Stream, v **T, least int, f func(s *Stream, v *T)) {
	checkLeast(least, 0)
	set, bit := *v != nil, s.Bit()
	s.Bool(&set)
	if s.r != nil && !(set && s.pays(bit, 1, least)) {
		*v = nil
	}
	if !set || s.Err() != nil {
		return
	}
	if *v == nil {
		*v = new(T)
	}
	parts(s, []*T{*v}, least, func(s *Stream, v **T) { f(s, *v) })
}

// Key is any type of map keys.
type Key interface{ Integer | ~string | ~bool }

// Map serializes the number of entries of a map, in [minLen, maxLen], and then
// key and value of each, sorted by key. A reading Stream fails with [ErrOrder]
// if the keys are not sorted or one repeats. An entry takes at least the given
// number of bits, which must be 1 or more, as described for [Slice]. After an
// error the map that has been read is empty.
func Map[K Key, V any](s *Stream, v *map[K]V, minLen, maxLen, least int, key func(s *Stream, v *K), value func(s *Stream, v *V)) {
	checkLeast(least, 1)
	type entry struct {
		key   K
		value V
	}
	var entries []entry
	if s.r == nil {
		entries = make([]entry, 0, len(*v))
		for k, x := range *v {
			entries = append(entries, entry{k, x})
		}
		all := reflect.ValueOf(entries)
		sort.Slice(entries, func(i, j int) bool {
			return values.KeyOf(all.Index(i).Field(0)).Compare(values.KeyOf(all.Index(j).Field(0))) < 0
		})
	}
	Length(s, &entries, minLen, maxLen, least)
	var before values.Key
	first := true
	n := parts(s, entries, least, func(s *Stream, e *entry) {
		bit := s.Bit()
		key(s, &e.key)
		value(s, &e.value)
		if s.r == nil || s.r.err != nil {
			return
		}
		k := values.KeyOf(reflect.ValueOf(&e.key).Elem())
		if !first && before.Compare(k) >= 0 {
			s.refuse(bit, ErrOrder, nil, nil, nil)
		}
		before, first = k, false
	})
	if s.r == nil {
		return
	}
	if n < len(entries) {
		entries = nil
	}
	if *v == nil && len(entries) > 0 || len(*v) > max(len(entries), keptLen) {
		*v = make(map[K]V, len(entries))
	}
	clear(*v)
	for _, e := range entries {
		(*v)[e.key] = e.value
	}
}

package tagcodec

import (
	"bytes"
	"cmp"
	"encoding"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/typecache"
)

// encodeText writes a string, a []byte, or the text in an array.
func encodeText(op *typecache.Op, p pointer, out *output) error {
	var text []byte
	switch {
	case op.Code == typecache.CodeWString:
		return encodeWString(op, *p.str(), out)
	case op.Code == typecache.CodeCString:
		array := p.array(op.Count)
		n := bytes.IndexByte(array, 0)
		if n < 0 {
			return refusal(ErrLength, op.Count, 0, op.Count-1)
		}
		text = array[:n]
	case op.Flags&typecache.Slice != 0:
		text = *p.bytes()
	default:
		text = stringBytes(*p.str())
	}
	n := uint64(len(text)) - op.Bias
	if n > op.Span {
		return lengthError(op, len(text))
	}
	if (op.Flags&typecache.Text != 0 || op.Code == typecache.CodeCString) && !validText(text) {
		return refusal(ErrText, nil, nil, nil)
	}
	out.put(n, uint(op.Bits))
	out.raw(text)
	return nil
}

// encodeWString writes the UTF-16 units of a string.
func encodeWString(op *typecache.Op, s string, out *output) error {
	n := bits.UTF16Len(s)
	if uint64(n) > op.Span {
		return lengthError(op, n)
	}
	if !bits.ValidText(s) {
		return refusal(ErrText, nil, nil, nil)
	}
	out.put(uint64(n), uint(op.Bits))
	for _, r := range s {
		if high, low := utf16.EncodeRune(r); r >= 0x10000 {
			out.put(uint64(high), 32)
			r = low
		}
		out.put(uint64(r), 32)
	}
	return nil
}

// encodeBinary writes the form that a value has of its own.
func encodeBinary(op *typecache.Op, v reflect.Value, out *output) error {
	var form []byte
	var err error
	switch m := v.Addr().Interface().(type) {
	case encoding.BinaryAppender:
		form, err = m.AppendBinary(nil)
	case encoding.BinaryMarshaler:
		form, err = m.MarshalBinary()
	}
	if err != nil {
		return err
	}
	if uint64(len(form)) > op.Span {
		return lengthError(op, len(form))
	}
	out.put(uint64(len(form)), uint(op.Bits))
	out.raw(form)
	return nil
}

// decodeBinary is the reverse of encodeBinary.
func decodeBinary(v reflect.Value, form []byte) error {
	return v.Addr().Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(form)
}

// streams holds what a type that serializes itself is given.
var streams = sync.Pool{New: func() any {
	s := new(stream)
	s.writing, s.reading = bits.NewWriteStream(&s.w), bits.NewReadStream(&s.r)
	return s
}}

type stream struct {
	w                bits.Writer
	r                bits.Reader
	writing, reading *bits.Stream
}

// release gives a stream back without the memory it worked on.
func (s *stream) release() {
	s.w.Reset(nil)
	s.r.Reset(nil, 0)
	streams.Put(s)
}

// encodeCustom has a value serialize itself in place.
func encodeCustom(op *typecache.Op, v reflect.Value, out *output) error {
	s := streams.Get().(*stream)
	defer s.release()
	bit := out.bit()
	s.w.Resume(out.close(), out.start, bit)
	err := v.Addr().Interface().(bits.Serializer).Serialize(s.writing)
	if e := s.w.Err(); e != nil {
		err = e
	}
	if err != nil {
		return err
	}
	if s.w.Bit() == bit && op.Flags&typecache.Paid != 0 {
		return refusal(ErrLength, 0, 1, math.MaxInt)
	}
	out.resume(s.w.Bytes(), s.w.Bit())
	return nil
}

// decodeCustom is the reverse of encodeCustom. It returns the bit it stopped
// at.
func decodeCustom(op *typecache.Op, v reflect.Value, data []byte, bit int) (int, error) {
	s := streams.Get().(*stream)
	defer s.release()
	s.r.Reset(data, bit)
	err := v.Addr().Interface().(bits.Serializer).Serialize(s.reading)
	if e := s.r.Err(); e != nil {
		err = e
	}
	end := s.r.Bit()
	if err == nil && end == bit && op.Flags&typecache.Paid != 0 {
		err = refusal(ErrLength, 0, 1, math.MaxInt)
	}
	return end, err
}

// sortedEntries returns the entries of a map as a slice of structs, sorted by
// key.
func sortedEntries(m reflect.Value, elem *typecache.Elem) reflect.Value {
	entries := reflect.MakeSlice(reflect.SliceOf(elem.Type), m.Len(), m.Len())
	i := 0
	for it := m.MapRange(); it.Next(); i++ {
		e := entries.Index(i)
		e.Field(0).Set(it.Key())
		e.Field(1).Set(it.Value())
	}
	order := make([]int, entries.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return compareKeys(entries.Index(i).Field(0), entries.Index(j).Field(0))
	})
	sorted := reflect.MakeSlice(entries.Type(), len(order), len(order))
	for i, j := range order {
		sorted.Index(i).Set(entries.Index(j))
	}
	return sorted
}

// compareKeys orders two keys of one type as their codes are ordered.
func compareKeys(a, b reflect.Value) int {
	switch {
	case a.Kind() == reflect.String:
		return strings.Compare(a.String(), b.String())
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.Bool() == b.Bool():
		return 0
	case b.Bool():
		return -1
	}
	return 1
}

// storeEntries sets a map to the entries of a block that is finished.
func storeEntries(m reflect.Value, entries pointer, n int, elem *typecache.Elem) {
	m.Clear()
	if m.IsNil() && n > 0 {
		m.Set(reflect.MakeMapWithSize(m.Type(), n))
	}
	for i := range n {
		e := entries.at(uintptr(i) * elem.Size).value(elem.Type)
		m.SetMapIndex(e.Field(0), e.Field(1))
	}
}

// ascending reports whether an entry's key is above the one before it.
func ascending(entry pointer, elem *typecache.Elem) bool {
	key := entry.value(elem.Type).Field(0)
	before := entry.back(elem.Size).value(elem.Type).Field(0)
	return compareKeys(before, key) < 0
}

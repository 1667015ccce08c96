//go:build !purego

package tagcodec

import (
	"encoding"
	"math"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/typecache"
)

// encodeBinary writes the form that a value has of its own.
func encodeBinary(op *typecache.Op, v reflect.Value, out *output) error {
	form, err := binaryForm(v)
	if err != nil {
		return err
	}
	if uint64(len(form)) > op.Span {
		return lengthError(op, len(form))
	}
	out.counted(uint64(len(form)), uint(op.Bits), form)
	return nil
}

// decodeBinary is the reverse of encodeBinary.
func decodeBinary(v reflect.Value, form []byte) error {
	return v.Addr().Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(form)
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

package bench

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"reflect"

	"github.com/fxamacker/cbor/v2"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-restruct/restruct"
	"github.com/gobitpack/bitpack/tagcodec"
	kelindar "github.com/kelindar/binary"
	"github.com/lunixbochs/struc"
	"github.com/niubaoshu/gotiny"
	"github.com/vmihailenco/msgpack/v5"
)

// bitpack returns codecs of the library itself: one that uses a Codec, one that
// uses the functions for values of any type, and a Codec of a type N with
// generated code.
func bitpack[T, N any](c conversion[T, N]) []Codec[T] {
	return []Codec[T]{
		{"bitpack, generated", Generated, "bp gen", c.open(always(codecFunctions[N]()))},
		{"bitpack, Codec", Reflection, "tags", same[T]().open(always(codecFunctions[T]()))},
		{"bitpack", Reflection, "tags", same[T]().open(always(functions[T]{
			func(_ []byte, v *T) ([]byte, error) { return tagcodec.Marshal(v) },
			func(data []byte, v *T) error { return tagcodec.Unmarshal(data, v) },
		}))},
	}
}

func codecFunctions[N any]() functions[N] {
	codec := tagcodec.MustFor[N]()
	return functions[N]{
		func(dst []byte, v *N) ([]byte, error) { return codec.Append(dst[:0], v) },
		codec.Unmarshal,
	}
}

// byReflection returns the codecs that accept any Go type and encode its
// fields.
func byReflection[T, N any](c conversion[T, N]) []Codec[T] {
	return []Codec[T]{
		{"encoding/json", Reflection, "", c.open(viaAny[N](json.Marshal, json.Unmarshal))},
		{"json/v2", Reflection, "go-json-experiment/json", c.open(viaAny[N](
			func(v any) ([]byte, error) { return jsonv2.Marshal(v) },
			func(data []byte, v any) error { return jsonv2.Unmarshal(data, v) },
		))},
		{"encoding/gob, each alone", Reflection, "describes the type in each message", c.open(always(functions[N]{
			func(dst []byte, v *N) ([]byte, error) {
				buf := bytes.NewBuffer(dst[:0])
				err := gob.NewEncoder(buf).Encode(v)
				return buf.Bytes(), err
			},
			func(data []byte, v *N) error {
				*v = *new(N) // gob does not set fields that are zero in the message
				return gob.NewDecoder(bytes.NewReader(data)).Decode(v)
			},
		}))},
		{"encoding/gob, in a stream", Reflection, "reads all messages in their order", c.open(gobStream[N])},
		{"msgpack", Reflection, "vmihailenco/msgpack", c.open(always(msgpackFunctions[N](false)))},
		{"msgpack, without names", Reflection, "vmihailenco/msgpack", c.open(always(msgpackFunctions[N](true)))},
		{"cbor", Reflection, "fxamacker/cbor", c.open(viaAny[N](cbor.Marshal, cbor.Unmarshal))},
		{"kelindar/binary", Reflection, "", c.open(always(functions[N]{
			func(dst []byte, v *N) ([]byte, error) {
				buf := bytes.NewBuffer(dst[:0])
				err := kelindar.MarshalTo(v, buf)
				return buf.Bytes(), err
			},
			func(data []byte, v *N) error { return kelindar.Unmarshal(data, v) },
		}))},
		{"gotiny, Encoder", Reflection, "wrong data panics", c.open(gotinyCoders[N])},
		{"gotiny", Reflection, "wrong data panics", c.open(always(functions[N]{
			gotinyMarshal[N],
			func(data []byte, v *N) error {
				gotiny.Unmarshal(data, v)
				return nil
			},
		}))},
	}
}

// cborArrays returns a cbor codec for types with the toarray tag.
func cborArrays[T, N any](c conversion[T, N]) Codec[T] {
	return Codec[T]{"cbor, without names", Reflection, "fxamacker/cbor", c.open(viaAny[N](cbor.Marshal, cbor.Unmarshal))}
}

// bySize returns the codecs for C-like structs, in which the length of a slice
// is a separate field.
func bySize[T, N any](c conversion[T, N]) []Codec[T] {
	return []Codec[T]{
		{"struc", Reflection, "lunixbochs/struc", c.open(always(functions[N]{
			func(dst []byte, v *N) ([]byte, error) {
				buf := bytes.NewBuffer(dst[:0])
				err := struc.Pack(buf, v)
				return buf.Bytes(), err
			},
			func(data []byte, v *N) error {
				*v = *new(N) // struc does not shorten a slice longer than the one in the message
				return struc.Unpack(bytes.NewReader(data), v)
			},
		}))},
		{"restruct", Reflection, "go-restruct/restruct", c.open(always(functions[N]{
			func(_ []byte, v *N) ([]byte, error) { return restruct.Pack(binary.LittleEndian, v) },
			func(data []byte, v *N) error { return restruct.Unpack(data, binary.LittleEndian, v) },
		}))},
	}
}

// fixedSize returns an encoding/binary codec for structs without slices and
// strings.
func fixedSize[T, N any](name, notes string, c conversion[T, N]) Codec[T] {
	return Codec[T]{name, Reflection, notes, c.open(always(functions[N]{
		func(dst []byte, v *N) ([]byte, error) { return binary.Append(dst[:0], binary.LittleEndian, v) },
		func(data []byte, v *N) error {
			_, err := binary.Decode(data, binary.LittleEndian, v)
			return err
		},
	}))}
}

// viaAny adapts functions that take values of any type and no buffer.
func viaAny[N any](marshal func(any) ([]byte, error), unmarshal func([]byte, any) error) func() functions[N] {
	return always(functions[N]{
		func(_ []byte, v *N) ([]byte, error) { return marshal(v) },
		func(data []byte, v *N) error { return unmarshal(data, v) },
	})
}

// gobStream uses gob streams in which the type has already been described.
func gobStream[N any]() functions[N] {
	var written bytes.Buffer
	read := bytes.NewReader(nil)
	enc, dec := gob.NewEncoder(&written), gob.NewDecoder(read)
	f := functions[N]{
		func(_ []byte, v *N) ([]byte, error) {
			written.Reset()
			err := enc.Encode(v)
			return written.Bytes(), err
		},
		func(data []byte, v *N) error {
			*v = *new(N) // gob does not set fields that are zero in the message
			read.Reset(data)
			return dec.Decode(v)
		},
	}
	first, err := f.marshal(nil, new(N))
	if err == nil {
		err = f.unmarshal(first, new(N))
	}
	if err != nil {
		panic(err) // gob supports these types
	}
	return f
}

func msgpackFunctions[N any](asArrays bool) functions[N] {
	return functions[N]{
		func(dst []byte, v *N) ([]byte, error) {
			buf := bytes.NewBuffer(dst[:0])
			enc := msgpack.GetEncoder()
			defer msgpack.PutEncoder(enc)
			enc.Reset(buf)
			enc.UseArrayEncodedStructs(asArrays)
			enc.UseCompactInts(true)
			err := enc.Encode(v)
			return buf.Bytes(), err
		},
		func(data []byte, v *N) error { return msgpack.Unmarshal(data, v) },
	}
}

// gotinyOfSuite uses gotiny as the suite of the small struct does: with a
// Decoder that is reused, but without an Encoder.
func gotinyOfSuite[N any]() functions[N] {
	return functions[N]{gotinyMarshal[N], gotinyCoders[N]().unmarshal}
}

func gotinyMarshal[N any](_ []byte, v *N) ([]byte, error) { return gotiny.Marshal(v), nil }

// gotinyCoders uses an Encoder and a Decoder that are created once. They are
// not safe for concurrent use.
func gotinyCoders[N any]() functions[N] {
	t := reflect.TypeFor[N]()
	enc, dec := gotiny.NewEncoderWithType(t), gotiny.NewDecoderWithType(t)
	return functions[N]{
		func(dst []byte, v *N) ([]byte, error) {
			enc.AppendTo(dst[:0])
			return enc.Encode(v), nil
		},
		func(data []byte, v *N) error {
			dec.Decode(data, v)
			return nil
		},
	}
}

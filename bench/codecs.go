package bench

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"

	"github.com/fxamacker/cbor/v2"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/vmihailenco/msgpack/v5"
)

// Codec is one way to turn values into bytes and back.
type Codec[T any] struct {
	Name string
	// Marshal returns the bytes of v, in the memory of dst if the encoding can
	// use it.
	Marshal func(dst []byte, v *T) ([]byte, error)
	// Unmarshal sets all of v, whose memory it may use again.
	Unmarshal func(data []byte, v *T) error
}

// Codecs returns the codecs of [Packet] that are compared. Those of gob keep a
// stream, so that a Codec must not be used by two goroutines at once.
func Codecs() []Codec[Packet] {
	return []Codec[Packet]{
		bitpackFunctions(),
		bitpackCodec(),
		cborArrays(),
		msgpackCodec("msgpack, without names", true),
		binaryCodec(),
		gobStream(),
		viaSlice("cbor", cbor.Marshal, cbor.Unmarshal),
		msgpackCodec("msgpack", false),
		viaSlice("encoding/json", json.Marshal, json.Unmarshal),
		viaSlice("encoding/gob, each alone", gobMarshal, gobUnmarshal),
	}
}

func bitpackCodec() Codec[Packet] {
	c := tagcodec.MustFor[Packet]()
	return Codec[Packet]{
		Name:      "bitpack, Codec",
		Marshal:   func(dst []byte, p *Packet) ([]byte, error) { return c.Append(dst[:0], p) },
		Unmarshal: c.Unmarshal,
	}
}

func bitpackFunctions() Codec[Packet] {
	return Codec[Packet]{
		Name:      "bitpack",
		Marshal:   func(_ []byte, p *Packet) ([]byte, error) { return tagcodec.Marshal(p) },
		Unmarshal: func(data []byte, p *Packet) error { return tagcodec.Unmarshal(data, p) },
	}
}

// viaSlice is the codec of functions that take a value of any type.
func viaSlice(name string, marshal func(any) ([]byte, error), unmarshal func([]byte, any) error) Codec[Packet] {
	return Codec[Packet]{
		Name: name,
		Marshal: func(_ []byte, p *Packet) ([]byte, error) {
			s := slice(p)
			return marshal(&s)
		},
		Unmarshal: func(data []byte, p *Packet) error {
			s := slicePacket{Events: p.Events[:0]}
			err := unmarshal(data, &s)
			*p = s.packet()
			return err
		},
	}
}

func binaryCodec() Codec[Packet] {
	return Codec[Packet]{
		Name: "encoding/binary, full-size arrays",
		Marshal: func(dst []byte, p *Packet) ([]byte, error) {
			f := fixedPacket{p.Sequence, p.Position, p.Orientation, p.Health, p.Weapon, p.Ammo, p.Firing,
				uint8(len(p.Events)), [16]uint32{}, p.Payload}
			copy(f.Events[:], p.Events)
			return binary.Append(dst[:0], binary.LittleEndian, &f)
		},
		Unmarshal: func(data []byte, p *Packet) error {
			var f fixedPacket
			_, err := binary.Decode(data, binary.LittleEndian, &f)
			*p = Packet{f.Sequence, f.Position, f.Orientation, f.Health, f.Weapon, f.Ammo, f.Firing,
				append(p.Events[:0], f.Events[:f.EventCount]...), f.Payload}
			return err
		},
	}
}

func cborArrays() Codec[Packet] {
	marshal := func(v any) ([]byte, error) { return cbor.Marshal((*arrayPacket)(v.(*slicePacket))) }
	unmarshal := func(data []byte, v any) error { return cbor.Unmarshal(data, (*arrayPacket)(v.(*slicePacket))) }
	return viaSlice("cbor, without names", marshal, unmarshal)
}

func msgpackCodec(name string, asArrays bool) Codec[Packet] {
	return viaSlice(name, func(v any) ([]byte, error) {
		var buf bytes.Buffer
		enc := msgpack.GetEncoder()
		defer msgpack.PutEncoder(enc)
		enc.Reset(&buf)
		enc.UseArrayEncodedStructs(asArrays)
		enc.UseCompactInts(true)
		err := enc.Encode(v)
		return buf.Bytes(), err
	}, msgpack.Unmarshal)
}

// gobMarshal makes a message that stands alone, as a UDP packet must: the
// description of the type is part of it.
func gobMarshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	err := gob.NewEncoder(&buf).Encode(v)
	return buf.Bytes(), err
}

func gobUnmarshal(data []byte, v any) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(v) }

// gobStream is gob on a stream that has described the type already.
func gobStream() Codec[Packet] {
	var written bytes.Buffer
	read := bytes.NewReader(nil)
	enc, dec := gob.NewEncoder(&written), gob.NewDecoder(read)
	marshal := func(v any) ([]byte, error) {
		written.Reset()
		err := enc.Encode(v)
		return written.Bytes(), err
	}
	unmarshal := func(data []byte, v any) error {
		read.Reset(data)
		return dec.Decode(v)
	}
	first, err := marshal(&slicePacket{})
	if err == nil {
		err = unmarshal(first, &slicePacket{})
	}
	if err != nil {
		panic(err) // the type is one that gob takes
	}
	return viaSlice("encoding/gob, in a stream", marshal, unmarshal)
}

package bench

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/gobitpack/bitpack/bench/internal/capnpgen"
	"github.com/gobitpack/bitpack/bench/internal/msgpgen"
	"github.com/gobitpack/bitpack/bench/internal/mus"
	"github.com/gobitpack/bitpack/bench/internal/musunsafe"
	"github.com/gobitpack/bitpack/bench/internal/pb"
	"github.com/gobitpack/bitpack/bench/values"
	"github.com/gobitpack/bitpack/bench/values/generated"
	"github.com/icza/bitio"
)

// PacketCodecs returns the codecs compared on [values.Packet].
func PacketCodecs() []Codec[values.Packet] {
	return slices.Concat(
		bitpack(conversion[values.Packet, generated.Packet]{
			func(v *values.Packet) *generated.Packet { return (*generated.Packet)(v) },
			func(g *generated.Packet) values.Packet { return values.Packet(*g) },
		}),
		byReflection(conversion[values.Packet, slicePacket]{toSlicePacket, (*slicePacket).packet}),
		bySize(conversion[values.Packet, sizedPacket]{toSizedPacket, (*sizedPacket).packet}),
		byProtobuf(conversion[values.Packet, pb.Packet]{toPBPacket, fromPBPacket}),
		byCapnp(capnpCode[values.Packet, capnpgen.Packet]{capnpgen.NewRootPacket, capnpgen.ReadRootPacket, setPacket, getPacket}),
		[]Codec[values.Packet]{
			byBSON("mongo-driver, floats in 8 bytes", conversion[values.Packet, bsonPacket]{toBSONPacket, (*bsonPacket).packet}),
			byFlatbuffers(buildPacket, copyPacket),
			cborArrays(conversion[values.Packet, arrayPacket]{
				func(p *values.Packet) *arrayPacket { return &arrayPacket{slicePacket: *toSlicePacket(p)} },
				func(a *arrayPacket) values.Packet { return a.packet() },
			}),
			fixedSize("encoding/binary, full-size arrays", "room for 16 events", conversion[values.Packet, fixedPacket]{
				toFixedPacket, (*fixedPacket).packet,
			}),
			byMsgp("msgp", conversion[values.Packet, msgpgen.Packet]{
				func(p *values.Packet) *msgpgen.Packet { return (*msgpgen.Packet)(p) },
				func(m *msgpgen.Packet) values.Packet { return values.Packet(*m) },
			}),
			byMsgp("msgp, without names", conversion[values.Packet, msgpgen.PacketTuple]{
				func(p *values.Packet) *msgpgen.PacketTuple { return (*msgpgen.PacketTuple)(p) },
				func(m *msgpgen.PacketTuple) values.Packet { return values.Packet(*m) },
			}),
			byMus("mus-go", "", mus.PacketMUS),
			byMus("mus-go, unsafe", "numbers in the machine's order", musunsafe.PacketMUS),
			byBitio(writePacket, readPacket),
			byBinary(appendPacket, takePacket),
		},
	)
}

// slicePacket is a Packet whose payload is a slice. Self-describing encodings
// write it in one piece, while some of them write a byte array as a list of
// numbers.
type slicePacket struct {
	Sequence    uint64
	Position    [3]float32
	Orientation [4]float32
	Health      int32
	Weapon      uint8
	Ammo        [8]uint8
	Firing      bool
	Events      []uint32
	Payload     []byte
}

func toSlicePacket(p *values.Packet) *slicePacket {
	return &slicePacket{
		p.Sequence, p.Position, p.Orientation, p.Health, p.Weapon, p.Ammo, p.Firing, p.Events, p.Payload[:],
	}
}

func (s *slicePacket) packet() values.Packet {
	return values.Packet{
		Sequence: s.Sequence, Position: s.Position, Orientation: s.Orientation, Health: s.Health, Weapon: s.Weapon,
		Ammo: s.Ammo, Firing: s.Firing, Events: s.Events, Payload: [64]byte(s.Payload),
	}
}

// arrayPacket is a slicePacket that cbor encodes without field names.
type arrayPacket struct {
	_ struct{} `cbor:",toarray"`
	slicePacket
}

// fixedPacket is a Packet for encoding/binary, which does not accept slices
// inside structs. The events have their maximum size.
type fixedPacket struct {
	Sequence    uint64
	Position    [3]float32
	Orientation [4]float32
	Health      int32
	Weapon      uint8
	Ammo        [8]uint8
	Firing      bool
	EventCount  uint8
	Events      [16]uint32
	Payload     [64]byte
}

func toFixedPacket(p *values.Packet) *fixedPacket {
	f := &fixedPacket{
		Sequence: p.Sequence, Position: p.Position, Orientation: p.Orientation, Health: p.Health, Weapon: p.Weapon,
		Ammo: p.Ammo, Firing: p.Firing, EventCount: uint8(len(p.Events)), Payload: p.Payload,
	}
	copy(f.Events[:], p.Events)
	return f
}

func (f *fixedPacket) packet() values.Packet {
	return values.Packet{
		Sequence: f.Sequence, Position: f.Position, Orientation: f.Orientation, Health: f.Health, Weapon: f.Weapon,
		Ammo: f.Ammo, Firing: f.Firing, Events: f.Events[:f.EventCount], Payload: f.Payload,
	}
}

// sizedPacket is a Packet for struc and restruct.
type sizedPacket struct {
	Sequence    uint64     `struc:"uint64,little"`
	Position    [3]float32 `struc:"[3]float32,little"`
	Orientation [4]float32 `struc:"[4]float32,little"`
	Health      int32      `struc:"int16,little" struct:"int16"`
	Weapon      uint8
	Ammo        [8]uint8
	Firing      bool
	EventCount  uint8    `struc:"uint8,sizeof=Events" struct:"uint8,sizeof=Events"`
	Events      []uint32 `struc:"[]uint32,little"`
	Payload     [64]byte
}

func toSizedPacket(p *values.Packet) *sizedPacket {
	return &sizedPacket{
		p.Sequence, p.Position, p.Orientation, p.Health, p.Weapon, p.Ammo, p.Firing, uint8(len(p.Events)), p.Events,
		p.Payload,
	}
}

func (s *sizedPacket) packet() values.Packet {
	return values.Packet{
		Sequence: s.Sequence, Position: s.Position, Orientation: s.Orientation, Health: s.Health, Weapon: s.Weapon,
		Ammo: s.Ammo, Firing: s.Firing, Events: s.Events, Payload: s.Payload,
	}
}

func toPBPacket(p *values.Packet) *pb.Packet {
	return &pb.Packet{
		Sequence: p.Sequence, Position: p.Position[:], Orientation: p.Orientation[:], Health: p.Health,
		Weapon: uint32(p.Weapon), Ammo: p.Ammo[:], Firing: p.Firing, Events: p.Events, Payload: p.Payload[:],
	}
}

func fromPBPacket(m *pb.Packet) values.Packet {
	return values.Packet{
		Sequence: m.Sequence, Position: [3]float32(m.Position), Orientation: [4]float32(m.Orientation), Health: m.Health,
		Weapon: uint8(m.Weapon), Ammo: [8]uint8(m.Ammo), Firing: m.Firing, Events: m.Events, Payload: [64]byte(m.Payload),
	}
}

// quantized is a hand-written quantizer of a float32.
type quantized struct {
	min, delta, steps float32
	width             uint8
}

var (
	position    = quantized{-1024, 2048, 204800, 18}
	orientation = quantized{-1, 2, 20000, 15}
)

func (q quantized) write(w *bitio.Writer, v float32) {
	w.TryWriteBits(uint64((v-q.min)/q.delta*q.steps+0.5), q.width)
}

func (q quantized) read(r *bitio.Reader) float32 {
	return float32(r.TryReadBits(q.width))/q.steps*q.delta + q.min
}

func writePacket(w *bitio.Writer, p *values.Packet) {
	w.TryWriteBits(p.Sequence, 64)
	for _, v := range p.Position {
		position.write(w, v)
	}
	for _, v := range p.Orientation {
		orientation.write(w, v)
	}
	w.TryWriteBits(uint64(p.Health), 10)
	w.TryWriteBits(uint64(p.Weapon), 4)
	for _, v := range p.Ammo {
		w.TryWriteByte(v)
	}
	w.TryWriteBool(p.Firing)
	w.TryWriteBits(uint64(len(p.Events)), 5)
	for _, v := range p.Events {
		w.TryWriteBits(uint64(v), 32)
	}
	w.TryWrite(p.Payload[:])
}

func readPacket(r *bitio.Reader, p *values.Packet) {
	p.Sequence = r.TryReadBits(64)
	for i := range p.Position {
		p.Position[i] = position.read(r)
	}
	for i := range p.Orientation {
		p.Orientation[i] = orientation.read(r)
	}
	p.Health = int32(r.TryReadBits(10))
	p.Weapon = uint8(r.TryReadBits(4))
	for i := range p.Ammo {
		p.Ammo[i] = r.TryReadByte()
	}
	p.Firing = r.TryReadBool()
	p.Events = p.Events[:0]
	for range r.TryReadBits(5) {
		p.Events = append(p.Events, uint32(r.TryReadBits(32)))
	}
	r.TryRead(p.Payload[:])
}

func appendPacket(dst []byte, p *values.Packet) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, p.Sequence)
	for _, v := range p.Position {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
	}
	for _, v := range p.Orientation {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
	}
	dst = binary.LittleEndian.AppendUint16(dst, uint16(p.Health))
	dst = append(dst, p.Weapon)
	dst = append(dst, p.Ammo[:]...)
	dst = append(dst, toByte(p.Firing), byte(len(p.Events)))
	for _, v := range p.Events {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	return append(dst, p.Payload[:]...)
}

func takePacket(data []byte, p *values.Packet) error {
	c := cursor{data: data}
	p.Sequence = c.uint64()
	for i := range p.Position {
		p.Position[i] = math.Float32frombits(c.uint32())
	}
	for i := range p.Orientation {
		p.Orientation[i] = math.Float32frombits(c.uint32())
	}
	p.Health = int32(c.uint16())
	p.Weapon = c.uint8()
	copy(p.Ammo[:], c.bytes(8))
	p.Firing = c.uint8() != 0
	p.Events = p.Events[:0]
	for range c.uint8() {
		p.Events = append(p.Events, c.uint32())
	}
	copy(p.Payload[:], c.bytes(64))
	return c.end()
}

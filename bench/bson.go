package bench

import (
	"github.com/gobitpack/bitpack/bench/values"
	"go.mongodb.org/mongo-driver/v2/bson"
)

// byBSON returns a codec of the MongoDB driver. BSON has no unsigned integers:
// it sends a uint32 as an int64, or as an int32 if that is large enough and the
// field has the tag minsize.
func byBSON[T, N any](notes string, c conversion[T, N]) Codec[T] {
	return Codec[T]{"bson", Reflection, notes, c.open(viaAny[N](bson.Marshal, bson.Unmarshal))}
}

// bsonPacket is a Packet whose sequence is signed, and whose bytes are slices,
// which are faster than arrays.
type bsonPacket struct {
	Sequence    int64
	Position    [3]float32
	Orientation [4]float32
	Health      int32
	Weapon      uint8
	Ammo        []byte
	Firing      bool
	Events      []uint32 `bson:",minsize"`
	Payload     []byte
}

func toBSONPacket(p *values.Packet) *bsonPacket {
	return &bsonPacket{
		int64(p.Sequence), p.Position, p.Orientation, p.Health, p.Weapon, p.Ammo[:], p.Firing, p.Events, p.Payload[:],
	}
}

func (b *bsonPacket) packet() values.Packet {
	return values.Packet{
		Sequence: uint64(b.Sequence), Position: b.Position, Orientation: b.Orientation, Health: b.Health, Weapon: b.Weapon,
		Ammo: [8]uint8(b.Ammo), Firing: b.Firing, Events: b.Events, Payload: [64]byte(b.Payload),
	}
}

// bsonFrame is a Frame without embedded structs, which would be documents of
// their own.
type bsonFrame struct {
	Objects [9]bsonObject
}

type bsonObject struct {
	Kind        uint8
	Sleeping    bool
	X, Y, Z     int32
	Largest     uint8
	Orientation [3]uint32 `bson:",minsize"`
	Velocity    [3]int32
	Angular     [3]int32
	Steer       uint8
	Throttle    uint8
	Handbrake   bool
}

func toBSONFrame(f *values.Frame) *bsonFrame {
	b := new(bsonFrame)
	for i := range f.Objects {
		b.Objects[i] = bsonObject(toFlatObject(&f.Objects[i]))
	}
	return b
}

func (b *bsonFrame) frame() (f values.Frame) {
	for i, o := range b.Objects {
		f.Objects[i] = fromFlatObject(flatObject(o))
	}
	return f
}

package bench

import (
	"encoding/binary"
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

// FrameCodecs returns the codecs compared on [values.Frame].
func FrameCodecs() []Codec[values.Frame] {
	return slices.Concat(
		bitpack(conversion[values.Frame, generated.Frame]{
			func(v *values.Frame) *generated.Frame { return (*generated.Frame)(v) },
			func(g *generated.Frame) values.Frame { return values.Frame(*g) },
		}),
		byReflection(same[values.Frame]()),
		bySize(conversion[values.Frame, sizedFrame]{toSizedFrame, (*sizedFrame).frame}),
		byProtobuf(conversion[values.Frame, pb.Frame]{toPBFrame, fromPBFrame}),
		byCapnp(capnpCode[values.Frame, capnpgen.Frame]{capnpgen.NewRootFrame, capnpgen.ReadRootFrame, setFrame, getFrame}),
		[]Codec[values.Frame]{
			byBSON("mongo-driver", conversion[values.Frame, bsonFrame]{toBSONFrame, (*bsonFrame).frame}),
			byFlatbuffers(buildFrame, copyFrame),
			cborArrays(conversion[values.Frame, arrayFrame]{toArrayFrame, (*arrayFrame).frame}),
			fixedSize("encoding/binary", "", same[values.Frame]()),
			byMsgp("msgp", conversion[values.Frame, msgpgen.Frame]{toMsgpFrame, fromMsgpFrame}),
			byMsgp("msgp, without names", conversion[values.Frame, msgpgen.FrameTuple]{toMsgpFrameTuple, fromMsgpFrameTuple}),
			byMus("mus-go", "", mus.FrameMUS),
			byMus("mus-go, unsafe", "numbers in the machine's order", musunsafe.FrameMUS),
			byBitio(writeFrame, readFrame),
			byBinary(appendFrame, takeFrame),
		},
	)
}

// arrayFrame is a Frame that cbor encodes without field names.
type arrayFrame struct {
	_       struct{} `cbor:",toarray"`
	Objects [9]arrayObject
}

type arrayObject struct {
	_ struct{} `cbor:",toarray"`
	values.Object
}

func toArrayFrame(f *values.Frame) *arrayFrame {
	a := new(arrayFrame)
	for i, o := range f.Objects {
		a.Objects[i].Object = o
	}
	return a
}

func (a *arrayFrame) frame() (f values.Frame) {
	for i, o := range a.Objects {
		f.Objects[i] = o.Object
	}
	return f
}

// sizedFrame is a Frame for struc and restruct. struc accepts slices of structs
// but not arrays of them.
type sizedFrame struct {
	Count   uint8 `struc:"uint8,sizeof=Objects" struct:"uint8,sizeof=Objects"`
	Objects []sizedObject
}

type sizedObject struct {
	Kind        uint8
	Sleeping    bool
	X           int32 `struc:"int32,little"`
	Y           int32 `struc:"int32,little"`
	Z           int32 `struc:"int32,little"`
	Largest     uint8
	Orientation [3]uint32 `struc:"[3]uint32,little"`
	Velocity    [3]int32  `struc:"[3]int32,little"`
	Angular     [3]int32  `struc:"[3]int32,little"`
	Steer       uint8
	Throttle    uint8
	Handbrake   bool
}

func toSizedFrame(f *values.Frame) *sizedFrame {
	s := &sizedFrame{Count: uint8(len(f.Objects))}
	for _, o := range f.Objects {
		s.Objects = append(s.Objects, sizedObject(toFlatObject(&o)))
	}
	return s
}

func (s *sizedFrame) frame() (f values.Frame) {
	for i, o := range s.Objects {
		f.Objects[i] = fromFlatObject(flatObject(o))
	}
	return f
}

// flatObject is an Object without embedded structs.
type flatObject struct {
	Kind        uint8
	Sleeping    bool
	X, Y, Z     int32
	Largest     uint8
	Orientation [3]uint32
	Velocity    [3]int32
	Angular     [3]int32
	Steer       uint8
	Throttle    uint8
	Handbrake   bool
}

func toFlatObject(o *values.Object) flatObject {
	return flatObject{
		o.Kind, o.Sleeping, o.X, o.Y, o.Z, o.Largest, o.Orientation, o.Velocity, o.Angular, o.Steer, o.Throttle, o.Handbrake,
	}
}

func fromFlatObject(f flatObject) values.Object {
	return values.Object{Kind: f.Kind, Body: values.Body{
		Sleeping: f.Sleeping, X: f.X, Y: f.Y, Z: f.Z, Largest: f.Largest, Orientation: f.Orientation,
		Velocity: f.Velocity, Angular: f.Angular, Steer: f.Steer, Throttle: f.Throttle, Handbrake: f.Handbrake,
	}}
}

func toMsgpFrame(f *values.Frame) *msgpgen.Frame {
	m := new(msgpgen.Frame)
	for i := range f.Objects {
		m.Objects[i] = msgpgen.Object(toFlatObject(&f.Objects[i]))
	}
	return m
}

func fromMsgpFrame(m *msgpgen.Frame) (f values.Frame) {
	for i, o := range m.Objects {
		f.Objects[i] = fromFlatObject(flatObject(o))
	}
	return f
}

func toMsgpFrameTuple(f *values.Frame) *msgpgen.FrameTuple {
	m := new(msgpgen.FrameTuple)
	for i := range f.Objects {
		m.Objects[i] = msgpgen.ObjectTuple(toFlatObject(&f.Objects[i]))
	}
	return m
}

func fromMsgpFrameTuple(m *msgpgen.FrameTuple) (f values.Frame) {
	for i, o := range m.Objects {
		f.Objects[i] = fromFlatObject(flatObject(o))
	}
	return f
}

func toPBFrame(f *values.Frame) *pb.Frame {
	m := new(pb.Frame)
	for _, o := range f.Objects {
		m.Objects = append(m.Objects, &pb.Object{
			Kind: uint32(o.Kind), Sleeping: o.Sleeping, X: o.X, Y: o.Y, Z: o.Z,
			Largest: uint32(o.Largest), A: o.Orientation[0], B: o.Orientation[1], C: o.Orientation[2],
			VelocityX: o.Velocity[0], VelocityY: o.Velocity[1], VelocityZ: o.Velocity[2],
			AngularX: o.Angular[0], AngularY: o.Angular[1], AngularZ: o.Angular[2],
			Steer: uint32(o.Steer), Throttle: uint32(o.Throttle), Handbrake: o.Handbrake,
		})
	}
	return m
}

func fromPBFrame(m *pb.Frame) (f values.Frame) {
	for i, o := range m.Objects {
		f.Objects[i] = values.Object{Kind: uint8(o.Kind), Body: values.Body{
			Sleeping: o.Sleeping, X: o.X, Y: o.Y, Z: o.Z,
			Largest: uint8(o.Largest), Orientation: [3]uint32{o.A, o.B, o.C},
			Velocity: [3]int32{o.VelocityX, o.VelocityY, o.VelocityZ},
			Angular:  [3]int32{o.AngularX, o.AngularY, o.AngularZ},
			Steer:    uint8(o.Steer), Throttle: uint8(o.Throttle), Handbrake: o.Handbrake,
		}}
	}
	return f
}

func writeFrame(w *bitio.Writer, f *values.Frame) {
	for i := range f.Objects {
		o := &f.Objects[i]
		w.TryWriteBits(uint64(o.Kind), 2)
		if o.Kind == 0 {
			continue
		}
		w.TryWriteBool(o.Sleeping)
		w.TryWriteBits(uint64(o.X), 20)
		w.TryWriteBits(uint64(o.Y), 21)
		w.TryWriteBits(uint64(o.Z), 18)
		w.TryWriteBits(uint64(o.Largest), 2)
		for _, v := range o.Orientation {
			w.TryWriteBits(uint64(v), 18)
		}
		for _, v := range o.Velocity {
			w.TryWriteBits(uint64(v), 20)
		}
		for _, v := range o.Angular {
			w.TryWriteBits(uint64(v), 17)
		}
		w.TryWriteByte(o.Steer)
		w.TryWriteByte(o.Throttle)
		w.TryWriteBool(o.Handbrake)
	}
}

func readFrame(r *bitio.Reader, f *values.Frame) {
	for i := range f.Objects {
		o := &f.Objects[i]
		if o.Kind = uint8(r.TryReadBits(2)); o.Kind == 0 {
			o.Body = values.Body{}
			continue
		}
		o.Sleeping = r.TryReadBool()
		o.X = readSigned(r, 20)
		o.Y = readSigned(r, 21)
		o.Z = int32(r.TryReadBits(18))
		o.Largest = uint8(r.TryReadBits(2))
		for k := range o.Orientation {
			o.Orientation[k] = uint32(r.TryReadBits(18))
		}
		for k := range o.Velocity {
			o.Velocity[k] = readSigned(r, 20)
		}
		for k := range o.Angular {
			o.Angular[k] = readSigned(r, 17)
		}
		o.Steer = r.TryReadByte()
		o.Throttle = r.TryReadByte()
		o.Handbrake = r.TryReadBool()
	}
}

// readSigned reads a two's complement integer.
func readSigned(r *bitio.Reader, width uint8) int32 {
	return int32(r.TryReadBits(width)) << (32 - width) >> (32 - width)
}

func appendFrame(dst []byte, f *values.Frame) []byte {
	for i := range f.Objects {
		o := &f.Objects[i]
		if dst = append(dst, o.Kind); o.Kind == 0 {
			continue
		}
		dst = append(dst, toByte(o.Sleeping), o.Largest, o.Steer, o.Throttle, toByte(o.Handbrake))
		for _, v := range [...]int32{o.X, o.Y, o.Z} {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
		}
		for _, v := range o.Orientation {
			dst = binary.LittleEndian.AppendUint32(dst, v)
		}
		for _, v := range o.Velocity {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
		}
		for _, v := range o.Angular {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
		}
	}
	return dst
}

func takeFrame(data []byte, f *values.Frame) error {
	c := cursor{data: data}
	for i := range f.Objects {
		o := &f.Objects[i]
		if o.Kind = c.uint8(); o.Kind == 0 {
			o.Body = values.Body{}
			continue
		}
		o.Sleeping = c.uint8() != 0
		o.Largest, o.Steer, o.Throttle = c.uint8(), c.uint8(), c.uint8()
		o.Handbrake = c.uint8() != 0
		o.X, o.Y, o.Z = int32(c.uint32()), int32(c.uint32()), int32(c.uint32())
		for k := range o.Orientation {
			o.Orientation[k] = c.uint32()
		}
		for k := range o.Velocity {
			o.Velocity[k] = int32(c.uint32())
		}
		for k := range o.Angular {
			o.Angular[k] = int32(c.uint32())
		}
	}
	return c.end()
}

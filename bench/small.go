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

// SmallCodecs returns the codecs compared on [values.Small].
func SmallCodecs() []Codec[values.Small] {
	return slices.Concat(
		bitpack(conversion[values.Small, generated.Small]{
			func(v *values.Small) *generated.Small { return (*generated.Small)(v) },
			func(g *generated.Small) values.Small { return values.Small(*g) },
		}),
		byReflection(same[values.Small]()),
		bySize(conversion[values.Small, sizedSmall]{toSizedSmall, (*sizedSmall).small}),
		byProtobuf(conversion[values.Small, pb.Small]{toPBSmall, fromPBSmall}),
		byCapnp(capnpCode[values.Small, capnpgen.Small]{capnpgen.NewRootSmall, capnpgen.ReadRootSmall, setSmall, getSmall}),
		[]Codec[values.Small]{
			byBSON("mongo-driver", same[values.Small]()),
			byFlatbuffers(buildSmall, copySmall),
			cborArrays(conversion[values.Small, arraySmall]{
				func(s *values.Small) *arraySmall { return &arraySmall{Small: *s} },
				func(a *arraySmall) values.Small { return a.Small },
			}),
			{"gotiny, as in the suite", Reflection, "Marshal and a Decoder; wrong data panics", same[values.Small]().open(gotinyOfSuite)},
			fixedSize("encoding/binary, full-size arrays", "texts are arrays", conversion[values.Small, fixedSmall]{
				toFixedSmall, (*fixedSmall).small,
			}),
			byMsgp("msgp", conversion[values.Small, msgpgen.Small]{
				func(s *values.Small) *msgpgen.Small { return (*msgpgen.Small)(s) },
				func(m *msgpgen.Small) values.Small { return values.Small(*m) },
			}),
			byMsgp("msgp, without names", conversion[values.Small, msgpgen.SmallTuple]{
				func(s *values.Small) *msgpgen.SmallTuple { return (*msgpgen.SmallTuple)(s) },
				func(m *msgpgen.SmallTuple) values.Small { return values.Small(*m) },
			}),
			byMus("mus-go", "", mus.SmallMUS),
			byMus("mus-go, unsafe", "texts share the message", musunsafe.SmallMUS),
			byBitio(writeSmall, readSmall),
			byBinary(appendSmall, takeSmall),
		},
	)
}

// arraySmall is a Small that cbor encodes without field names.
type arraySmall struct {
	_ struct{} `cbor:",toarray"`
	values.Small
}

// fixedSmall is a Small for encoding/binary, which does not accept strings
// inside structs.
type fixedSmall struct {
	NameLength  uint8
	Name        [16]byte
	PhoneLength uint8
	Phone       [10]byte
	Siblings    uint8
	Spouse      bool
	BirthDay    int64
	Money       float64
}

func toFixedSmall(s *values.Small) *fixedSmall {
	f := &fixedSmall{
		NameLength: uint8(len(s.Name)), PhoneLength: uint8(len(s.Phone)),
		Siblings: uint8(s.Siblings), Spouse: s.Spouse, BirthDay: s.BirthDay, Money: s.Money,
	}
	copy(f.Name[:], s.Name)
	copy(f.Phone[:], s.Phone)
	return f
}

func (f *fixedSmall) small() values.Small {
	return values.Small{
		Name: string(f.Name[:f.NameLength]), Phone: string(f.Phone[:f.PhoneLength]),
		Siblings: int(f.Siblings), Spouse: f.Spouse, BirthDay: f.BirthDay, Money: f.Money,
	}
}

// sizedSmall is a Small for struc and restruct.
type sizedSmall struct {
	NameLength  uint8  `struc:"uint8,sizeof=Name" struct:"uint8,sizeof=Name"`
	Name        string `struc:"[]uint8"`
	PhoneLength uint8  `struc:"uint8,sizeof=Phone" struct:"uint8,sizeof=Phone"`
	Phone       string `struc:"[]uint8"`
	Siblings    uint8
	Spouse      bool
	BirthDay    int64   `struc:"int64,little"`
	Money       float64 `struc:"float64,little"`
}

func toSizedSmall(s *values.Small) *sizedSmall {
	return &sizedSmall{
		uint8(len(s.Name)), s.Name, uint8(len(s.Phone)), s.Phone, uint8(s.Siblings), s.Spouse, s.BirthDay, s.Money,
	}
}

func (s *sizedSmall) small() values.Small {
	return values.Small{
		Name: s.Name, Phone: s.Phone, Siblings: int(s.Siblings), Spouse: s.Spouse, BirthDay: s.BirthDay, Money: s.Money,
	}
}

func toPBSmall(s *values.Small) *pb.Small {
	return &pb.Small{
		Name: s.Name, Phone: s.Phone, Siblings: int32(s.Siblings), Spouse: s.Spouse, BirthDay: s.BirthDay, Money: s.Money,
	}
}

func fromPBSmall(m *pb.Small) values.Small {
	return values.Small{
		Name: m.Name, Phone: m.Phone, Siblings: int(m.Siblings), Spouse: m.Spouse, BirthDay: m.BirthDay, Money: m.Money,
	}
}

func writeSmall(w *bitio.Writer, s *values.Small) {
	writeText(w, s.Name, 5)
	w.TryWriteBits(uint64(s.Siblings), 3)
	w.TryWriteBool(s.Spouse)
	writeText(w, s.Phone, 4)
	w.TryWriteBits(uint64(s.BirthDay), 64)
	w.TryWriteBits(math.Float64bits(s.Money), 64)
}

func readSmall(r *bitio.Reader, s *values.Small) {
	s.Name = readText(r, 5)
	s.Siblings = int(r.TryReadBits(3))
	s.Spouse = r.TryReadBool()
	s.Phone = readText(r, 4)
	s.BirthDay = int64(r.TryReadBits(64))
	s.Money = math.Float64frombits(r.TryReadBits(64))
}

func writeText(w *bitio.Writer, text string, width uint8) {
	w.TryWriteBits(uint64(len(text)), width)
	for i := range len(text) {
		w.TryWriteByte(text[i])
	}
}

func readText(r *bitio.Reader, width uint8) string {
	var text [32]byte
	n := r.TryReadBits(width)
	r.TryRead(text[:n])
	return string(text[:n])
}

func appendSmall(dst []byte, s *values.Small) []byte {
	dst = append(dst, byte(len(s.Name)))
	dst = append(dst, s.Name...)
	dst = append(dst, byte(len(s.Phone)))
	dst = append(dst, s.Phone...)
	dst = append(dst, byte(s.Siblings), toByte(s.Spouse))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(s.BirthDay))
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(s.Money))
}

func takeSmall(data []byte, s *values.Small) error {
	c := cursor{data: data}
	s.Name = string(c.bytes(int(c.uint8())))
	s.Phone = string(c.bytes(int(c.uint8())))
	s.Siblings = int(c.uint8())
	s.Spouse = c.uint8() != 0
	s.BirthDay = int64(c.uint64())
	s.Money = math.Float64frombits(c.uint64())
	return c.end()
}

package tagcodec_test

import (
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

// benchPacket is the 133-byte packet from the benchmarks of serialize.go.
type benchPacket struct {
	Sequence    uint64
	Position    [3]float32 `bp:"float,min=-1024,max=1024,res=0.01"`
	Orientation [4]float32 `bp:"float,min=-1,max=1,res=0.0001"`
	Health      int32      `bp:"int,min=0,max=1000"`
	Weapon      uint32     `bp:"uint,bits=4"`
	Ammo        [8]int32   `bp:"int,min=0,max=200"`
	Firing      bool
	Events      []uint32 `bp:"maxlen=16"`
	Payload     [64]byte `bp:"bytes"`
}

func newBenchPacket() *benchPacket {
	p := &benchPacket{
		Sequence:    0x123456789ABCDEF0,
		Position:    [3]float32{102.4, -55.3, 12.75},
		Orientation: [4]float32{0.1, 0.2, 0.3, 0.9},
		Health:      731,
		Weapon:      11,
		Firing:      true,
		Events:      make([]uint32, 9),
	}
	for i := range p.Ammo {
		p.Ammo[i] = int32(i * 13)
	}
	for i := range p.Events {
		p.Events[i] = uint32(i) * 2654435761
	}
	for i := range p.Payload {
		p.Payload[i] = byte(i * 47)
	}
	return p
}

var (
	positionSteps, _    = compress.NewFloat32(-1024, 1024, 0.01)
	orientationSteps, _ = compress.NewFloat32(-1, 1, 0.0001)
)

// write writes the packet by hand, with direct calls of the Writer.
func (p *benchPacket) write(w *bits.Writer) {
	w.WriteBits(p.Sequence, 64)
	for _, v := range p.Position {
		w.WriteBits(uint64(positionSteps.Encode(v)), 18)
	}
	for _, v := range p.Orientation {
		w.WriteBits(uint64(orientationSteps.Encode(v)), 15)
	}
	w.WriteInt(int64(p.Health), 0, 1000)
	w.WriteBits(uint64(p.Weapon), 4)
	for _, v := range p.Ammo {
		w.WriteInt(int64(v), 0, 200)
	}
	w.WriteBool(p.Firing)
	w.WriteInt(int64(len(p.Events)), 0, 16)
	for _, v := range p.Events {
		w.WriteBits(uint64(v), 32)
	}
	w.WriteBytes(p.Payload[:])
}

// read is the inverse of write. ReadUint checks the codes of the floats.
func (p *benchPacket) read(r *bits.Reader) {
	p.Sequence = r.ReadBits(64)
	for i := range p.Position {
		p.Position[i] = positionSteps.Decode(uint32(r.ReadUint(0, uint64(positionSteps.Steps))))
	}
	for i := range p.Orientation {
		p.Orientation[i] = orientationSteps.Decode(uint32(r.ReadUint(0, uint64(orientationSteps.Steps))))
	}
	p.Health = int32(r.ReadInt(0, 1000))
	p.Weapon = uint32(r.ReadBits(4))
	for i := range p.Ammo {
		p.Ammo[i] = int32(r.ReadInt(0, 200))
	}
	p.Firing = r.ReadBool()
	n := int(r.ReadInt(0, 16))
	if n > r.Remaining()/32 || n > cap(p.Events) {
		n = 0
	}
	p.Events = p.Events[:n]
	for i := range p.Events {
		p.Events[i] = uint32(r.ReadBits(32))
	}
	r.ReadBytes(p.Payload[:])
}

// mixed has 24 scalars of different kinds.
type mixed struct {
	A int32   `bp:"int,min=0,max=100"`
	B float32 `bp:"float,min=-10,max=10,res=0.01"`
	C bool
	D uint16 `bp:"uint,bits=10"`
	E int8
	F int64   `bp:"int,min=-1000000,max=1000000"`
	G float32 `bp:"float,min=0,max=1,res=0.001"`
	H uint32
	I bool
	J int16   `bp:"int,min=-500,max=500"`
	K uint8   `bp:"uint,bits=3"`
	L float32 `bp:"float,min=-1024,max=1024,res=0.01"`
	M uint64
	N bool
	O int32   `bp:"int,min=-5,max=5"`
	P uint32  `bp:"int,min=0,max=4000"`
	Q float32 `bp:"float,min=-1,max=1,res=0.0001"`
	R uint8
	S bool
	T int64 `bp:"int,min=0,max=3"`
	U float32
	V uint16  `bp:"int,min=100,max=300"`
	W int32   `bp:"int,min=0,max=65535"`
	X float64 `bp:"float,min=0,max=1000,res=0.5"`
}

func newMixed() *mixed {
	return &mixed{
		77, 3.25, true, 1000, -5, -777777, 0.125, 0xDEADBEEF, false, -499, 5, -1000.5, 0x0123456789ABCDEF,
		true, -3, 3999, 0.5, 200, true, 2, 1.5, 299, 65535, 499.5,
	}
}

var (
	mixedB, _ = compress.NewFloat32(-10, 10, 0.01)
	mixedG, _ = compress.NewFloat32(0, 1, 0.001)
	mixedX, _ = compress.NewFloat64(0, 1000, 0.5)
)

func (m *mixed) write(w *bits.Writer) {
	w.WriteInt(int64(m.A), 0, 100)
	w.WriteBits(uint64(mixedB.Encode(m.B)), 11)
	w.WriteBool(m.C)
	w.WriteBits(uint64(m.D), 10)
	w.WriteBits(uint64(uint8(m.E)), 8)
	w.WriteInt(m.F, -1000000, 1000000)
	w.WriteBits(uint64(mixedG.Encode(m.G)), 10)
	w.WriteBits(uint64(m.H), 32)
	w.WriteBool(m.I)
	w.WriteInt(int64(m.J), -500, 500)
	w.WriteBits(uint64(m.K), 3)
	w.WriteBits(uint64(positionSteps.Encode(m.L)), 18)
	w.WriteBits(m.M, 64)
	w.WriteBool(m.N)
	w.WriteInt(int64(m.O), -5, 5)
	w.WriteUint(uint64(m.P), 0, 4000)
	w.WriteBits(uint64(orientationSteps.Encode(m.Q)), 15)
	w.WriteBits(uint64(m.R), 8)
	w.WriteBool(m.S)
	w.WriteInt(m.T, 0, 3)
	w.WriteFloat32(m.U)
	w.WriteUint(uint64(m.V), 100, 300)
	w.WriteInt(int64(m.W), 0, 65535)
	w.WriteBits(mixedX.Encode(m.X), 11)
}

func (m *mixed) read(r *bits.Reader) {
	m.A = int32(r.ReadInt(0, 100))
	m.B = mixedB.Decode(uint32(r.ReadUint(0, uint64(mixedB.Steps))))
	m.C = r.ReadBool()
	m.D = uint16(r.ReadBits(10))
	m.E = int8(r.ReadBits(8))
	m.F = r.ReadInt(-1000000, 1000000)
	m.G = mixedG.Decode(uint32(r.ReadUint(0, uint64(mixedG.Steps))))
	m.H = uint32(r.ReadBits(32))
	m.I = r.ReadBool()
	m.J = int16(r.ReadInt(-500, 500))
	m.K = uint8(r.ReadBits(3))
	m.L = positionSteps.Decode(uint32(r.ReadUint(0, uint64(positionSteps.Steps))))
	m.M = r.ReadBits(64)
	m.N = r.ReadBool()
	m.O = int32(r.ReadInt(-5, 5))
	m.P = uint32(r.ReadUint(0, 4000))
	m.Q = orientationSteps.Decode(uint32(r.ReadUint(0, uint64(orientationSteps.Steps))))
	m.R = uint8(r.ReadBits(8))
	m.S = r.ReadBool()
	m.T = r.ReadInt(0, 3)
	m.U = r.ReadFloat32()
	m.V = uint16(r.ReadUint(100, 300))
	m.W = int32(r.ReadInt(0, 65535))
	m.X = mixedX.Decode(r.ReadUint(0, mixedX.Steps))
}

// byHand is a message with handwritten code to write and read it.
type byHand[T any] interface {
	*T
	write(w *bits.Writer)
	read(r *bits.Reader)
}

// compare benchmarks a codec and handwritten code for the same bytes.
func compare[T any, P byHand[T]](b *testing.B, v P, size int) {
	codec := tagcodec.MustFor[T]()
	data, err := codec.Append(nil, v)
	require.NoError(b, err)
	require.Len(b, data, size)
	w := bits.NewWriter(make([]byte, size+8))
	v.write(w)
	require.Equal(b, data, w.Bytes(), "both must write the same bytes")

	buf := make([]byte, 0, size+8)
	b.Run("write/codec", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := codec.Append(buf, v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("write/hand", func(b *testing.B) {
		b.ReportAllocs()
		var w bits.Writer
		for b.Loop() {
			w.Reset(buf[:cap(buf)])
			v.write(&w)
			if w.Bytes(); w.Err() != nil {
				b.Fatal(w.Err())
			}
		}
	})
	into := *v
	b.Run("read/codec", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := codec.Unmarshal(data, &into); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read/hand", func(b *testing.B) {
		b.ReportAllocs()
		var r bits.Reader
		for b.Loop() {
			r.Reset(data, 0)
			P(&into).read(&r)
			if err := r.Finish(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkPacket compares both on the 133-byte packet.
func BenchmarkPacket(b *testing.B) { compare(b, newBenchPacket(), 133) }

// BenchmarkMixed compares both on 24 mixed scalars.
func BenchmarkMixed(b *testing.B) { compare(b, newMixed(), 39) }

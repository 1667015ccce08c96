package tagcodec_test

import (
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
)

// bulk is the number of elements in the measured slices.
const bulk = 1000

// Slices of 1000 elements. Each is compared with a loop written for its width.
type (
	manyInts struct {
		V []int32 `bp:"int,min=-500,max=500,maxlen=1000"`
	}
	manyFloats struct {
		V []float32 `bp:"float,min=-1024,max=1024,res=0.01,maxlen=1000"`
	}
)

func (m *manyInts) write(w *bits.Writer) {
	w.WriteInt(int64(len(m.V)), 0, bulk)
	for _, v := range m.V {
		w.WriteInt(int64(v), -500, 500)
	}
}

func (m *manyInts) read(r *bits.Reader) {
	m.V = m.V[:min(int(r.ReadInt(0, bulk)), cap(m.V))]
	for i := range m.V {
		m.V[i] = int32(r.ReadInt(-500, 500))
	}
}

func (m *manyFloats) write(w *bits.Writer) {
	w.WriteInt(int64(len(m.V)), 0, bulk)
	for _, v := range m.V {
		w.WriteBits(uint64(positionSteps.Encode(v)), 18)
	}
}

func (m *manyFloats) read(r *bits.Reader) {
	m.V = m.V[:min(int(r.ReadInt(0, bulk)), cap(m.V))]
	for i := range m.V {
		m.V[i] = positionSteps.Decode(uint32(r.ReadUint(0, uint64(positionSteps.Steps))))
	}
}

func BenchmarkSlices(b *testing.B) {
	var (
		ints   manyInts
		floats manyFloats
	)
	for i := range bulk {
		ints.V = append(ints.V, int32(i*7%1001-500))
		floats.V = append(floats.V, float32(i*37%2048-1024)+0.25)
	}
	b.Run("ints", func(b *testing.B) { compare(b, &ints, 1252) })
	b.Run("floats", func(b *testing.B) { compare(b, &floats, 2252) })
}

// snapshot is the state of the 900 cubes in the articles.
type snapshot struct {
	Bodies []body `bp:"maxlen=900"`
}

type body struct {
	Position    [3]float32 `bp:"float,min=-256,max=255,res=0.002"`
	Orientation [4]float32 `bp:"quat,bits=9"`
	AtRest      bool
	Linear      [3]float32 `bp:"float,min=-32,max=32,res=0.01,if=!AtRest"`
	Angular     [3]float32 `bp:"float,min=-32,max=32,res=0.01,if=!AtRest"`
}

var (
	bodyPosition, _ = compress.NewFloat32(-256, 255, 0.002)
	bodyVelocity, _ = compress.NewFloat32(-32, 32, 0.01)
	bodyRotation, _ = compress.NewQuat(9)
)

func (s *snapshot) write(w *bits.Writer) {
	w.WriteInt(int64(len(s.Bodies)), 0, 900)
	for i := range s.Bodies {
		b := &s.Bodies[i]
		for _, v := range b.Position {
			w.WriteBits(uint64(bodyPosition.Encode(v)), 18)
		}
		code, _ := bodyRotation.Encode32(b.Orientation)
		w.WriteBits(code, 29)
		w.WriteBool(b.AtRest)
		if b.AtRest {
			continue
		}
		for _, v := range b.Linear {
			w.WriteBits(uint64(bodyVelocity.Encode(v)), 13)
		}
		for _, v := range b.Angular {
			w.WriteBits(uint64(bodyVelocity.Encode(v)), 13)
		}
	}
}

func (s *snapshot) read(r *bits.Reader) {
	s.Bodies = s.Bodies[:min(int(r.ReadInt(0, 900)), cap(s.Bodies))]
	for i := range s.Bodies {
		b := &s.Bodies[i]
		for k := range b.Position {
			b.Position[k] = bodyPosition.Decode(uint32(r.ReadUint(0, uint64(bodyPosition.Steps))))
		}
		var ok bool
		if b.Orientation, ok = bodyRotation.Decode32(r.ReadBits(29)); !ok {
			return
		}
		if b.AtRest = r.ReadBool(); b.AtRest {
			b.Linear, b.Angular = [3]float32{}, [3]float32{}
			continue
		}
		for k := range b.Linear {
			b.Linear[k] = bodyVelocity.Decode(uint32(r.ReadUint(0, uint64(bodyVelocity.Steps))))
		}
		for k := range b.Angular {
			b.Angular[k] = bodyVelocity.Decode(uint32(r.ReadUint(0, uint64(bodyVelocity.Steps))))
		}
	}
}

// BenchmarkSnapshot measures a frame of 900 bodies; a quarter of them move.
func BenchmarkSnapshot(b *testing.B) {
	s := &snapshot{Bodies: make([]body, 900)}
	for i := range s.Bodies {
		v := float32(i)
		s.Bodies[i] = body{
			Position:    [3]float32{v/4 - 100, 1 - v/1000, v / 7},
			Orientation: [4]float32{v / 900, 0.25, -v / 2000, 0.5},
			AtRest:      i%4 != 0,
		}
		if !s.Bodies[i].AtRest {
			s.Bodies[i].Linear = [3]float32{v / 50, -v / 70, 1}
			s.Bodies[i].Angular = [3]float32{1 - v/100, 0, v / 300}
		}
	}
	compare(b, s, (10+900*(54+29+1)+225*78+7)/8)
}

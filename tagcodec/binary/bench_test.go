package binary_test

import (
	"bytes"
	std "encoding/binary"
	"io"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/binary"
)

// unit has 20 fields of all sizes, in an order that favours neither package.
type unit struct {
	ID      uint64
	Tick    uint32
	Kind    uint8
	Flags   uint16
	Alive   bool
	Team    int8
	Ammo    int16
	Health  int32
	Score   int64
	X, Y, Z float32
	Yaw     float64
	Speed   float32
	Armor   uint16
	Level   uint8
	Weapon  uint32
	Time    int64
	Hidden  bool
	Ping    uint16
}

// taggedUnit is the same with tags.
type taggedUnit struct {
	ID      uint64  `bp:"int,min=0,max=1000000"`
	Tick    uint32  `bp:"uint,bits=24"`
	Kind    uint8   `bp:"enum,max=12"`
	Flags   uint16  `bp:"uint,bits=9"`
	Alive   bool    // 1 bit
	Team    int8    `bp:"int,min=-1,max=6"`
	Ammo    int16   `bp:"int,min=0,max=500"`
	Health  int32   `bp:"int,min=0,max=100"`
	Score   int64   `bp:"int,min=0,max=1000000"`
	X, Y, Z float32 `bp:"float,min=-1024,max=1024,res=0.01"`
	Yaw     float64 `bp:"angle,bits=10"`
	Speed   float32 `bp:"float,min=0,max=50,res=0.1"`
	Armor   uint16  `bp:"int,min=0,max=300"`
	Level   uint8   `bp:"int,min=1,max=99"`
	Weapon  uint32  `bp:"enum,max=30"`
	Time    int64   `bp:"int,min=0,max=86400000"`
	Hidden  bool    // 1 bit
	Ping    uint16  `bp:"int,min=0,max=999"`
}

func newUnit() unit {
	return unit{123456, 70000, 3, 0x155, true, -1, 30, 87, 4500, 12.5, -7.25, 1, 3.1, 4.2, 150, 12, 7, 12345678, false, 48}
}

// subjects are values for which the standard library has a fast path, and
// values for which it has none, each as a source and as a destination.
var subjects = []struct {
	name     string
	src, dst any
}{
	{"struct", ptr(newUnit()), new(unit)},
	{"1000-structs", thousand(newUnit()), make([]unit, 1000)},
	{"int32", int32(-5), new(int32)},
	{"uint8", uint8(200), new(uint8)},
	{"float64", 1.5, new(float64)},
	{"4-int32s", []int32{1, 2, 3, 4}, make([]int32, 4)},
	{"1000-int32s", thousand(int32(-5)), make([]int32, 1000)},
	{"1000-uint16s", thousand(uint16(500)), make([]uint16, 1000)},
	{"1000-float64s", thousand(1.5), make([]float64, 1000)},
	{"1000-bools", thousand(true), make([]bool, 1000)},
	{"1000-bytes", thousand(uint8(200)), make([]uint8, 1000)},
}

func thousand[T any](v T) []T {
	s := make([]T, 1000)
	for i := range s {
		s[i] = v
	}
	return s
}

// again is a Reader that returns the same bytes each time.
type again struct{ data, left []byte }

func (a *again) Read(p []byte) (int, error) {
	n := copy(p, a.left)
	a.left = a.left[n:]
	return n, nil
}

// benchmarkPairs benchmarks a call of both packages on all subjects in both
// byte orders, one package right after the other.
func benchmarkPairs(b *testing.B, call func(b *testing.B, l library, order std.ByteOrder, src, dst any)) {
	for _, subject := range subjects {
		for _, order := range []std.ByteOrder{std.LittleEndian, std.BigEndian} {
			for _, l := range []struct {
				name string
				library
			}{{"std", theirs}, {"bp", ours}} {
				b.Run(subject.name+"/"+order.String()+"/"+l.name, func(b *testing.B) {
					b.ReportAllocs()
					b.SetBytes(int64(std.Size(subject.src)))
					call(b, l.library, order, subject.src, subject.dst)
				})
			}
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	benchmarkPairs(b, func(b *testing.B, l library, order std.ByteOrder, src, _ any) {
		buf := make([]byte, 0, std.Size(src))
		for b.Loop() {
			l.append(buf, order, src)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	benchmarkPairs(b, func(b *testing.B, l library, order std.ByteOrder, src, _ any) {
		buf := make([]byte, std.Size(src))
		for b.Loop() {
			l.encode(buf, order, src)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	benchmarkPairs(b, func(b *testing.B, l library, order std.ByteOrder, src, dst any) {
		wire, _ := std.Append(nil, order, src)
		for b.Loop() {
			l.decode(wire, order, dst)
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	benchmarkPairs(b, func(b *testing.B, l library, order std.ByteOrder, src, _ any) {
		var buf bytes.Buffer
		var w io.Writer = &buf
		for b.Loop() {
			buf.Reset()
			l.write(w, order, src)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	benchmarkPairs(b, func(b *testing.B, l library, order std.ByteOrder, src, dst any) {
		wire, _ := std.Append(nil, order, src)
		a := &again{data: wire}
		var r io.Reader = a
		for b.Loop() {
			a.left = a.data
			l.read(r, order, dst)
		}
	})
}

func BenchmarkSize(b *testing.B) {
	benchmarkPairs(b, func(b *testing.B, l library, order std.ByteOrder, src, _ any) {
		for b.Loop() {
			l.size(src)
		}
	})
}

// taggedUnits is a message of a Codec with the elements of a slice.
type taggedUnits struct {
	All []taggedUnit `bp:"maxlen=1000"`
}

// BenchmarkTagged benchmarks the calls on a struct with tags, and a Codec of the
// same values. The same struct without tags is "struct" and "1000-structs" of the
// benchmarks above.
func BenchmarkTagged(b *testing.B) {
	one := taggedUnit{123456, 70000, 3, 0x155, true, -1, 30, 87, 4500, 12.5, -7.25, 1, 3.1, 4.2, 150, 12, 7, 12345678, false, 48}
	many := thousand(one)
	oneCodec, manyCodec := tagcodec.MustFor[taggedUnit](), tagcodec.MustFor[taggedUnits]()
	units, unitsDst := taggedUnits{many}, taggedUnits{}
	unitsWire, err := manyCodec.Append(nil, &units)
	if err != nil {
		b.Fatal(err)
	}
	for _, subject := range []struct {
		name     string
		src, dst any
	}{{"struct", &one, new(taggedUnit)}, {"1000-structs", many, make([]taggedUnit, 1000)}} {
		wire, err := binary.Append(nil, binary.LittleEndian, subject.src)
		if err != nil {
			b.Fatal(err)
		}
		run := func(name string, call func() error) {
			b.Run(name+"/"+subject.name, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(wire)))
				for b.Loop() {
					if err := call(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		buf := make([]byte, 0, 2*len(wire))
		run("Append", func() error {
			_, err := binary.Append(buf, binary.LittleEndian, subject.src)
			return err
		})
		run("Codec-Append", func() error {
			var err error
			if v, ok := subject.src.(*taggedUnit); ok {
				_, err = oneCodec.Append(buf, v)
			} else {
				_, err = manyCodec.Append(buf, &units)
			}
			return err
		})
		run("Codec-Unmarshal", func() error {
			if v, ok := subject.dst.(*taggedUnit); ok {
				return oneCodec.Unmarshal(wire, v)
			}
			return manyCodec.Unmarshal(unitsWire, &unitsDst)
		})
		run("Decode", func() error {
			_, err := binary.Decode(wire, binary.LittleEndian, subject.dst)
			return err
		})
		run("Write", func() error { return binary.Write(io.Discard, binary.LittleEndian, subject.src) })
		a := &again{data: wire}
		run("Read", func() error {
			a.left = a.data
			return binary.Read(a, binary.LittleEndian, subject.dst)
		})
	}
}

package values

import "math/rand/v2"

// RealPacket has 97 scalars of various kinds in random order, 204 bytes with the
// gates that [SampleRealPackets] sets. Its wire is that of the message of this
// name in the benchmarks of schema.
type RealPacket struct {
	A1  int32 `bp:"int,min=-805495,max=805495"`
	A2  float64
	A3  int32   `bp:"int,min=-835897,max=835897"`
	A4  float32 `bp:"float,min=0,max=2000,res=0.1"`
	A5  uint16  `bp:"int,min=0,max=7316"`
	A6  int16   `bp:"int,min=-1513,max=1513"`
	A7  float32
	A8  uint64
	A9  int8 `bp:"int,min=-22,max=22"`
	A10 float32
	A11 uint32 `bp:"uint,bits=10"`
	A12 bool
	A13 float32 `bp:"if=A12"`
	A14 uint16  `bp:"int,min=0,max=775,if=A12"`
	A15 int8    `bp:"int,min=-21,max=21,if=A12"`
	A16 int32   `bp:"fixed,frac=20,min=-36,max=36,if=A12"`
	A17 uint16  `bp:"int,min=0,max=4606,if=A12"`
	A18 int16   `bp:"int,min=-834,max=834"`
	A19 float64
	A20 float32
	A21 uint32 `bp:"fixed,frac=12,min=0,max=25141"`
	A22 float32
	A23 uint32 `bp:"uint,bits=25"`
	A24 float32
	A25 int16   `bp:"fixed,frac=8,min=-119,max=119"`
	A26 uint32  `bp:"uint,bits=9"`
	A27 float32 `bp:"float,min=-2,max=2,res=0.25"`
	A28 uint32  `bp:"uint,bits=4"`
	A29 int64
	A30 float32
	A31 uint32 `bp:"uint,bits=1"`
	A32 int8   `bp:"int,min=-3,max=3"`
	A33 uint32 `bp:"int,min=0,max=142780"`
	A34 uint16 `bp:"int,min=0,max=14149"`
	A35 uint32 `bp:"uint,bits=9"`
	A36 uint8  `bp:"int,min=0,max=5"`
	A37 bool
	A38 bool
	A39 uint32 `bp:"uint,bits=19"`
	A40 int16  `bp:"fixed,frac=12,min=-5,max=5"`
	A41 int8   `bp:"int,min=-55,max=55"`
	A42 uint32 `bp:"uint,bits=30"`
	A43 bool
	A44 float32 `bp:"if=A43"`
	A45 uint32  `bp:"uint,bits=12,if=A43"`
	A46 uint32  `bp:"int,min=0,max=76063,if=A43"`
	A47 int32   `bp:"int,min=-430976,max=430976,if=A43"`
	A48 float64
	A49 uint16 `bp:"fixed,frac=14,min=0,max=3"`
	A50 bool
	A51 bool    `bp:"if=A50"`
	A52 int8    `bp:"int,min=-57,max=57,if=A50"`
	A53 float32 `bp:"if=A50"`
	A54 int8    `bp:"int,min=-35,max=35,if=A50"`
	A55 bool
	A56 int8 `bp:"int,min=-13,max=13"`
	A57 int8 `bp:"int,min=-15,max=15"`
	A58 float32
	A59 float64
	A60 uint32  `bp:"uint,bits=8"`
	A61 float32 `bp:"float,min=-90,max=90,res=0.5"`
	A62 uint16  `bp:"int,min=0,max=503"`
	A63 int64
	A64 uint16  `bp:"int,min=0,max=299"`
	A65 float32 `bp:"float,min=0,max=30,res=0.5"`
	A66 uint16  `bp:"fixed,frac=14,min=0,max=2"`
	A67 float32 `bp:"float,min=-100,max=100,res=0.25"`
	A68 float32 `bp:"float,min=0,max=2000,res=1"`
	A69 uint32  `bp:"uint,bits=11"`
	A70 uint8   `bp:"int,min=0,max=2"`
	A71 float32 `bp:"float,min=0,max=10,res=0.02"`
	A72 float32 `bp:"float,min=0,max=100,res=0.01"`
	A73 int8    `bp:"int,min=-4,max=4"`
	A74 bool
	A75 uint64 `bp:"if=A74"`
	A76 int16  `bp:"int,min=-26218,max=26218,if=A74"`
	A77 int8   `bp:"int,min=-17,max=17,if=A74"`
	A78 uint32 `bp:"uint,bits=9,if=A74"`
	A79 uint8  `bp:"int,min=0,max=17,if=A74"`
	A80 bool
	A81 uint32 `bp:"uint,bits=29"`
	A82 uint32 `bp:"uint,bits=25"`
	A83 uint8  `bp:"int,min=0,max=5"`
	A84 uint8  `bp:"fixed,frac=7,min=0,max=1"`
	A85 uint32 `bp:"uint,bits=21"`
	A86 uint16 `bp:"int,min=0,max=399"`
	A87 float64
	A88 int16  `bp:"int,min=-694,max=694"`
	A89 uint64 `bp:"uint,bits=48"`
	A90 uint8  `bp:"int,min=0,max=214"`
	A91 uint64 `bp:"uint,bits=5"`
	A92 bool
	A93 uint64
	A94 bool
	A95 int32  `bp:"fixed,frac=16,min=-1577,max=1577"`
	A96 uint32 `bp:"uint,bits=18"`
	A97 uint32 `bp:"uint,bits=12"`
}

// SampleRealPackets returns n random packets of 204 bytes.
func SampleRealPackets(n int) []RealPacket {
	random := rand.New(rand.NewPCG(3, 4))
	list := make([]RealPacket, n)
	for i := range list {
		list[i] = Random[RealPacket](random)
		list[i].A12, list[i].A43, list[i].A50, list[i].A74 = true, false, true, false
	}
	return list
}

package values

// Mixed has 24 scalars of various kinds.
type Mixed struct {
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

// SampleMixed returns 39 bytes of scalars.
func SampleMixed() Mixed {
	return Mixed{
		77, 3.25, true, 1000, -5, -777777, 0.125, 0xDEADBEEF, false, -499, 5, -1000.5, 0x0123456789ABCDEF,
		true, -3, 3999, 0.5, 200, true, 2, 1.5, 299, 65535, 499.5,
	}
}

// Ints is a slice of integers in 10 bits each.
type Ints struct {
	V []int32 `bp:"int,min=-500,max=500,maxlen=1000"`
}

// SampleInts returns 1000 integers, 1252 bytes.
func SampleInts() Ints {
	v := make([]int32, 1000)
	for i := range v {
		v[i] = int32(i*7%1001 - 500)
	}
	return Ints{v}
}

// Snapshot is the state of rigid bodies, such as the cubes of the Gaffer on
// Games articles.
type Snapshot struct {
	Bodies []RigidBody `bp:"maxlen=900"`
}

// RigidBody is a body that has velocities only if it is not at rest.
type RigidBody struct {
	Position    [3]float32 `bp:"float,min=-256,max=255,res=0.002"`
	Orientation [4]float32 `bp:"quat,bits=9"`
	AtRest      bool
	Linear      [3]float32 `bp:"float,min=-32,max=32,res=0.01,if=!AtRest"`
	Angular     [3]float32 `bp:"float,min=-32,max=32,res=0.01,if=!AtRest"`
}

// SampleSnapshot returns 900 bodies, a quarter of them moving.
func SampleSnapshot() Snapshot {
	s := Snapshot{make([]RigidBody, 900)}
	for i := range s.Bodies {
		v := float32(i)
		b := RigidBody{
			Position:    [3]float32{v/4 - 100, 1 - v/1000, v / 7},
			Orientation: [4]float32{v / 900, 0.25, -v / 2000, 0.5},
			AtRest:      i%4 != 0,
		}
		if !b.AtRest {
			b.Linear = [3]float32{v / 50, -v / 70, 1}
			b.Angular = [3]float32{1 - v/100, 0, v / 300}
		}
		s.Bodies[i] = b
	}
	return s
}

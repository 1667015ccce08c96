// Package msgpgen has the values as types that msgp writes methods for, with
// the names of the fields and, as tuples, without. go.mod has the version of
// the generator.
package msgpgen

//go:generate go tool msgp -io=false -tests=false -o types_gen.go

//msgp:tuple SmallTuple PacketTuple FrameTuple ObjectTuple

// Small is a small struct of the values.
type Small struct {
	Name     string
	Siblings int
	Spouse   bool
	Phone    string
	BirthDay int64
	Money    float64
}

// SmallTuple is a Small without the names.
type SmallTuple struct {
	Name     string
	Siblings int
	Spouse   bool
	Phone    string
	BirthDay int64
	Money    float64
}

// Packet is a packet of the values.
type Packet struct {
	Sequence    uint64
	Position    [3]float32
	Orientation [4]float32
	Health      int32
	Weapon      uint8
	Ammo        [8]uint8
	Firing      bool
	Events      []uint32
	Payload     [64]byte
}

// PacketTuple is a Packet without the names.
type PacketTuple struct {
	Sequence    uint64
	Position    [3]float32
	Orientation [4]float32
	Health      int32
	Weapon      uint8
	Ammo        [8]uint8
	Firing      bool
	Events      []uint32
	Payload     [64]byte
}

// Frame is a frame of the values.
type Frame struct {
	Objects [9]Object
}

// Object is an object of the values.
type Object struct {
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

// FrameTuple is a Frame without the names.
type FrameTuple struct {
	Objects [9]ObjectTuple
}

// ObjectTuple is an Object without the names.
type ObjectTuple struct {
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

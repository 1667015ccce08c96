// Package msgpgen declares the values as types for which msgp generates
// methods, with field names and, as tuples, without. The version of the
// generator is in go.mod.
package msgpgen

//go:generate go tool msgp -io=false -tests=false -o types_gen.go

//msgp:tuple SmallTuple PacketTuple FrameTuple ObjectTuple

// Small is values.Small for msgp.
type Small struct {
	Name     string
	Siblings int
	Spouse   bool
	Phone    string
	BirthDay int64
	Money    float64
}

// SmallTuple is Small without field names.
type SmallTuple struct {
	Name     string
	Siblings int
	Spouse   bool
	Phone    string
	BirthDay int64
	Money    float64
}

// Packet is values.Packet for msgp.
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

// PacketTuple is Packet without field names.
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

// Frame is values.Frame for msgp.
type Frame struct {
	Objects [9]Object
}

// Object is values.Object for msgp.
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

// FrameTuple is Frame without field names.
type FrameTuple struct {
	Objects [9]ObjectTuple
}

// ObjectTuple is Object without field names.
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

package bench

// Packet is what a game sends about one player, 133 bytes as [SamplePacket] has
// it: the layout of the benchmark that the implementations of serialize 1.0
// have in common.
type Packet struct {
	Sequence    uint64
	Position    [3]float32 `bp:"float,min=-1024,max=1024,res=0.01"`
	Orientation [4]float32 `bp:"float,min=-1,max=1,res=0.0001"`
	Health      int32      `bp:"int,min=0,max=1000"`
	Weapon      uint8      `bp:"uint,bits=4"`
	Ammo        [8]uint8   `bp:"int,min=0,max=200"`
	Firing      bool
	Events      []uint32 `bp:"maxlen=16"`
	Payload     [64]byte `bp:"bytes"`
}

// SamplePacket returns the packet that is measured. Its floats are ones that
// quantization keeps, so that every codec must give back the same packet.
func SamplePacket() Packet {
	p := Packet{
		Sequence:    0x123456789ABCDEF0,
		Position:    [3]float32{102.400024, -55.299988, 12.75},
		Orientation: [4]float32{0.100000024, 0.20000005, 0.29999995, 0.9},
		Health:      731,
		Weapon:      11,
		Firing:      true,
		Events:      make([]uint32, 9),
	}
	for i := range p.Ammo {
		p.Ammo[i] = uint8(13 * i)
	}
	for i := range p.Events {
		p.Events[i] = uint32(i) * 2654435761
	}
	for i := range p.Payload {
		p.Payload[i] = byte(47 * i)
	}
	return p
}

// slicePacket is a [Packet] with the payload as a slice, of which the encodings
// that describe themselves make one piece. An array of bytes is a list of
// numbers to some of them.
type slicePacket struct {
	_           struct{} // so that it converts to an arrayPacket
	Sequence    uint64
	Position    [3]float32
	Orientation [4]float32
	Health      int32
	Weapon      uint8
	Ammo        [8]uint8
	Firing      bool
	Events      []uint32
	Payload     []byte
}

// slice returns p with the payload in place.
func slice(p *Packet) slicePacket {
	return slicePacket{struct{}{}, p.Sequence, p.Position, p.Orientation, p.Health, p.Weapon, p.Ammo, p.Firing,
		p.Events, p.Payload[:]}
}

// packet is the reverse of slice.
func (s *slicePacket) packet() Packet {
	p := Packet{s.Sequence, s.Position, s.Orientation, s.Health, s.Weapon, s.Ammo, s.Firing, s.Events, [64]byte{}}
	copy(p.Payload[:], s.Payload)
	return p
}

// arrayPacket is a slicePacket that cbor writes without the names.
type arrayPacket struct {
	_           struct{} `cbor:",toarray"`
	Sequence    uint64
	Position    [3]float32
	Orientation [4]float32
	Health      int32
	Weapon      uint8
	Ammo        [8]uint8
	Firing      bool
	Events      []uint32
	Payload     []byte
}

// fixedPacket is a [Packet] for encoding/binary, which takes no slices inside
// of structs: the events have their full size.
type fixedPacket struct {
	Sequence    uint64
	Position    [3]float32
	Orientation [4]float32
	Health      int32
	Weapon      uint8
	Ammo        [8]uint8
	Firing      bool
	EventCount  uint8
	Events      [16]uint32
	Payload     [64]byte
}

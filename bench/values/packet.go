package values

import "math/rand/v2"

// Packet is an update about one player, 133 bytes as returned by
// [SamplePacket]. It has the layout of the benchmark shared by the
// implementations of serialize 1.0.
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

// SamplePacket returns the packet to be measured. Quantization preserves its
// floats, so every codec must restore it exactly.
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

// SamplePackets returns n random packets of 133 bytes.
func SamplePackets(n int) []Packet {
	random := rand.New(rand.NewPCG(9, 10))
	list := make([]Packet, n)
	for i := range list {
		list[i] = Random[Packet](random)
		list[i].Events = make([]uint32, 9)
		for k := range list[i].Events {
			list[i].Events[k] = random.Uint32()
		}
	}
	return list
}

package vectors_test

import (
	"math"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/tagcodec"
)

// quantizer returns a function that serializes floats as compressed_float.
func quantizer(min, max, res float32) func(*bits.Stream, ...*float32) {
	q, err := compress.NewFloat32(min, max, res)
	if err != nil {
		panic(err)
	}
	return func(s *bits.Stream, values ...*float32) {
		for _, v := range values {
			q.Serialize(s, v)
		}
	}
}

var (
	position  = quantizer(-1024, 1024, 0.01)
	unit      = quantizer(-1, 1, 0.0001)
	velocity  = quantizer(-128, 128, 0.05)
	stamina   = quantizer(0, 100, 0.5)
	updatePos = quantizer(-512, 512, 0.02)
)

// pointers returns pointers to the elements of a list.
func pointers[T any](list []T) []*T {
	p := make([]*T, len(list))
	for i := range list {
		p[i] = &list[i]
	}
	return p
}

// Each message has one Serialize method that writes, measures and reads.

type PacketA struct{ X, Y, Z uint32 }

func (p *PacketA) Serialize(s *bits.Stream) error {
	bits.Bits(s, &p.X, 32)
	bits.Bits(s, &p.Y, 32)
	bits.Bits(s, &p.Z, 32)
	return s.Err()
}

type PacketB struct {
	NumElements int
	Elements    [32]uint32
}

func (p *PacketB) Serialize(s *bits.Stream) error {
	bits.Count(s, &p.NumElements, 0, 32)
	for i := range p.NumElements {
		bits.Bits(s, &p.Elements[i], 32)
	}
	return s.Err()
}

type PacketC struct {
	X bool
	Y int16
	Z int32
}

func (p *PacketC) Serialize(s *bits.Stream) error {
	s.Bool(&p.X)
	bits.Int(s, &p.Y, math.MinInt16, math.MaxInt16)
	bits.Int(s, &p.Z, math.MinInt32, math.MaxInt32)
	return s.Err()
}

type RigidBody struct {
	Position        [3]float32
	Orientation     [4]float32
	AtRest          bool
	LinearVelocity  [3]float32
	AngularVelocity [3]float32
}

func (p *RigidBody) Serialize(s *bits.Stream) error {
	for _, v := range append(pointers(p.Position[:]), pointers(p.Orientation[:])...) {
		s.Float32(v)
	}
	if s.Bool(&p.AtRest); p.AtRest {
		p.LinearVelocity, p.AngularVelocity = [3]float32{}, [3]float32{}
		return s.Err()
	}
	for _, v := range append(pointers(p.LinearVelocity[:]), pointers(p.AngularVelocity[:])...) {
		s.Float32(v)
	}
	return s.Err()
}

type PlayerState struct {
	ClientIndex int
	Position    [3]float32
	Orientation [4]float32
	Health      int
	Alive       bool
	Name        string
}

func (p *PlayerState) Serialize(s *bits.Stream) error {
	bits.Int(s, &p.ClientIndex, 0, 63)
	position(s, pointers(p.Position[:])...)
	unit(s, pointers(p.Orientation[:])...)
	bits.Int(s, &p.Health, 0, 1000)
	s.Bool(&p.Alive)
	s.String(&p.Name, 31)
	return s.Err()
}

type Scene struct {
	NumObjects int
	Objects    [64]struct {
		Type        int
		ID          uint16
		Position    [3]float32
		HasVelocity bool
		Velocity    [3]float32
	}
}

func (p *Scene) Serialize(s *bits.Stream) error {
	bits.Count(s, &p.NumObjects, 0, 64)
	for i := range p.NumObjects {
		o := &p.Objects[i]
		bits.Int(s, &o.Type, 0, 9)
		bits.Bits(s, &o.ID, 16)
		position(s, pointers(o.Position[:])...)
		if s.Bool(&o.HasVelocity); o.HasVelocity {
			velocity(s, pointers(o.Velocity[:])...)
		}
	}
	return s.Err()
}

type Character struct {
	Name  string
	Level int
	Stats struct {
		Strength, Agility int
		Stamina           float32
	}
	Inventory struct {
		Gold  int64
		Count int
		Items [8]struct {
			ID        uint16
			Quantity  int
			Enchanted bool
			Enchant   struct {
				Kind  uint8
				Power float32
			}
		}
	}
	HasGuild bool
	GuildID  uint64
}

func (p *Character) Serialize(s *bits.Stream) error {
	s.String(&p.Name, 23)
	bits.Int(s, &p.Level, 1, 60)
	bits.Int(s, &p.Stats.Strength, 1, 20)
	bits.Int(s, &p.Stats.Agility, 1, 20)
	stamina(s, &p.Stats.Stamina)
	bits.Int(s, &p.Inventory.Gold, 0, 1000000000000)
	bits.Count(s, &p.Inventory.Count, 0, 8)
	for i := range p.Inventory.Count {
		item := &p.Inventory.Items[i]
		bits.Bits(s, &item.ID, 16)
		bits.Int(s, &item.Quantity, 1, 99)
		if s.Bool(&item.Enchanted); item.Enchanted {
			bits.Bits(s, &item.Enchant.Kind, 5)
			s.Float32(&item.Enchant.Power)
		}
	}
	if s.Bool(&p.HasGuild); p.HasGuild {
		bits.Bits(s, &p.GuildID, 64)
	}
	return s.Err()
}

type BenchPacket struct {
	Sequence    uint64
	Position    [3]float32
	Orientation [4]float32
	Health      int
	Weapon      uint8
	Ammo        [8]int
	Firing      bool
	Events      int
	EventIDs    [16]uint32
	Payload     [64]byte
}

func (p *BenchPacket) Serialize(s *bits.Stream) error {
	bits.Bits(s, &p.Sequence, 64)
	position(s, pointers(p.Position[:])...)
	unit(s, pointers(p.Orientation[:])...)
	bits.Int(s, &p.Health, 0, 1000)
	bits.Bits(s, &p.Weapon, 4)
	for i := range p.Ammo {
		bits.Int(s, &p.Ammo[i], 0, 200)
	}
	s.Bool(&p.Firing)
	bits.Count(s, &p.Events, 0, 16)
	for i := range p.Events {
		bits.Bits(s, &p.EventIDs[i], 32)
	}
	s.Bytes(p.Payload[:])
	return s.Err()
}

type EntityUpdates struct {
	Sequence uint16
	Count    int
	Entities [32]struct {
		ID       int32
		Flags    uint8
		Position [3]float32
		Health   int
		Yaw      uint16
	}
}

func (p *EntityUpdates) Serialize(s *bits.Stream) error {
	bits.Bits(s, &p.Sequence, 16)
	bits.Count(s, &p.Count, 0, 32)
	previous := int64(0)
	for i := range p.Count {
		e := &p.Entities[i]
		bits.Relative(s, previous, &e.ID)
		previous = int64(e.ID)
		bits.Bits(s, &e.Flags, 3)
		if e.Flags&1 != 0 {
			updatePos(s, pointers(e.Position[:])...)
		}
		if e.Flags&2 != 0 {
			bits.Int(s, &e.Health, 0, 100)
		}
		if e.Flags&4 != 0 {
			bits.Bits(s, &e.Yaw, 9)
		}
	}
	return s.Err()
}

type ConnectRequest struct {
	Protocol       uint32
	ClientID       uint64
	AddressType    int
	Ipv4           [4]uint8
	Ipv6           [8]uint16
	Port           uint16
	Token          [16]byte
	UserDataLength int
	UserData       [64]byte
	Encrypted      bool
}

func (p *ConnectRequest) Serialize(s *bits.Stream) error {
	bits.Bits(s, &p.Protocol, 32)
	bits.Bits(s, &p.ClientID, 64)
	bits.Int(s, &p.AddressType, 0, 2)
	switch p.AddressType {
	case 1:
		for i := range p.Ipv4 {
			bits.Bits(s, &p.Ipv4[i], 8)
		}
	case 2:
		for i := range p.Ipv6 {
			bits.Bits(s, &p.Ipv6[i], 16)
		}
	}
	bits.Bits(s, &p.Port, 16)
	s.Bytes(p.Token[:])
	bits.Count(s, &p.UserDataLength, 0, 64)
	s.Bytes(p.UserData[:p.UserDataLength])
	s.Bool(&p.Encrypted)
	return s.Err()
}

type FixedState struct {
	Position [3]int64
	Heading  int16
	Health   int32
	EntityID bits.Uint128
	Galactic bits.Int128
	Ledger   bits.Int128
	Tick     int64
}

func (p *FixedState) Serialize(s *bits.Stream) error {
	for i := range p.Position {
		bits.Int(s, &p.Position[i], -8192<<16, 8192<<16)
	}
	bits.Int(s, &p.Heading, -100<<8, 100<<8)
	bits.Int(s, &p.Health, 0, 100<<16)
	tagcodec.Field(s, &p.EntityID, "")
	tagcodec.Field(s, &p.Galactic, "fixed,frac=16,min=-100000000000,max=100000000000")
	tagcodec.Field(s, &p.Ledger, "int,min=-0x10000000000000000000000000,max=0x10000000000000000000000000")
	bits.Int(s, &p.Tick, -1, 4611686018427387904)
	return s.Err()
}

type ChatMessage struct {
	Sender, Channel, Text string
	Timestamp             float64
	Whisper               bool
	Target                string
	Color                 [3]uint8
}

func (p *ChatMessage) Serialize(s *bits.Stream) error {
	tagcodec.Field(s, &p.Sender, "wstring,maxlen=15")
	s.String(&p.Channel, 15)
	s.String(&p.Text, 127)
	s.Float64(&p.Timestamp)
	if s.Bool(&p.Whisper); p.Whisper {
		tagcodec.Field(s, &p.Target, "wstring,maxlen=15")
	}
	for i := range p.Color {
		bits.Bits(s, &p.Color[i], 8)
	}
	s.Align()
	return s.Err()
}

type event struct {
	Kind   int
	Target uint16
	Amount int
	Time   float64
	Note   string
}

type EventStream struct {
	Tick   uint32
	Events []event
}

func (p *EventStream) Serialize(s *bits.Stream) error {
	bits.Bits(s, &p.Tick, 32)
	for i := 0; ; i++ {
		more := i < len(p.Events)
		if s.Bool(&more); !more {
			return s.Err()
		}
		if s.Reading() {
			if i == 12 {
				s.Fail(bits.ErrLength)
				return s.Err()
			}
			p.Events = append(p.Events, event{})
		}
		e := &p.Events[i]
		bits.Int(s, &e.Kind, 0, 4)
		switch e.Kind {
		case 1:
			bits.Bits(s, &e.Target, 10)
			bits.Int(s, &e.Amount, -500, 500)
		case 2:
			s.Float64(&e.Time)
		case 3:
			s.String(&e.Note, 19)
		case 4:
			s.Align()
			bits.Bits(s, &e.Target, 10)
		}
	}
}

package bench

import (
	"encoding/binary"
	"errors"

	"capnproto.org/go/capnp/v3"
	capnppacked "capnproto.org/go/capnp/v3/packed"
	"github.com/gobitpack/bitpack/bench/internal/capnpgen"
	"github.com/gobitpack/bitpack/bench/values"
)

// capnpCode is the code for a type T whose message is an M. capnpc-go generates
// create and open. write and read copy all fields.
type capnpCode[T, M any] struct {
	create func(*capnp.Segment) (M, error)
	open   func(*capnp.Message) (M, error)
	write  func(M, *T) error
	read   func(M, *T) error
}

// byCapnp returns the codecs for plain and packed Cap'n Proto messages.
func byCapnp[T, M any](c capnpCode[T, M]) []Codec[T] {
	const notes = "capnproto.org/go/capnp, every field copied"
	return []Codec[T]{
		{"capnp", Generated, notes, same[T]().open(c.functions)},
		{"capnp, packed", Generated, notes, same[T]().open(c.packedFunctions)},
	}
}

// functions reuses one message for writing and one for reading. Arenas for
// writing come from the pool of package capnp. The message for reading uses the
// memory of data. A message has a single segment. The functions write and check
// the frame around it themselves because [capnp.Message.Marshal] and
// [capnp.Unmarshal] allocate.
func (c capnpCode[T, M]) functions() functions[T] {
	var written, read capnp.Message
	arena := capnp.NewReadOnlySingleSegment(nil)
	return functions[T]{
		func(dst []byte, v *T) ([]byte, error) {
			segment, err := written.Reset(capnp.SingleSegment(nil))
			if err != nil {
				return nil, err
			}
			m, err := c.create(segment)
			if err != nil {
				return nil, err
			}
			if err := c.write(m, v); err != nil {
				return nil, err
			}
			data := segment.Data()
			dst = binary.LittleEndian.AppendUint32(dst[:0], 0) // the number of further segments
			dst = binary.LittleEndian.AppendUint32(dst, uint32(len(data)/8))
			return append(dst, data...), nil
		},
		func(data []byte, v *T) error {
			header := cursor{data: data}
			if header.uint32() != 0 || uint64(header.uint32())*8 != uint64(len(header.data)) || header.err != nil {
				return errFrame
			}
			read.Release()
			arena.ReplaceData(header.data)
			read.Arena = arena
			m, err := c.open(&read)
			if err != nil {
				return err
			}
			return c.read(m, v)
		},
	}
}

// packedFunctions packs and unpacks the messages of functions.
func (c capnpCode[T, M]) packedFunctions() functions[T] {
	f := c.functions()
	var written, read []byte
	return functions[T]{
		func(dst []byte, v *T) (_ []byte, err error) {
			if written, err = f.marshal(written, v); err != nil {
				return nil, err
			}
			return capnppacked.Pack(dst[:0], written), nil
		},
		func(data []byte, v *T) (err error) {
			if read, err = capnppacked.Unpack(read[:0], data); err != nil {
				return err
			}
			return f.unmarshal(read, v)
		},
	}
}

var errFrame = errors.New("the message is not one segment of its length")

func setSmall(m capnpgen.Small, s *values.Small) error {
	m.SetSiblings(uint8(s.Siblings))
	m.SetSpouse(s.Spouse)
	m.SetBirthDay(s.BirthDay)
	m.SetMoney(s.Money)
	if err := m.SetName(s.Name); err != nil {
		return err
	}
	return m.SetPhone(s.Phone)
}

func getSmall(m capnpgen.Small, s *values.Small) (err error) {
	s.Siblings = int(m.Siblings())
	s.Spouse = m.Spouse()
	s.BirthDay = m.BirthDay()
	s.Money = m.Money()
	if s.Name, err = m.Name(); err != nil {
		return err
	}
	s.Phone, err = m.Phone()
	return err
}

func setPacket(m capnpgen.Packet, p *values.Packet) error {
	m.SetSequence(p.Sequence)
	m.SetPositionX(p.Position[0])
	m.SetPositionY(p.Position[1])
	m.SetPositionZ(p.Position[2])
	m.SetOrientationX(p.Orientation[0])
	m.SetOrientationY(p.Orientation[1])
	m.SetOrientationZ(p.Orientation[2])
	m.SetOrientationW(p.Orientation[3])
	m.SetHealth(int16(p.Health))
	m.SetWeapon(p.Weapon)
	m.SetFiring(p.Firing)
	if err := m.SetAmmo(p.Ammo[:]); err != nil {
		return err
	}
	events, err := m.NewEvents(int32(len(p.Events)))
	if err != nil {
		return err
	}
	for i, v := range p.Events {
		events.Set(i, v)
	}
	return m.SetPayload(p.Payload[:])
}

func getPacket(m capnpgen.Packet, p *values.Packet) error {
	ammo, err := m.Ammo()
	if err != nil {
		return err
	}
	events, err := m.Events()
	if err != nil {
		return err
	}
	payload, err := m.Payload()
	if err != nil {
		return err
	}
	if len(ammo) != len(p.Ammo) || len(payload) != len(p.Payload) {
		return errLength
	}
	p.Sequence = m.Sequence()
	p.Position = [3]float32{m.PositionX(), m.PositionY(), m.PositionZ()}
	p.Orientation = [4]float32{m.OrientationX(), m.OrientationY(), m.OrientationZ(), m.OrientationW()}
	p.Health = int32(m.Health())
	p.Weapon = m.Weapon()
	copy(p.Ammo[:], ammo)
	p.Firing = m.Firing()
	p.Events = p.Events[:0]
	for i := range events.Len() {
		p.Events = append(p.Events, events.At(i))
	}
	copy(p.Payload[:], payload)
	return nil
}

func setFrame(m capnpgen.Frame, f *values.Frame) error {
	objects, err := m.NewObjects(int32(len(f.Objects)))
	if err != nil {
		return err
	}
	for i := range f.Objects {
		o := &f.Objects[i]
		if o.Kind == 0 {
			continue // the fields of a new message are zero
		}
		m := objects.At(i)
		m.SetKind(o.Kind)
		m.SetSleeping(o.Sleeping)
		m.SetX(o.X)
		m.SetY(o.Y)
		m.SetZ(o.Z)
		m.SetLargest(o.Largest)
		m.SetA(o.Orientation[0])
		m.SetB(o.Orientation[1])
		m.SetC(o.Orientation[2])
		m.SetVelocityX(o.Velocity[0])
		m.SetVelocityY(o.Velocity[1])
		m.SetVelocityZ(o.Velocity[2])
		m.SetAngularX(o.Angular[0])
		m.SetAngularY(o.Angular[1])
		m.SetAngularZ(o.Angular[2])
		m.SetSteer(o.Steer)
		m.SetThrottle(o.Throttle)
		m.SetHandbrake(o.Handbrake)
	}
	return nil
}

func getFrame(m capnpgen.Frame, f *values.Frame) error {
	objects, err := m.Objects()
	if err != nil {
		return err
	}
	if objects.Len() != len(f.Objects) {
		return errLength
	}
	for i := range f.Objects {
		m := objects.At(i)
		if m.Kind() == 0 {
			f.Objects[i] = values.Object{}
			continue
		}
		f.Objects[i] = values.Object{Kind: m.Kind(), Body: values.Body{
			Sleeping: m.Sleeping(), X: m.X(), Y: m.Y(), Z: m.Z(),
			Largest: m.Largest(), Orientation: [3]uint32{m.A(), m.B(), m.C()},
			Velocity: [3]int32{m.VelocityX(), m.VelocityY(), m.VelocityZ()},
			Angular:  [3]int32{m.AngularX(), m.AngularY(), m.AngularZ()},
			Steer:    m.Steer(), Throttle: m.Throttle(), Handbrake: m.Handbrake(),
		}}
	}
	return nil
}

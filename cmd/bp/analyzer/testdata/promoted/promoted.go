// Package promoted has structs whose encoding is that of an embedded field. A comment
// has the text that the analyzer reports.
package promoted

import (
	"net"
	"sync"
	"time"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/cmd/bp/analyzer/testdata/promoted/foreign"
	"github.com/gobitpack/bitpack/tagcodec"
)

// GameObject encodes itself.
type GameObject struct{ X, Y int8 }

// Serialize sends both.
func (g *GameObject) Serialize(s *bits.Stream) error {
	bits.Bits(s, &g.X, 8)
	bits.Bits(s, &g.Y, 8)
	return s.Err()
}

// MaxBits is that of both.
func (*GameObject) MaxBits() int { return 16 }

// RoboCat is the class of the book chapter.
type RoboCat struct {
	GameObject // want: RoboCat.GameObject: the method Serialize of the embedded field encodes all of RoboCat, so that Health and Name would not be sent: give the field a name, as in GameObject promoted.GameObject, give RoboCat a method Serialize of its own, or leave the others out with bp:"-"
	Health     int
	Name       string `bp:"maxlen=9"`
}

// Mid adds nothing, so that only Low is wrong.
type Mid struct{ GameObject }

// Low embeds it.
type Low struct {
	*Mid       // want: Low.Mid: the method Serialize of the embedded field encodes all of Low, so that A, B and 2 more would not be sent: give the field a name, as in Mid *promoted.Mid, give Low a method Serialize of its own, or leave the others out with bp:"-"
	A, B, C, D uint8
}

// Own declares its own method, but not the bound.
type Own struct {
	GameObject       // want: Own.GameObject: the method MaxBits of the embedded field bounds all of Own, whose own Serialize sends Health too: give Own a MaxBits of its own
	Health     uint8 `bp:"min=0,max=9"`
}

// Serialize sends all.
func (o *Own) Serialize(s *bits.Stream) error {
	bits.Value(s, &o.GameObject)
	bits.Int(s, &o.Health, 0, 9)
	return s.Err()
}

// Whole declares both.
type Whole struct {
	GameObject       // want: fields.GameObject: the method Serialize of the embedded field encodes all of fields, so that Health would not be sent: give the field a name, as in GameObject promoted.GameObject, give fields a method Serialize of its own, or leave the others out with bp:"-"
	Health     uint8 `bp:"min=0,max=9"`
}

// Serialize sends all.
func (w *Whole) Serialize(s *bits.Stream) error {
	type fields Whole // the methods of Whole are gone, but not those of GameObject
	return tagcodec.Serialize(s, (*fields)(w))
}

// MaxBits is that of all.
func (*Whole) MaxBits() int { return 24 }

// Named has a field with a name.
type Named struct {
	Object GameObject
	Health uint8 `bp:"min=0,max=9"`
}

// Conn holds no other values that could be sent.
type Conn struct {
	GameObject
	sync.Mutex
	Conn  net.Conn
	Log   func(string)
	Done  chan int
	Cache int `bp:"-"`
	n     int
}

// Client is no message, although it has the method of one.
type Client struct {
	GameObject
	Address string
	Players map[string]RoboCat
}

// Match has untagged structs that the program never passes.
type Match struct {
	Cats []Cat        `bp:"maxlen=3"`
	Bare foreign.Bare // want: Bare.Base: the method Serialize of the embedded field encodes all of Bare, so that Health would not be sent: give the field a name, as in Base foreign.Base, give Bare a method Serialize of its own, or leave the others out with bp:"-"
	Deep struct {
		foreign.Base // want: struct.Base: the method Serialize of the embedded field encodes all of struct, so that Tick would not be sent: give the field a name, as in Base foreign.Base, give the struct a name and a method Serialize, or leave the others out with bp:"-"
		Tick         uint8
	}
	Skip  Skipped `bp:"-"`
	Event any     `bp:"union"`
	Tag   foreign.Tagged
}

// Cat is in Match.
type Cat struct {
	Health     uint8
	GameObject // want: Cat.GameObject: the method Serialize of the embedded field encodes all of Cat, so that Health would not be sent: give the field a name, as in GameObject promoted.GameObject, give Cat a method Serialize of its own, or leave the others out with bp:"-"
}

// Skipped is not sent.
type Skipped struct {
	GameObject
	A uint8
}

// Shot is a member of a union.
type Shot struct {
	GameObject // want: Shot.GameObject: the method Serialize of the embedded field encodes all of Shot, so that Damage would not be sent: give the field a name, as in GameObject promoted.GameObject, give Shot a method Serialize of its own, or leave the others out with bp:"-"
	Damage     uint8
}

// Stamp has a binary form, and loses its zone.
type Stamp struct {
	time.Time // want: Stamp.Time: the method AppendBinary of the embedded field encodes all of Stamp, so that Zone would not be sent: give the field a name, as in Time time.Time, give Stamp methods AppendBinary and UnmarshalBinary of its own, or leave the others out with bp:"-"
	Zone      string
}

// Short writes the form of time.Time and reads its own.
type Short struct{ time.Time } // want: Short.Time: AppendBinary would be that of the embedded field, while Short has another UnmarshalBinary: give Short both methods, or the field a name

// MarshalBinary is never called.
func (s *Short) MarshalBinary() ([]byte, error) { return []byte{byte(s.Second())}, nil }

// UnmarshalBinary reads what MarshalBinary writes.
func (s *Short) UnmarshalBinary(b []byte) error { s.Time = time.Unix(int64(b[0]), 0); return nil }

// Times has all.
type Times struct {
	A []Stamp `bp:"maxlen=3,elem.kind=binary,elem.maxlen=20"`
	B Short   `bp:"binary,maxlen=20"`
	C struct {
		time.Time
	} `bp:"binary,maxlen=20"`
}

// Node holds itself.
type Node struct {
	GameObject // want: Node.GameObject: the method Serialize of the embedded field encodes all of Node, so that Next and Tag would not be sent: give the field a name, as in GameObject promoted.GameObject, give Node a method Serialize of its own, or leave the others out with bp:"-"
	Next       *Node
	Tag        uint8 `bp:"min=0,max=3"`
}

// Box is generic.
type Box[T any] struct {
	foreign.Base   // want: Box.Base: the method Serialize of the embedded field encodes all of Box, so that V would not be sent: give the field a name, as in Base foreign.Base, give Box a method Serialize of its own, or leave the others out with bp:"-"
	V            T `bp:"min=0,max=3"`
}

func pass(s *bits.Stream, low *Low) {
	tagcodec.RegisterUnion[any](Shot{})
	bits.Value(s, low)
	_ = tagcodec.Serialize(s, &foreign.Bare{})
	_, _, _ = Client{}, Box[uint8]{}, Conn{n: 1}.n
	_, _ = tagcodec.For[Conn]()
}

var _ = pass

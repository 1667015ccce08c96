// Package good has types that the library accepts. The analyzer must say nothing
// about them.
package good

import (
	"reflect"
	"sync"
	"time"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
)

// Level has methods, and conditions refer to it.
type Level uint8

// String returns a text.
func (Level) String() string { return "" }

// Own serializes itself.
type Own int16

// Serialize does nothing.
func (*Own) Serialize(*bits.Stream) error { return nil }

// Form has a binary form.
type Form uint32

// MarshalBinary returns nothing.
func (*Form) MarshalBinary() ([]byte, error) { return nil, nil }

// UnmarshalBinary does nothing.
func (*Form) UnmarshalBinary([]byte) error { return nil }

// Conditions refer to fields of types with methods.
type Conditions struct {
	Level Level  `bp:"enum,max=9"`
	Next  uint8  `bp:"if=Level==9"`
	Own   Own    // encodes itself
	After uint8  `bp:"if=Own"`
	Form  Form   `bp:"binary,maxlen=4"`
	Last  uint16 `bp:"if=Form!=3"`
}

// Inner is embedded, and its condition refers to the struct around it.
type Inner struct {
	B uint8 `bp:"if=On"`
}

type inner struct {
	Both bool
	C    uint8 `bp:"if=On"`
}

// Outer embeds both.
type Outer struct {
	On bool
	Inner
	inner
	D uint8 `bp:"if=Both"`
}

// Lower is generic, and embedded like Inner.
type Lower[T any] struct {
	E T `bp:"if=Up"`
}

// Upper embeds it.
type Upper struct {
	Up bool
	Lower[uint8]
	F uint8 `bp:"max=3,min=0"`
}

// Bare has no tags, and embeds what refers to it.
type Bare struct {
	There bool
	Within
}

// Within is in Bare.
type Within struct {
	G uint8 `bp:"if=There"`
}

// Record has a binary form in place of its tags.
type Record struct {
	C chan int
	A uint8 `bp:"enum,max=3"`
}

// MarshalBinary returns nothing.
func (*Record) MarshalBinary() ([]byte, error) { return nil, nil }

// UnmarshalBinary does nothing.
func (*Record) UnmarshalBinary([]byte) error { return nil }

// Records has one.
type Records struct {
	Record Record `bp:"binary,maxlen=3"`
}

// Element chains to the element before.
type Element struct {
	ID uint16 `bp:"relative,chain"`
}

type local struct {
	ID uint16 `bp:"relative,chain"`
}

// Elements has some.
type Elements struct {
	List  []Element `bp:"maxlen=9"`
	Named Bytes     `bp:"maxlen=9"`
	Level []Level   `bp:"max=3,min=0,maxlen=9"`
}

// Bytes are bytes.
type Bytes []byte

// Locals is not a struct.
type Locals [3]local

// Tree holds itself.
type Tree struct {
	Kids  []Tree           `bp:"maxlen=3"`
	Next  *Tree            `bp:"link"`
	Other map[uint8]Forest `bp:"maxlen=3"`
	_     struct{}         `bp:"align"`
}

// Forest holds trees and itself through them.
type Forest struct {
	Trees []Wood `bp:"maxlen=3"`
}

// Wood holds itself.
type Wood struct {
	A    [2]*Wood
	Link *Tree `bp:"link"`
	B    struct {
		Woods []Wood `bp:"maxlen=2"`
		Level uint8  `bp:"enum,max=2"`
	}
}

// Vec has no tags, and gets those of the fields that hold it.
type Vec struct{ X, Y, Z float32 }

// Pose is geometry.
type Pose struct {
	Translation Vec  `bp:"float,min=-1,max=1,res=0.1"`
	Rotation    Quat `bp:"quat,bits=9"`
	Scale       float32
}

// Quat serializes itself, but not with a kind.
type Quat struct{ X, Y, Z, W float32 }

// Serialize does nothing.
func (*Quat) Serialize(*bits.Stream) error { return nil }

// Event is a union.
type Event interface{ event() }

// Hit is a member.
type Hit struct {
	Damage uint8 `bp:"uint,bits=7"`
}

func (Hit) event() {}

func init() { tagcodec.RegisterUnion[Event](Hit{}) }

// Player has many.
type Player struct {
	mu    sync.Mutex
	Skip  chan int     `bp:"-"`
	At    time.Time    `bp:"binary,maxlen=20"`
	Event Event        `bp:"union"`
	Pose  Pose         `bp:"affine"`
	Vel   Vec          `bp:"float,min=-1,max=1,bits=9" json:"vel"`
	Pos   [3]float64   `bp:"unit,bits=9,pred=vel:Vel" db:"min=0"`
	Wide  bits.Uint128 `bp:"int,min=0,max=0x1000000000000000000"`
	Slots [9]struct {
		On bool
		N  uint8
	} `bp:"subset=index,by=On"`
	When *Tree2 `pb:"varint,1,opt"`
}

// Tree2 is left out of messages where it is nil.
type Tree2 struct{ A uint8 }

// Custom encodes itself. Only its tags count.
type Custom struct {
	A  func()
	B  []int
	C  uint8 `bp:"enum,max=3"`
	On Loop
}

// Serialize does nothing.
func (*Custom) Serialize(*bits.Stream) error { return nil }

// Loop is in Custom alone.
type Loop struct {
	A    func()
	B    uint8 `bp:"bits=3"`
	Next *Loop
}

// Box is generic.
type Box[T any] struct {
	V    T   `bp:"min=0,max=9"`
	List []T `bp:"maxlen=3"`
}

// Server is no message, although it holds some.
type Server struct {
	Players map[string]*Player
	Events  chan Hit
}

var boxes = Box[uint8]{}

// Types returns the types that are messages.
func Types() []reflect.Type {
	_, _ = boxes, Player{mu: sync.Mutex{}}
	return []reflect.Type{
		reflect.TypeFor[Conditions](), reflect.TypeFor[Outer](), reflect.TypeFor[Upper](), reflect.TypeFor[Bare](), reflect.TypeFor[Records](), reflect.TypeFor[Elements](), reflect.TypeFor[Locals](),
		reflect.TypeFor[Tree](), reflect.TypeFor[Forest](), reflect.TypeFor[Player](), reflect.TypeFor[Custom](), reflect.TypeFor[Box[uint8]](),
		reflect.TypeFor[struct{ C Custom }](),
	}
}

var _ = typecache.Of

// Package bad has wrong tags. A comment has the text that the analyzer reports.
package bad

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// Level is a type with a name.
type Level uint8

// Several has a wrong tag in each field but two.
type Several struct {
	On bool
	A  int32                `bp:"int,min=0"`         // want: Several.A: option "max" is missing: add max=
	B  Level                `bp:"int,min=0,max=300"` // want: Several.B: option "max" must be in [0, 255], the range of bad.Level, not 300
	C  []int                // want: Several.C: option "maxlen" is missing: add maxlen= with the largest length of []int
	D  uint8                `bp:"if=Onn"` // want: Several.D: option "if" refers to "Onn", which is not an earlier field; did you mean "On"?
	e  uint8                `bp:"bits=3"` // want: Several.e: the field is not exported: export it, or remove its tag
	F  uint8                `BP:"bits=3"` // want: Several.F: the key "BP" is nearly bp, and would be ignored: write it as `bp:"bits=3"`, or rename it
	G  chan Level           // want: Several.G: chan bad.Level cannot be encoded: leave the field out with bp:"-"
	H  Vec                  `bp:"min=0,max=1"` // want: Several.H.X: kind "float" needs res= or bits=: add one
	I  uint8                `bp:"if=A"`
	J  interface{ Close() } // want: Several.J: interface { Close() } is an interface: tag it bp:"union" and register its types, bp:"link" if it refers to an object with an id, or leave it out with bp:"-"
	K  []Level              `bp:"maxlen=3,elem.mx=3"` // want: Several.K: option "elem.mx" is not known; did you mean "elem.max"?
	L  Almost               // want: Several.L: bad.Almost has a method Serialize(*bits.Stream), which is not called: make it Serialize(*bits.Stream) error, or rename it
}

// Vec has no tags.
type Vec struct{ X, Y float32 }

// Pointer embeds one.
type Pointer struct {
	*small       // want: Pointer.small: an embedded pointer to a type that is not exported cannot be set: embed bad.small itself, or leave it out with bp:"-"
	A      uint8 `bp:"max=3"` // want: Pointer.A: option "min" is missing: add min=
}

type small struct{ A uint8 }

// Embeds has wrong tags of embedded fields.
type Embeds struct {
	Vec          `bp:"mx=1,res=1"` // want: Embeds.Vec: option "mx" is not known; did you mean "max"?
	*Near        `bp:"optinal"`    // want: Embeds.Near: kind "optinal" is not known; did you mean "optional"?
	bits.Uint128 `bp:"imt"`        // want: Embeds.Uint128: kind "imt" is not known; did you mean "int"?
	Pair[bool]   `bp:"hlf"`        // want: Embeds.Pair: kind "hlf" is not known; did you mean "half"?
}

// Pair is generic.
type Pair[T any] struct{ X, Y T }

// Almost has a method of the wrong type.
type Almost struct{ A uint8 }

// Serialize returns no error.
func (*Almost) Serialize(s *bits.Stream) {}

// Near has no other tag.
type Near struct {
	A uint8 `BP:"bits=3"` // want: Near.A: the key "BP" is nearly bp, and would be ignored: write it as `bp:"bits=3"`, or rename it
	B chan int
}

// Outer holds a wrong tag in an inner type, and one in its own.
type Outer struct {
	Inner []Inner `bp:"maxlen=2"`
	Deep  struct {
		A uint8 `bp:"enum"` // want: Outer.Deep.A: option "max" is missing: add max=
	}
	Map map[Level]Inner `bp:"maxlen=2,key.max=3"` // want: Outer.Map (key): option "min" is missing: add min=
}

// Inner is in Outer.
type Inner struct {
	A uint8 `bp:"enum"` // want: Inner.A: option "max" is missing: add max=
}

// Box is generic.
type Box[T any] struct {
	A uint8 `bp:"enum"` // want: Box.A: option "max" is missing: add max=
	B T     `bp:"half"`
}

// Tree holds itself, and does not compare with ==.
type Tree struct {
	Kids []Tree `bp:"maxlen=3"`
	A    uint8  `bp:"enum"` // want: Tree.A: option "max" is missing: add max=
}

func inside() {
	type local struct {
		A uint8 `bp:"imt"` // want: local.A: kind "imt" is not known; did you mean "int"?
	}
	_ = struct {
		A uint8 `bp:"res=3"` // want: struct.A: option "res" does not apply to the plain form of uint8: remove it
	}{}
	_, _ = local{}, Several{e: 1}
	_, _ = tagcodec.For[plain]()
}

type plain struct {
	A string // want: plain.A: option "maxlen" is missing: add maxlen= with the largest length of string
}

var _ = inside

type passed struct {
	A []byte // want: passed.A: option "maxlen" is missing: add maxlen= with the largest length of []uint8
}

type appended struct {
	A string // want: appended.A: option "maxlen" is missing: add maxlen= with the largest length of string
}

func pass(v any, a *appended) {
	_, _ = tagcodec.Marshal(passed{})
	_, _ = tagcodec.Append(nil, &a)
	_, _ = tagcodec.Marshal(v)
	_, _ = tagcodec.Marshal(nil)
	_ = tagcodec.Unmarshal(nil, v)
}

// Package nested has mistakes beside others and in the types of wrong fields. All are
// reported at once. A comment has the text that the analyzer reports.
package nested

import "github.com/gobitpack/bitpack/tagcodec"

// Beside has missing names beside other mistakes.
type Beside struct {
	On   bool
	A    uint8   `bp:"int,min=0"`          // want: Beside.A: option "max" is missing: add max=
	B    uint8   `bp:"if=Missing"`         // want: Beside.B: option "if" refers to "Missing", which is not an earlier field; known are On, A
	C    uint32  `bp:"relative,to=Absent"` // want: Beside.C: option "to" refers to "Absent", which is not an earlier field; known are A, B
	D    uint8   `bp:"if=A==3"`
	Text string  // want: Beside.Text: option "maxlen" is missing: add maxlen= with the largest length of string
	E    uint8   `bp:"if=!Gone,bits=3"`       // want: Beside.E: option "if" refers to "Gone", which is not an earlier field; known are On, A, B, C, D
	F    [3]Slot `bp:"subset=bitmap,by=None"` // want: Beside.F: option "by" refers to "None", which is no exported bool field of nested.Slot; known are On
	G    float32 `bp:"half,pred=vel:Nothing"` // want: Beside.G: option "pred" refers to "Nothing", which is not a field of the same struct; known are On, A, B, C, D, Text, E, F, G, H, Low, I, J
	H    uint8   `bp:"if=Text"`
	Low
	I uint8 `bp:"if=Deep"`
	J uint8 `bp:"if=Lower"` // want: Beside.J: option "if" refers to "Lower", which is not an earlier field; known are On, A, B, C, D, E, H, Deep, I
}

// Slot is in Beside, and its own mistakes do not hide those around it.
type Slot struct {
	On   bool
	Name string // want: Slot.Name: option "maxlen" is missing: add maxlen= with the largest length of string
}

// Low is embedded, and has a mistake.
type Low struct {
	Deep uint8 `bp:"enum"` // want: Low.Deep: option "max" is missing: add max=
}

// Outer has wrong fields that hold structs without tags.
type Outer struct {
	Items []Item               // want: Outer.Items: option "maxlen" is missing: add maxlen= with the largest length of []nested.Item
	Map   map[uint8]Item2      // want: Outer.Map: option "maxlen" is missing: add maxlen= with the largest length of map[uint8]nested.Item2
	Grid  [3][]Item3           `bp:"if=Missing,maxlen=3"` // want: Outer.Grid: option "if" refers to "Missing", which is not an earlier field: it must be an earlier bool or integer field of the same struct
	Ptr   *Item4               `bp:"optional"`            // want: Outer.Ptr: option "optional" does not apply to *nested.Item4, which has a bit for nil already: remove it
	Typo  []Item5              `bp:"mxlen=3"`             // want: Outer.Typo: option "mxlen" is not known; did you mean "maxlen"?
	Vec   struct{ S, T []int } `bp:"maxln=3,min=0,max=3"` // want: Outer.Vec: option "maxln" is not known; did you mean "maxlen"?
	Deep  []struct {           // want: Outer.Deep: option "maxlen" is missing: add maxlen= with the largest length of []struct { List []struct { Name string } }
		List []struct{ Name string } // want: Outer.Deep.List.Name: option "maxlen" is missing: add maxlen= with the largest length of string // want: Outer.Deep.List: option "maxlen" is missing: add maxlen= with the largest length of []struct { Name string }
	}
	ID []Chained // want: Outer.ID: option "maxlen" is missing: add maxlen= with the largest length of []nested.Chained
}

// Item and the others have no tags.
type Item struct{ Name string } // want: Item.Name: option "maxlen" is missing: add maxlen= with the largest length of string

// Item2 is in a map.
type Item2 struct{ Name []Item6 } // want: Item2.Name: option "maxlen" is missing: add maxlen= with the largest length of []nested.Item6

// Item3 is in a grid.
type Item3 struct{ Name string } // want: Item3.Name: option "maxlen" is missing: add maxlen= with the largest length of string

// Item4 is behind a pointer.
type Item4 struct{ Name string } // want: Item4.Name: option "maxlen" is missing: add maxlen= with the largest length of string

// Item5 has a list.
type Item5 struct{ Name string }

// Item6 is in Item2.
type Item6 struct{ Fun func() } // want: Item6.Fun: func() cannot be encoded: leave the field out with bp:"-"

// Chained is in a list.
type Chained struct {
	ID uint16 `bp:"relative,chain"`
	N  uint8  `bp:"enum"` // want: Chained.N: option "max" is missing: add max=
}

var _, _ = tagcodec.For[Outer]()

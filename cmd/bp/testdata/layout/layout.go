// Package layout has types whose drawings differ.
package layout

import "github.com/gobitpack/bitpack/tagcodec"

// State has fields of fixed size and of variable size.
type State struct {
	On    bool
	Kind  uint8    `bp:"enum,max=9"`
	Pos   [3]int16 `bp:"int,min=-1000,max=1000"`
	Name  string   `bp:"maxlen=15"`
	Items []struct {
		ID    uint16 `bp:"varint"`
		Count uint8  `bp:"if=ID"`
	} `bp:"maxlen=12,minlen=1"`
	Gone *struct{ At uint32 }
}

// Large has a slice of 100,000 bits and more, and an array that is as large.
type Large struct {
	A     uint8  `bp:"bits=3"`
	Cells []bool `bp:"maxlen=100000"`
	B     uint8  `bp:"bits=5"`
	Block [12500]byte
	C     uint16
}

// Tree has no largest size, and a union.
type Tree struct {
	Value uint8  `bp:"bits=7"`
	Kids  []Tree `bp:"maxlen=3"`
	Leaf  Leaf   `bp:"union"`
}

// Leaf is a union.
type Leaf interface{ leaf() }

type green struct {
	A uint8 `bp:"bits=4"`
	B uint8 `bp:"bits=4"`
}

type dry struct{ C bool }

func (green) leaf() {}
func (dry) leaf()   {}

func init() { tagcodec.RegisterUnion[Leaf](green{}, dry{}) }

package tagcodec_test

import (
	"fmt"

	"github.com/gobitpack/bitpack/tagcodec"
)

// Explain shows what each bit of a packet means.
func ExampleCodec_Explain() {
	type Item struct {
		Kind  uint8 `bp:"enum,max=7"`
		Count int   `bp:"int,min=1,max=64"`
	}
	type Player struct {
		Name   string     `bp:"string,maxlen=15"`
		Health int32      `bp:"int,min=0,max=100"`
		Pos    [2]float32 `bp:"float,min=-1024,max=1024,res=0.01"`
		Items  []Item     `bp:"maxlen=30"`
		Target *Item
	}
	codec := tagcodec.MustFor[Player]()
	data, err := codec.Append(nil, &Player{Name: "Ada", Health: 100, Pos: [2]float32{1, -0.5}, Items: []Item{{2, 10}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(codec.Explain(data))

	data[4] |= 0x7F // a health of 127
	fmt.Print(codec.Explain(data))

	// Output:
	// bit  bits  code      field                  value
	// 0    4     0x3       Player.Name            length 3
	// 4    4     0x0       Player.Name            padding
	// 8    24    0x616441  Player.Name            "Ada"
	// 32   7     0x64      Player.Health          100
	// 39   18    0x19064   Player.Pos[0]          1
	// 57   18    0x18fce   Player.Pos[1]          -0.5
	// 75   5     0x1       Player.Items           count 1
	// 80   3     0x2       Player.Items[0].Kind   2
	// 83   6     0x9       Player.Items[0].Count  10
	// 89   1     0x0       Player.Target          nil
	// bit  bits  code      field        value
	// 0    4     0x3       Player.Name  length 3
	// 4    4     0x0       Player.Name  padding
	// 8    24    0x616441  Player.Name  "Ada"
	// tagcodec: unmarshal Player.Health at bit 32: value out of range: 127 is outside [0, 100]
}

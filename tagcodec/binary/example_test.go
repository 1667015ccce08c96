package binary_test

import (
	"bytes"
	"fmt"

	"github.com/gobitpack/bitpack/tagcodec/binary"
)

func ExampleWrite() {
	type before struct {
		ID     uint32
		Health uint16
		X, Y   float32
		Alive  bool
	}
	type player struct {
		ID     uint32
		Health uint16  `bp:"int,min=0,max=100"`
		X, Y   float32 `bp:"float,min=-1024,max=1024,res=0.01"`
		Alive  bool
	}
	var file bytes.Buffer
	for _, v := range []any{&before{1, 87, 2.5, -3, true}, &player{1, 87, 2.5, -3, true}} {
		file.Reset()
		if err := binary.Write(&file, binary.LittleEndian, v); err != nil {
			fmt.Println(err)
		}
		fmt.Printf("%d bytes: % x\n", file.Len(), file.Bytes())
	}
	// Output:
	// 15 bytes: 01 00 00 00 57 00 00 00 20 40 00 00 40 c0 01
	// 10 bytes: 01 00 00 00 57 7d c8 a8 1d 0b
}

// A stream holds one message after another, with nothing between them.
func ExampleRead() {
	type line struct {
		From uint8  `bp:"uint,bits=4"`
		Text string `bp:"maxlen=60"`
	}
	var stream bytes.Buffer
	for _, l := range []line{{1, "hello"}, {2, "hi"}} {
		if err := binary.Write(&stream, binary.LittleEndian, &l); err != nil {
			fmt.Println(err)
		}
	}
	for {
		var l line
		err := binary.Read(&stream, binary.LittleEndian, &l)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(l.From, l.Text)
	}
	// Output:
	// 1 hello
	// 2 hi
	// EOF
}

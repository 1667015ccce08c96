package tagcodec_test

import (
	"fmt"

	"github.com/gobitpack/bitpack/tagcodec"
)

// The most common value costs one bit. With two common values each costs two
// bits, and with four each costs three.
func Example_common() {
	type Packet struct {
		Height  float32 `bp:"common=0"`
		Speed   uint8   `bp:"common=0|100"`
		Message string  `bp:"maxlen=31,common=gg|gl hf|lag|brb"`
	}
	v := Packet{Height: 0, Speed: 100, Message: "gl hf"}
	fmt.Println(cost(&v), "bits of common values")
	v = Packet{Height: 1.5, Speed: 99, Message: "gl"}
	fmt.Println(cost(&v), "bits of others")

	// A common value must not be written in full. Here its first bit is 0.
	err := tagcodec.Unmarshal(make([]byte, 5), &v)
	fmt.Println(err)

	// Output:
	// 6 bits of common values
	// 64 bits of others
	// tagcodec: unmarshal Packet.Height at bit 0: not the canonical encoding: 0: a listed value has a code of its own
}

// The weights determine a Huffman code: the greater the weight, the shorter the
// code. The star is the escape code, which precedes values that are not listed.
func Example_huffman() {
	type Input struct {
		Keys uint8 `bp:"huffman=0:60|1:20|2:12|3:5|*:3"`
	}
	for _, keys := range []uint8{0, 1, 2, 3, 200} {
		data, err := tagcodec.Marshal(Input{keys})
		fmt.Printf("%3d: %2d bits %08b %v\n", keys, cost(&Input{keys}), data[0], err)
	}

	// Output:
	//   0:  1 bits 00000000 <nil>
	//   1:  2 bits 00000001 <nil>
	//   2:  3 bits 00000011 <nil>
	//   3:  4 bits 00000111 <nil>
	// 200: 12 bits 10001111 <nil>
}

// Without a star, only the listed values are allowed.
func Example_huffmanClosed() {
	type Round struct {
		Result string `bp:"maxlen=7,huffman=win:2|loss:2|draw:1"`
	}
	fmt.Println(cost(&Round{"win"}), cost(&Round{"loss"}), cost(&Round{"draw"}))
	_, err := tagcodec.Marshal(Round{"forfeit"})
	fmt.Println(err)

	// Output:
	// 2 1 2
	// tagcodec: marshal Round.Result at bit 0: value out of range: "forfeit": the code does not list it; list it, or add an escape
}

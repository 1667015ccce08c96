package tagcodec_test

import (
	"fmt"

	"github.com/gobitpack/bitpack/tagcodec"
)

// A profile counts the values of each field over many messages, and proposes the
// tag that makes the frequent ones short.
func ExampleProfile() {
	type Unit struct {
		Height float32
		Armor  uint8
		ID     uint16
	}
	codec := tagcodec.MustFor[Unit]()
	profile := codec.NewProfile()
	for i := range 1000 { // a program would add some of its messages
		unit := Unit{ID: uint16(i)}
		if i%10 == 0 {
			unit.Height = float32(i)
		}
		if i%8 > 4 {
			unit.Armor = uint8(i % 8 * 10)
		}
		if err := profile.Add(&unit); err != nil {
			panic(err)
		}
	}
	fmt.Print(profile)

	height := profile.Fields()[0]
	fmt.Printf("%s is %s %d times\n", height.Field, height.Values[0].Value, height.Values[0].Count)
	// Output:
	// Unit: 1000 messages
	//           bits per message  share
	//   Height              32.0  57.1%
	//   ID                  16.0  28.6%
	//   Armor                8.0  14.3%
	//   Height: common=0 saves 27.8 bits per message
	//   Armor: huffman=0:625|50:125|60:125|70:125|*:1 saves 6.2 bits per message
	// Height is 0 900 times
}

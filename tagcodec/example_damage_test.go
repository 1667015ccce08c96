package tagcodec_test

import (
	"fmt"
	"hash/crc32"
	"log"

	"github.com/gobitpack/bitpack/tagcodec"
)

// Most damaged messages are valid messages with other values. A checksum finds
// them.
func ExampleUnmarshal_damage() {
	type Player struct {
		Health   int        `bp:"int,min=0,max=100"`
		Position [3]float32 `bp:"float,min=-1024,max=1024,res=0.01"`
		AtRest   bool
		Velocity [3]float32 `bp:"float,min=-32,max=32,res=0.1,if=!AtRest"`
	}
	message, err := tagcodec.Marshal(&Player{Health: 87, Position: [3]float32{312.5, -27, 1.75}, AtRest: true})
	if err != nil {
		log.Fatal(err)
	}
	sum := crc32.ChecksumIEEE(message)
	read, found := 0, 0
	for bit := range 8 * len(message) {
		message[bit/8] ^= 1 << (bit % 8)
		if tagcodec.Unmarshal(message, new(Player)) == nil {
			read++
		}
		if crc32.ChecksumIEEE(message) != sum {
			found++
		}
		message[bit/8] ^= 1 << (bit % 8)
	}
	fmt.Printf("of %d flips of a bit, Unmarshal reads %d without an error, and the checksum finds %d\n", 8*len(message), read, found)

	// Output:
	// of 64 flips of a bit, Unmarshal reads 58 without an error, and the checksum finds 64
}

// A message of another version of a type may be read without an error. Hash
// tells versions apart, but not fields that have changed places.
func ExampleCodec_Hash_versions() {
	type Old struct {
		Health int `bp:"int,min=0,max=100"`
		Mana   int `bp:"int,min=0,max=100"`
	}
	type Wider struct {
		Health int `bp:"int,min=-10,max=100"`
		Mana   int `bp:"int,min=0,max=100"`
	}
	type Swapped struct {
		Mana   int `bp:"int,min=0,max=100"`
		Health int `bp:"int,min=0,max=100"`
	}
	message, err := tagcodec.Marshal(&Old{Health: 87, Mana: 20})
	if err != nil {
		log.Fatal(err)
	}
	var wider Wider
	err = tagcodec.Unmarshal(message, &wider)
	fmt.Printf("%+v %v\n", wider, err)
	var swapped Swapped
	err = tagcodec.Unmarshal(message, &swapped)
	fmt.Printf("%+v %v\n", swapped, err)

	hash := tagcodec.MustFor[Old]().Hash()
	fmt.Println(hash == tagcodec.MustFor[Wider]().Hash(), hash == tagcodec.MustFor[Swapped]().Hash())

	// Output:
	// {Health:77 Mana:20} <nil>
	// {Mana:87 Health:20} <nil>
	// false true
}

package packet_test

import (
	"crypto/sha256"
	"fmt"

	"github.com/gobitpack/bitpack/tagcodec/packet"
)

type Search struct {
	Mode uint8 `bp:"int,min=0,max=7"`
}

type Found struct {
	Name    string `bp:"maxlen=31"`
	Players uint8
}

// A client searches for servers, which it has no session with.
func ExampleStateless() {
	lobby := packet.MustNew(packet.Config{Application: "arena", Version: 1, MTU: packet.DefaultMTU},
		packet.Of[Search](), packet.Of[Found]())
	datagrams := lobby.NewStateless(packet.PrefixCRC32)

	question, err := datagrams.Append(nil, &Search{Mode: 3})
	if err != nil {
		panic(err)
	}
	fmt.Println(len(question), "bytes")

	v, err := datagrams.Decode(question) // the server
	fmt.Printf("%T %+v %v\n", v, v, err)

	question[4] ^= 1
	_, err = datagrams.Decode(question)
	fmt.Println(err)

	byID := lobby.NewStateless(packet.PrefixID64)
	answer, err := byID.Append(nil, &Found{Name: "Nostromo", Players: 7})
	if err != nil {
		panic(err)
	}
	_, err = datagrams.Decode(answer)
	fmt.Println(err)
	v, err = byID.Decode(answer)
	fmt.Printf("%T %+v %v\n", v, v, err)
	// Output:
	// 5 bytes
	// *packet_test.Search &{Mode:3} <nil>
	// packet: the checksum does not match: the datagram is damaged or from another protocol
	// packet: the checksum does not match: the datagram is damaged or from another protocol
	// *packet_test.Found &{Name:Nostromo Players:7} <nil>
}

// The protocol id includes a hash of the levels, so that a client with other
// levels cannot join.
func ExampleConfig_dataHash() {
	config := packet.Config{Application: "arena", Version: 1, DataHash: sha256.Sum256([]byte("the levels"))}
	ours := packet.MustNew(config, packet.Of[Input]())
	config.DataHash = sha256.Sum256([]byte("other levels"))
	theirs := packet.MustNew(config, packet.Of[Input]())

	fmt.Println(ours.ID() == theirs.ID())
	for _, d := range packet.Diff(ours.Description(), theirs.Description()) {
		fmt.Println(d.Ours[:13], "and", d.Theirs[:13])
	}
	// Output:
	// false
	// data 48d82f63 and data 470ed52f
}

package packet_test

import (
	"fmt"

	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// duel is a protocol with acknowledgements. Its datagrams are encrypted.
var duel = packet.MustNew(packet.Config{
	Application: "duel",
	Version:     1,
	Protection:  packet.ChaCha20Poly1305,
	MTU:         packet.DefaultMTU,
	Acks:        true,
}, packet.Of[Snapshot](), packet.Of[Input](), packet.Of[Chat]())

// Explain shows what a datagram says, before or without opening it.
func ExampleSession_Explain() {
	client, server := connect(duel)
	snapshot, err := server.Append(nil, &Snapshot{Tick: 8})
	if err != nil {
		panic(err)
	}
	if _, err = client.Decode(snapshot); err != nil {
		panic(err)
	}
	datagram, err := client.Append(nil, &Input{Tick: 9, Thrust: -1, Fire: true}, &Chat{Text: "hi"})
	if err != nil {
		panic(err)
	}
	fmt.Print(server.Explain(datagram)) // the acks are not reported

	_, err = server.Open(datagram)
	fmt.Println(err)
	fmt.Print(server.Explain(datagram))

	// Output:
	// bit  bits  code                   field         value
	// 0    4     0x0                    header        sequence number 0, in no bytes
	// 4    4     0x2                    header        acks and packets
	// 8    4     0x0                    acks          newest accepted number 0, in no bytes
	// 12   4     0x0                    acks          no other accepted numbers
	// 16   2     0x1                    Input         type 1
	// 18   32    0x9                    Input.Tick    9
	// 50   2     0x0                    Input.Thrust  -1
	// 52   1     0x1                    Input.Fire    true
	// 53   3     0x0                    Input         padding
	// 56   2     0x2                    Chat          type 2
	// 58   6     0x2                    Chat.Text     length 2
	// 64   16    0x6968                 Chat.Text     "hi"
	// 80   128   0x8914e4f2d5ba956f...  seal          tag of chacha20-poly1305
	// <nil>
	// bit  bits  code  field   value
	// 0    4     0x0   header  sequence number 0, in no bytes
	// 4    4     0x2   header  acks and packets
	// packet: the datagram was already accepted, or is too old to tell
}

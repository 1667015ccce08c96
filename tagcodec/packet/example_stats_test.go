package packet_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// A session counts what it sends, receives and refuses.
func ExampleSession_Stats() {
	client, server := connect(dungeon)
	mux := dungeon.NewMux()
	packet.Handle(mux, func(context.Context, *Input) {})
	packet.Handle(mux, func(context.Context, *Chat) {})
	packet.Handle(mux, func(context.Context, *World) {})

	if err := client.Queue(&Chat{Text: "hello"}); err != nil {
		panic(err)
	}
	for tick := range uint32(10) {
		datagram, err := client.Append(nil, &Input{Tick: tick})
		if err != nil {
			panic(err)
		}
		forged := bytes.Clone(datagram)
		forged[5] ^= 1
		mux.Dispatch(context.Background(), server, forged)
		if err := mux.Dispatch(context.Background(), server, datagram); err != nil {
			panic(err)
		}
		batch := dungeon.NewBatch()
		if err := batch.Add(&World{Tick: tick, Bodies: make([]Body, 100*tick)}); err != nil {
			panic(err)
		}
		err = server.SealEach(batch, func(datagram []byte) error {
			return mux.Dispatch(context.Background(), client, bytes.Clone(datagram))
		})
		if err != nil {
			panic(err)
		}
	}
	fmt.Print(server.Stats())

	chat := server.Stats().Received.Types[2]
	fmt.Printf("%d packet of type %v, %d bits\n", chat.Packets, chat.Type, chat.Bits)
	// Output:
	// sent: 19 datagrams, 15703 bytes, 15 fragments, 16 delivered, 0 lost
	//                     packets  mean bits  largest    bits  share
	//   World                  10    12193.0    24343  121930  97.1%
	//   headers                                           296   0.2%
	//   seals                                            2432   1.9%
	//   acks                                              296   0.2%
	//   fragment headers                                  600   0.5%
	//   type indices                                       30   0.0%
	//   padding                                            40   0.0%
	// received: 10 datagrams, 262 bytes
	//                    packets  mean bits  largest  bits  share
	//   Input                 10       35.0       35   350  16.7%
	//   Chat                   1       53.0       53    53   2.5%
	//   headers                                        152   7.3%
	//   seals                                         1280  61.1%
	//   acks                                           176   8.4%
	//   message headers                                 32   1.5%
	//   type indices                                    33   1.6%
	//   padding                                         20   1.0%
	// refused:
	//   the datagram is forged or from another session  10
	// 1 packet of type packet_test.Chat, 53 bits
}

// A profile shows which fields take the most bits, and which options would save
// some: most of these bodies are at the origin.
func ExampleProfile() {
	profile := dungeon.NewProfile()
	for tick := range uint32(10) {
		world := &World{Tick: tick, Bodies: make([]Body, 100*tick)}
		if err := profile.Add(world); err != nil { // a server would add one per second
			panic(err)
		}
	}
	fmt.Print(profile)

	most := profile.Fields()[0]
	fmt.Printf("%v: %d bits\n", most.Field, most.Bits)
	// Output:
	// World: 10 messages
	//                        bits per message  share
	//   Bodies[].Position[]           11700.0  96.0%
	//   Bodies[].AtRest                 450.0   3.7%
	//   Tick                             32.0   0.3%
	//   Bodies                           11.0   0.1%
	//   Bodies[].Position[]: common=0 saves 10800.0 bits per message
	// Bodies[].Position[]: 117000 bits
}

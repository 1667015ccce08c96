package packet_test

import (
	"context"
	"fmt"
	"time"

	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// World is a snapshot that may be larger than a datagram.
type World struct {
	Tick   uint32
	Bodies []Body `bp:"maxlen=2000"`
}

// dungeon is the protocol of a game with acknowledgements, fragments and
// messages.
var dungeon = packet.MustNew(packet.Config{
	Application: "dungeon",
	Version:     1,
	Protection:  packet.ChaCha20Poly1305,
	MTU:         packet.DefaultMTU,
	Acks:        true,
	Messages:    64,
}, packet.Of[World]().MaxPacket(20000), packet.Of[Input](), packet.Of[Chat]())

// A server learns which snapshots its client has handled. A sender of package
// delta would pass the tick of each to its method Ack. Here the first snapshot
// takes several datagrams, and the second is lost.
func ExampleSession_OnReport() {
	client, server := connect(dungeon)
	server.OnReport(func(r packet.Report) {
		for _, tick := range r.Values {
			fmt.Println("tick", tick, "delivered:", r.Delivered)
		}
	})
	mux := dungeon.NewMux()
	packet.Handle(mux, func(ctx context.Context, w *World) {
		fmt.Println("the client got", len(w.Bodies), "bodies in datagram", packet.ArrivalFrom(ctx).Sequence())
	})

	batch := dungeon.NewBatch()
	for tick, bodies := range []int{1000, 10, 20} {
		batch.Reset()
		world := &World{Tick: uint32(tick), Bodies: make([]Body, bodies)}
		if err := batch.Add(packet.Tracked{Packet: world, Value: tick}); err != nil {
			panic(err)
		}
		err := server.SealEach(batch, func(datagram []byte) error {
			if tick == 1 {
				return nil // the network loses it
			}
			return mux.Dispatch(context.Background(), client, datagram)
		})
		if err != nil {
			panic(err)
		}
	}
	answer, err := client.Append(nil, &Input{})
	if err != nil {
		panic(err)
	}
	if _, err = server.Decode(answer); err != nil {
		panic(err)
	}
	for range packet.WindowSize { // time passes
		if _, err = server.AppendKeepalive(nil); err != nil {
			panic(err)
		}
	}
	server.Tick(time.Now())
	// Output:
	// the client got 1000 bodies in datagram 3
	// the client got 20 bodies in datagram 5
	// tick 0 delivered: true
	// tick 2 delivered: true
	// tick 1 delivered: false
}

// A message is sent again until it arrives.
func ExampleSession_Queue() {
	client, server := connect(dungeon)
	mux := dungeon.NewMux()
	packet.Handle(mux, func(ctx context.Context, c *Chat) { fmt.Println("the server got", c.Text) })

	if err := client.Queue(&Chat{Text: "hello"}); err != nil {
		panic(err)
	}
	now := time.Now()
	for tick := range 100 {
		now = now.Add(50 * time.Millisecond)
		client.Tick(now)
		datagram, err := client.Flush(nil)
		if err != nil {
			panic(err)
		}
		if len(datagram) == 0 {
			continue
		}
		if tick < 10 {
			fmt.Println("lost")
			continue
		}
		if err := mux.Dispatch(context.Background(), server, datagram); err != nil {
			panic(err)
		}
		answer, err := server.AppendKeepalive(nil)
		if err != nil {
			panic(err)
		}
		if _, err := client.Open(answer); err != nil {
			panic(err)
		}
		fmt.Println(client.Queued(), "waiting")
		break
	}
	// Output:
	// lost
	// lost
	// the server got hello
	// 0 waiting
}

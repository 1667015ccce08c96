package delta_test

import (
	"fmt"
	"log"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/delta"
)

type Arena struct {
	Bodies []Body `bp:"maxlen=1000"`
}

type Body struct {
	ID       uint32   `bp:"key"`
	Position [3]int32 `bp:"int,min=-100000,max=100000,pred=lin"`
	Alive    bool
}

func Example() {
	codec := delta.MustFor[Arena]()
	sender, receiver := codec.NewSender(), codec.NewReceiver()
	var world, copied Arena
	for id := range uint32(100) {
		world.Bodies = append(world.Bodies, Body{ID: id, Alive: true})
	}
	var image *delta.Image
	var message []byte
	var err error
	for tick := range uint64(10) {
		for i := range world.Bodies {
			world.Bodies[i].Position[0] += int32(i)
		}
		if image, err = codec.Quantize(&world, image); err != nil {
			log.Fatal(err)
		}
		if message, err = sender.Append(message[:0], tick, image); err != nil {
			log.Fatal(err)
		}
		read, err := receiver.Read(message, &copied)
		if err != nil {
			log.Fatal(err)
		}
		sender.Ack(read)
	}
	size, _ := tagcodec.Size(&world)
	fmt.Println(len(message), "of", size, "bytes;", copied.Bodies[99])
	// Output: 42 of 1089 bytes; {99 [990 0 0] true}
}

// A delta can be coded without a Sender. Both sides then agree on the references
// by other means.
func ExampleCodec_Append() {
	type State struct{ Health, Ammo uint8 }
	codec := delta.MustFor[State]()
	before, _ := codec.Quantize(&State{Health: 100, Ammo: 20}, nil)
	after, _ := codec.Quantize(&State{Health: 100, Ammo: 19}, nil)
	refs := delta.Refs{Tick: 8, Base: delta.Ref{Tick: 5, Image: before}}
	message, err := codec.Append(nil, after, refs)
	if err != nil {
		log.Fatal(err)
	}
	image, err := codec.Read(message, refs, nil)
	if err != nil {
		log.Fatal(err)
	}
	var state State
	err = codec.Restore(image, &state)
	fmt.Println(len(message), state, err)
	// Output: 1 {100 19} <nil>
}

// A server with many receivers quantizes its world once per tick, and selects what
// each receiver sees.
func ExampleImage_Select() {
	codec := delta.MustFor[Arena]()
	image, err := codec.Quantize(&Arena{Bodies: []Body{{ID: 3}, {ID: 5}, {ID: 8, Alive: true}}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	visible, err := image.Select("Bodies", []int64{8, 3}, nil)
	if err != nil {
		log.Fatal(err)
	}
	var state Arena
	err = codec.Restore(visible, &state)
	fmt.Println(state, err)
	// Output: {[{3 [0 0 0] false} {8 [0 0 0] true}]} <nil>
}

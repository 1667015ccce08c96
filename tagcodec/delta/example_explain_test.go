package delta_test

import (
	"fmt"
	"log"

	"github.com/gobitpack/bitpack/tagcodec/delta"
)

type Squad struct {
	Soldiers []Soldier `bp:"maxlen=100"`
}

type Soldier struct {
	ID     uint8    `bp:"key"`
	Place  [2]int16 `bp:"int,min=0,max=4000,pred=lin"`
	Health uint8    `bp:"uint,min=0,max=100"`
	Alive  bool
}

// Explain shows how each value was predicted, and what it cost. The message was
// made with the two snapshots before it.
func ExampleReceiver_Explain() {
	codec := delta.MustFor[Squad]()
	sender, receiver := codec.NewSender(), codec.NewReceiver()
	squad := Squad{[]Soldier{{3, [2]int16{100, 800}, 90, true}, {5, [2]int16{700, 20}, 100, true}}}
	var state Squad
	var message []byte
	for tick := range uint64(3) {
		squad.Soldiers[0].Place[0] += 10
		if tick == 2 {
			squad.Soldiers[0].Place[1]--
			squad.Soldiers[1] = Soldier{8, [2]int16{7, 9}, 100, true}
		}
		image, err := codec.Quantize(&squad, nil)
		if err != nil {
			log.Fatal(err)
		}
		if message, err = sender.Append(nil, tick, image); err != nil {
			log.Fatal(err)
		}
		if tick == 2 {
			fmt.Print(receiver.Explain(message))
		}
		if _, err = receiver.Read(message, &state); err != nil {
			log.Fatal(err)
		}
		sender.Ack(tick)
	}
	fmt.Print(receiver.Explain(message[:4]))
	// Output:
	// bit  bits  code  field                       value
	// 0    16    0x2   Squad                       low bits of the tick 2
	// 16   1     0x0   Squad                       not the usual references
	// 17   6     0x1   Squad                       base, tick 1
	// 23   5     0x4   Squad                       older images, ticks [0]
	// 28   1     0x0   Squad                       a delta
	// 29   1     0x0   Squad.Soldiers              kept, key 3
	// 30   1     0x1   Squad.Soldiers              removed, key 5
	// 31   1     0x1   Squad.Soldiers              new elements
	// 32   1     0x1   Squad.Soldiers              new elements, less 1 as EG(k=0) 1
	// 33   6     0x1   Squad.Soldiers              k of the keys 1
	// 39   4     0x6   Squad.Soldiers              new key, difference 2 as EG(k=1) 8
	// 43   1     0x1   Squad.Soldiers[1]           not zero
	// 44   1     0x0   Squad.Soldiers[0]           changed
	// 45   1     0x1   Squad.Soldiers[1].Place     different
	// 46   1     0x1   Squad.Soldiers[0].Place     different
	// 47   7     0x78  Squad.Soldiers[1].Place[0]  predicted 0, residual 7 as R(k=0,q=1), now 7
	// 54   6     0x2a  Squad.Soldiers[1].Place[1]  predicted 0, residual 9 as R(k=3,q=1), now 9
	// 60   5     0x1   Squad.Soldiers[0].Place[0]  predicted 130, residual 0 as R(k=4,q=1), now 130
	// 65   3     0x3   Squad.Soldiers[0].Place[1]  predicted 800, residual -1 as R(k=2,q=1), now 799
	// 68   1     0x1   Squad.Soldiers[1].Health    different
	// 69   1     0x0   Squad.Soldiers[0].Health    same
	// 70   12    0xb0  Squad.Soldiers[1].Health    predicted 0, residual 100 as R(k=3,q=1), now 100
	// 82   1     0x1   Squad.Soldiers[1].Alive     now true
	// 83   1     0x0   Squad.Soldiers[0].Alive     same
	// bit  bits  code  field           value
	// 0    16    0x2   Squad           low bits of the tick 2
	// 16   1     0x0   Squad           not the usual references
	// 17   6     0x1   Squad           base, tick 1
	// 23   5     0x4   Squad           older images, ticks [0]
	// 28   1     0x0   Squad           a delta
	// 29   1     0x0   Squad.Soldiers  kept, key 3
	// 30   1     0x1   Squad.Soldiers  removed, key 5
	// 31   1     0x1   Squad.Soldiers  new elements
	// delta: read at bit 32: read past the end of the data
}

// A message of Codec.Append is explained with the references that Read needs.
func ExampleCodec_Explain() {
	type State struct{ Health, Ammo uint8 }
	codec := delta.MustFor[State]()
	before, _ := codec.Quantize(&State{Health: 100, Ammo: 20}, nil)
	after, _ := codec.Quantize(&State{Health: 100, Ammo: 19}, nil)
	refs := delta.Refs{Tick: 8, Base: delta.Ref{Tick: 5, Image: before}}
	message, err := codec.Append(nil, after, refs)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(codec.Explain(message, refs))
	// Output:
	// bit  bits  code  field         value
	// 0    1     0x0   State         a delta
	// 1    1     0x1   State         changed
	// 2    1     0x0   State.Health  same
	// 3    1     0x1   State.Ammo    different
	// 4    3     0x2   State.Ammo    predicted 20, residual -1 as R(k=0,q=1), now 19
}

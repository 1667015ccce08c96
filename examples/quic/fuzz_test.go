package main

import (
	"testing"

	"github.com/gobitpack/bitpack/examples/internal/attack"
)

func FuzzMessages(f *testing.F) {
	w := newWorld(1)
	attack.Fuzz(f,
		attack.Type(snapshots, Snapshot{Tick: 1, First: 3, Entities: w.entities[:5]}),
		attack.Type(inputs, Input{Tick: 7, Thrust: [2]int{1, -1}}),
		attack.Type(hellos, Hello{Name: "Ripley"}),
		attack.Type(welcomes, Welcome{Entity: 5}),
		attack.Type(chats, Chat{From: "Ripley", Text: "hello"}))
}

package gen

import (
	"os"
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
)

// The tests of bp run it with several build tags, and say in the environment
// whether the code of the type is used then.
func TestCode(t *testing.T) {
	want := os.Getenv("BITPACK_WANT_CODE") == "true"
	if got := Players.Plan().Data().Generated() != nil; got != want {
		t.Fatalf("generated code is used: %t, not %t", got, want)
	}
	v := Player{Health: 100, Pos: [3]float32{-1024, 0, 1024}, Vel: [3]float32{1: 32}, Team: 2, Score: -5, Name: "Zoë",
		Items: []Item{{7, 1}, {65535, 12}}, Best: &Item{1, 2}, Marks: [20]uint8{7, 19: 1}, Key: [16]byte{15: 9}, Seen: 1 << 31, Slots: [9]*Item{7: {3, 4}}}
	data, err := Players.Append(nil, &v)
	if err != nil {
		t.Fatal(err)
	}
	type other Player // has no code
	engine, err := tagcodec.Marshal((*other)(&v))
	if err != nil || string(data) != string(engine) {
		t.Fatalf("%x, %x, %v", data, engine, err)
	}
	var back Player
	var without other
	if err := Players.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if err := tagcodec.Unmarshal(data, &without); err != nil || !reflect.DeepEqual(Player(without), back) {
		t.Fatalf("%+v, %+v, %v", back, without, err)
	}
	if err := Players.Unmarshal(data[:len(data)-1], &back); err == nil {
		t.Fatal("half a message")
	}
	v.Team = 3
	if _, err := Players.Append(nil, &v); err == nil {
		t.Fatal("a value out of range")
	}
}

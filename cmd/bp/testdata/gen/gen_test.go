package gen

import (
	"os"
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
)

func TestCode(t *testing.T) {
	v := Player{Health: 100, Pos: [3]float32{-1024, 0, 1024}, Vel: [3]float32{1: 32}, Team: 2, Score: -5, Name: "Zoë",
		Items: []Item{{7, 1}, {65535, 12}}, Best: &Item{1, 2}, Marks: [20]uint8{7, 19: 1}, Key: [16]byte{15: 9}, Seen: 1 << 31, Slots: [9]*Item{7: {3, 4}},
		Ammo: map[Team]uint16{200: 1, 3: 9}}
	type player Player
	check(t, Players, &v, (*player)(&v))
	v.Team = 3
	if _, err := Players.Append(nil, &v); err == nil {
		t.Fatal("a value out of range")
	}

	stick := Stick{X: 1, Y: -3.3, Z: [4]float64{3: 0.2}}
	type engineStick Stick
	check(t, tagcodec.MustFor[Stick](), &stick, (*engineStick)(&stick))
	data, err := tagcodec.Marshal(&stick)
	if err != nil {
		t.Fatal(err)
	}
	if err := tagcodec.Unmarshal(data, &stick); err != nil || stick.X != 1 || stick.Z[3] != 0.2 {
		t.Fatal(stick, err)
	}

	f := Feed{Events: []Event{Hit{7}, nil, &Chat{"Zoë"}, Hit{100}}}
	type feed Feed
	check(t, tagcodec.MustFor[Feed](), &f, (*feed)(&f))
}

// check compares the code of T with the engine, which the type E without code uses.
// The tests of bp run it with several build tags, and say in the environment whether
// the code of T is used then.
func check[T, E any](t *testing.T, codec *tagcodec.Codec[T], v *T, same *E) {
	t.Helper()
	want := os.Getenv("BITPACK_WANT_CODE") == "true"
	if got := codec.Plan().Data().Generated() != nil; got != want {
		t.Fatalf("generated code is used: %t, not %t", got, want)
	}
	data, err := codec.Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := tagcodec.Marshal(same)
	if err != nil || string(data) != string(engine) {
		t.Fatalf("%x, %x, %v", data, engine, err)
	}
	var back T
	var without E
	if err := codec.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if err := tagcodec.Unmarshal(data, &without); err != nil || !reflect.DeepEqual(reflect.ValueOf(without).Convert(reflect.TypeFor[T]()).Interface(), any(back)) {
		t.Fatalf("%+v, %+v, %v", back, without, err)
	}
	if err := codec.Unmarshal(data[:len(data)-1], &back); err == nil {
		t.Fatal("half a message")
	}
}

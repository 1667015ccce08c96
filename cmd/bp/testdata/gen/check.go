package gen

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
)

// Check compares the code of the types with the engine, which the same types
// without code use. withCode says whether the code must be used.
func Check(withCode bool) error {
	type player Player
	type feed Feed
	type rest Rest
	type maybe Maybe
	for _, v := range []*Player{
		{},
		{Health: 100, Pos: [3]float32{-1024, 0, 1024}, Vel: [3]float32{1: 32}, Team: 2, Score: -5, Yaw: -1, Name: "Zoë",
			Items: []Item{{7, 1}, {65535, 12}}, Best: &Item{1, 2}, Marks: [20]uint8{7, 19: 1}, Key: [16]byte{15: 9}, Seen: 1 << 31,
			Slots: [9]*Item{0: {1, 1}, 7: {3, 4}}, Ammo: map[Team]uint16{200: 1, 3: 9}},
		{Health: 7, Pos: [3]float32{3.14159, -1e-3, 999.994}, AtRest: true, Score: 1000, Yaw: 3, Name: "twenty characters...", Marks: [20]uint8{5: 7},
			Slots: [9]*Item{8: {9, 12}}},
		{Health: 101}, {Pos: [3]float32{1025}}, {Team: 3}, {Score: 1001}, {Name: "\xff"}, {Name: "more than twenty bytes"}, {Items: []Item{{1, 13}}},
		{Marks: [20]uint8{19: 8}}, {Slots: [9]*Item{3: {}}}, {Items: make([]Item, 31)},
	} {
		if err := check(Players, v, (*player)(v), withCode); err != nil {
			return err
		}
	}
	for _, v := range []*Feed{{}, {[]Event{Hit{7}, nil, &Chat{"Zoë"}, Hit{100}}}, {[]Event{Hit{}}}, {[]Event{(*Chat)(nil)}}, {make([]Event, 6)}} {
		if err := check(tagcodec.MustFor[Feed](), v, (*feed)(v), withCode); err != nil {
			return err
		}
	}
	type stick Stick
	for _, v := range []*Stick{{}, {X: 1, Y: -3.3, Z: [4]float64{0.2, -5, 0.1}}} {
		// It has no int, whose size would make other code necessary.
		if err := check(tagcodec.MustFor[Stick](), v, (*stick)(v), withCode || strconv.IntSize == 32); err != nil {
			return err
		}
	}
	turn, face, one := [4]float32{0.5, -0.5, 0.5, 0.5}, Vec{0.6, 0, -0.8}, uint16(1)
	var unrelated [20]bool
	unrelated[19], unrelated[8] = true, true
	for _, v := range []*Rest{
		{Turn: turn, Face: face},
		{Kind: 2, Turn: [4]float32{3: 1}, Face: Vec{Z: 1}, Height: 1.5, Base: 1<<20 - 1, Next: 1<<32 - 1, Often: 7, Temp: -40, Raw: []byte{1, 2, 3}, Hash: [8]byte{1, 7: 255},
			Steps: []Step{{1, true}, {2, false}, {900, true}}, Flags: map[bool]uint8{true: 9}, Grid: [2][3]int8{{-2, 2, 1}, {0, 1, -1}}, Close: unrelated,
			Sparse: []*Item{nil, {5, 6}, nil}, First: "a", Last: "bcdefghij", Weight: 0.25, Big: bits.Uint128{Hi: 1, Lo: 2}},
		{Kind: 6, Turn: turn, Face: face, Next: 5, Often: 1023, Temp: 40, Level: 9, Wide: 1<<64 - 1, More: &one, Weight: 1},
		{Kind: 8, Turn: turn, Face: face}, {Turn: turn, Face: face, Base: 1 << 20}, {Turn: turn, Face: face, Base: 5, Next: 5}, {Turn: turn, Face: face, Often: 1024},
		{Turn: turn, Face: face, Temp: 41}, {Turn: turn, Face: face, Raw: make([]byte, 13)}, {Turn: turn, Face: face, Steps: []Step{{2, true}, {2, true}}},
		{Turn: turn, Face: face, Level: 10}, {Turn: turn, Face: face, Level: -4}, {Kind: 2, Turn: turn, Face: face, Level: -4}, {Turn: turn, Face: face, Grid: [2][3]int8{1: {2: 3}}},
		{Turn: turn, Face: face, Weight: 2}, {Turn: [4]float32{2}, Face: face}, {Turn: turn},
	} {
		if err := check(tagcodec.MustFor[Rest](), v, (*rest)(v), withCode); err != nil {
			return err
		}
	}
	return nil
}

// check compares what the code of T and the engine do with a value, which E has
// without code: the message or the error, what each beginning of the message reads
// as, and what the message with one changed bit does.
func check[T, E any](codec *tagcodec.Codec[T], v *T, same *E, withCode bool) error {
	if got := sealed.PlanOf(codec.Plan()).Generated() != nil; got != withCode {
		return fmt.Errorf("generated code of %T is used: %t", *v, got)
	}
	data, err := codec.Append(nil, v)
	want, wantErr := tagcodec.Marshal(same)
	if !bytes.Equal(data, want) || cause(err) != cause(wantErr) {
		return fmt.Errorf("%+v: the code writes %x (%v), the engine %x (%v)", *v, data, err, want, wantErr)
	}
	compare := func(data []byte) error {
		back, without := new(T), new(E)
		err, wantErr := codec.Unmarshal(data, back), tagcodec.Unmarshal(data, without)
		got, want := *back, reflect.ValueOf(*without).Convert(reflect.TypeFor[T]()).Interface()
		nan := !reflect.DeepEqual(got, got)
		if cause(err) != cause(wantErr) || err == nil && !nan && !reflect.DeepEqual(any(got), want) {
			return fmt.Errorf("%x: the code reads %+v (%v), the engine %+v (%v)", data, got, err, want, wantErr)
		}
		return nil
	}
	for n := range data {
		if err := compare(data[:n]); err != nil {
			return err
		}
	}
	for bit := range 8 * len(data) {
		changed := bytes.Clone(data)
		changed[bit/8] ^= 1 << (bit % 8)
		if err := compare(changed); err != nil {
			return err
		}
	}
	if len(data) == 0 {
		return nil
	}
	return compare(data)
}

// cause describes what an error says about a value.
func cause(err error) string {
	var e *bits.Error
	if errors.As(err, &e) {
		return fmt.Sprintf("%#v", *e)
	}
	return fmt.Sprint(err)
}

package tagcodec_test

import (
	"fmt"
	"math"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// A field without a tag is as wide as its Go type.
func Example_plain() {
	type Header struct {
		Sequence uint16
		Reliable bool
		Scale    float32
	}
	data, err := tagcodec.Marshal(Header{Sequence: 513, Reliable: true, Scale: 1})
	fmt.Printf("%d bits: % x %v\n", tagcodec.MustFor[Header]().MaxBits(), data, err)

	// Output:
	// 49 bits: 01 02 01 00 00 7f 00 <nil>
}

// An integer with a range takes only the bits that max-min needs.
func Example_int() {
	type Player struct {
		Health int32  `bp:"int,min=0,max=100"`      // 7 bits
		Score  int64  `bp:"int,min=-1000,max=1000"` // 11 bits
		Team   uint8  `bp:"min=1,max=4"`            // 2 bits: the kind is implied
		Ammo   uint16 `bp:"uint,bits=10"`           // 10 bits
	}
	data, err := tagcodec.Marshal(Player{Health: 100, Score: -1000, Team: 4, Ammo: 1023})
	fmt.Printf("%d bits: % x %v\n", tagcodec.MustFor[Player]().MaxBits(), data, err)

	_, err = tagcodec.Marshal(Player{Health: 101, Team: 1})
	fmt.Println(err)

	// Output:
	// 30 bits: 64 00 fc 3f <nil>
	// tagcodec: marshal Player.Health at bit 0: value out of range: 101 is outside [0, 100]
}

// An enum is an integer with a minimum of 0.
func Example_enum() {
	type Weapon int
	type Shot struct {
		Weapon Weapon `bp:"enum,max=5"`
	}
	data, err := tagcodec.Marshal(Shot{Weapon: 5})
	fmt.Printf("%d bits: % x %v\n", tagcodec.MustFor[Shot]().MaxBits(), data, err)

	// Output:
	// 3 bits: 05 <nil>
}

// Package bits provides the types of 128-bit integers.
func Example_int128() {
	type Account struct {
		ID      bits.Uint128
		Balance bits.Int128 `bp:"int,min=-1000000000000000000000,max=1000000000000000000000"`
	}
	id, _ := bits.ParseUint128("0x0f0e0d0c0b0a09080706050403020100")
	balance, _ := bits.ParseInt128("-1000000000000000000000")
	data, err := tagcodec.Marshal(Account{id, balance})
	fmt.Printf("%d bits: % x %v\n", tagcodec.MustFor[Account]().MaxBits(), data, err)

	// Output:
	// 199 bits: 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 00 00 00 00 00 00 00 00 00 <nil>
}

// A quantized float has only the resolution that the game needs.
func Example_float() {
	type Position struct {
		X     float32 `bp:"float,min=-1024,max=1024,res=0.01"` // 204800 steps: 18 bits
		Y     float32 `bp:"float,min=-1,max=1,bits=8"`         // 255 steps
		Exact float64 `bp:"float,min=0,max=1,res=1e-9"`        // 1e9 steps: 30 bits
	}
	data, err := tagcodec.Marshal(Position{X: 100.123, Y: 2, Exact: 0.123456789})
	fmt.Printf("%d bits: % x %v\n", tagcodec.MustFor[Position]().MaxBits(), data, err)

	var out Position
	err = tagcodec.Unmarshal(data, &out)
	fmt.Printf("%.2f %g %g %v\n", out.X, out.Y, out.Exact, err) // Y was clamped

	_, err = tagcodec.Marshal(Position{X: float32(math.NaN())})
	fmt.Println(err)

	// Output:
	// 56 bits: 1c b7 fd 57 34 6f 1d <nil>
	// 100.12 1 0.123456789 <nil>
	// tagcodec: marshal Position.X at bit 0: value out of range: NaN
}

// A half has 11 bits of precision at any magnitude.
func Example_half() {
	type Particle struct {
		Velocity [3]float32 `bp:"half"`
	}
	data, err := tagcodec.Marshal(Particle{[3]float32{1, -0.333, 1234.5}})
	fmt.Printf("%d bits: % x %v\n", tagcodec.MustFor[Particle]().MaxBits(), data, err)

	var out Particle
	err = tagcodec.Unmarshal(data, &out)
	fmt.Println(out, err)

	// Output:
	// 48 bits: 00 3c 54 b5 d2 64 <nil>
	// {[1 -0.3330078 1234]} <nil>
}

// A fixed-point number is an integer whose low bits are a fraction. The bounds
// are in whole units.
func Example_fixed() {
	type Unit struct {
		X int32 `bp:"fixed,frac=8,min=-10,max=10"`
	}
	data, err := tagcodec.Marshal(Unit{X: 3<<8 | 0x80}) // 3.5
	fmt.Printf("%d bits: % x %v\n", tagcodec.MustFor[Unit]().MaxBits(), data, err)

	// Output:
	// 13 bits: 80 0d <nil>
}

// An angle wraps around. No code is wasted on a full turn, which equals 0.
func Example_angle() {
	type Turret struct {
		Yaw   float32 `bp:"angle,bits=8,unit=deg"`
		Pitch float64 `bp:"angle,res=0.01"` // 1024 steps per turn, in radians
	}
	data, err := tagcodec.Marshal(Turret{Yaw: -90, Pitch: math.Pi})
	fmt.Printf("%d bits: % x %v\n", tagcodec.MustFor[Turret]().MaxBits(), data, err)

	var out Turret
	err = tagcodec.Unmarshal(data, &out)
	fmt.Printf("%g %.4f %v\n", out.Yaw, out.Pitch, err)

	// Output:
	// 18 bits: c0 00 02 <nil>
	// 270 3.1416 <nil>
}

// A varint takes 8 bits for every 7 bits of the number.
func Example_varint() {
	type Item struct {
		Count uint32 `bp:"varint"`
		Delta int32  `bp:"varint"`
	}
	c := tagcodec.MustFor[Item]()
	for _, item := range []Item{{1, -1}, {300, 64}, {math.MaxUint32, math.MinInt32}} {
		data, err := tagcodec.Marshal(item)
		fmt.Printf("%d bits: % x %v\n", 8*len(data), data, err)
	}
	fmt.Println(c.MinBits(), "to", c.MaxBits(), "bits")

	// Output:
	// 16 bits: 02 02 <nil>
	// 32 bits: 59 04 01 02 <nil>
	// 80 bits: ff ff ff ff 1e ff ff ff ff 1e <nil>
	// 16 to 80 bits
}

// An expgolomb takes few bits for small integers, and 2 more each time the
// integer doubles.
func Example_expgolomb() {
	type Score struct {
		Kills  uint16 `bp:"expgolomb"`
		Damage uint32 `bp:"expgolomb,k=4"`
		Change int32  `bp:"expgolomb,k=2"`
	}
	c := tagcodec.MustFor[Score]()
	for _, score := range []Score{{0, 9, 0}, {1, 40, -3}, {20, 3000, 500}} {
		data, err := tagcodec.Marshal(score)
		fmt.Printf("%d bytes: % x %v\n", len(data), data, err)
	}
	fmt.Println(c.MinBits(), "to", c.MaxBits(), "bits")

	// Output:
	// 2 bytes: 67 00 <nil>
	// 2 bytes: 12 1b <nil>
	// 6 bytes: b0 00 91 07 c8 1e <nil>
	// 9 to 157 bits
}

// A relative integer is greater than an earlier field, and takes few bits if it
// is close to it.
func Example_relative() {
	type Ack struct {
		Oldest int32 `bp:"min=0,max=65535"`
		Newest int32 `bp:"relative,to=Oldest"`
	}
	for _, newest := range []int32{1001, 1006, 1023, 1280} {
		data, err := tagcodec.Marshal(Ack{Oldest: 1000, Newest: newest})
		fmt.Printf("% x %v\n", data, err)
	}
	_, err := tagcodec.Marshal(Ack{Oldest: 1000, Newest: 1000})
	fmt.Println(err)

	// Output:
	// e8 03 01 <nil>
	// e8 03 12 <nil>
	// e8 03 84 <nil>
	// e8 03 08 10 <nil>
	// tagcodec: marshal Ack.Newest at bit 16: value out of range: 1000 is outside [1001, 2147483647]
}

// A chained integer is relative to the same field of the previous element, and
// greater than it.
func Example_chain() {
	type Entity struct {
		ID    int32 `bp:"relative,chain"`
		Alive bool
	}
	type Update struct {
		Entities []Entity `bp:"maxlen=31"`
	}
	data, err := tagcodec.Marshal(Update{[]Entity{{10, true}, {11, true}, {12, false}, {17, true}}})
	fmt.Printf("%d bytes: % x %v\n", len(data), data, err) // 5 + 9 + 2 + 2 + 6 bits

	var out Update
	err = tagcodec.Unmarshal(data, &out)
	fmt.Println(out, err)

	// Output:
	// 3 bytes: 84 e4 b9 <nil>
	// {[{10 true} {11 true} {12 false} {17 true}]} <nil>
}

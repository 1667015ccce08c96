package typecache_test

import (
	"fmt"
	"reflect"

	"github.com/gobitpack/bitpack/typecache"
)

// A plan gives the smallest and the largest size of a message before anything is
// sent. The error for a wrong tag says how to fix it.
func ExampleOf() {
	type Move struct {
		Tick uint16
		Dir  uint8 `bp:"enum,max=8"`
		Jump bool
	}
	plan, err := typecache.Of(reflect.TypeFor[Move]())
	fmt.Println(plan.MinBits(), plan.MaxBits(), err)

	type Shot struct {
		Power uint8 `bp:"int,min=0,max=1000"`
	}
	_, err = typecache.Of(reflect.TypeFor[Shot]())
	fmt.Println(err)
	// Output:
	// 21 21 <nil>
	// typecache: Shot.Power: option "max" must be in [0, 255], the range of uint8, not 1000
}

// Each line is an op: the bit where it starts, if that is the same in every
// message, its size in bits, the field, its type and its encoding.
func ExamplePlan_String() {
	type Item struct {
		ID    uint16
		Count uint8 `bp:"int,min=1,max=99"`
	}
	type Body struct {
		Pos    [3]float32 `bp:"float,min=-1024,max=1024,res=0.01"`
		AtRest bool
		Vel    [3]float32 `bp:"float,min=-32,max=32,res=0.1,if=!AtRest"`
		Items  []Item     `bp:"maxlen=4"`
		Name   string     `bp:"maxlen=15"`
	}
	plan, err := typecache.Of(reflect.TypeFor[Body]())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(plan)
	// Output:
	// typecache_test.Body: 62..311 bits, 8..39 bytes
	// bit  bits    field    type                   wire
	// 0    54      Pos      [3]float32             3 x float32 from -1024 over 2048 in 204800 steps
	// 54   1       AtRest   bool                   bool
	// 55   0..30   Vel      [3]float32             if !AtRest
	//      30        Vel    [3]float32             3 x float32 from -32 over 64 in 640 steps
	//      3..95   Items    []typecache_test.Item  slice 0..4
	//      16        ID     uint16                 uint16
	//      7         Count  uint8                  int 1..99
	//      4..131  Name     string                 string 0..15
}

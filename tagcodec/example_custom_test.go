package tagcodec_test

import (
	"fmt"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// Weather serializes itself: the fields it sends depend on Kind. Wind is a
// tagged struct inside it.
type Weather struct {
	Kind int
	Wind Wind
}

// Wind is sent according to its tags.
type Wind struct {
	Angle float32 `bp:"angle,bits=6,unit=deg"`
	Knots uint8   `bp:"int,min=0,max=60"`
}

// Serialize handles both directions.
func (v *Weather) Serialize(s *bits.Stream) error {
	bits.Int(s, &v.Kind, 0, 3)
	if v.Kind != 0 {
		return tagcodec.Serialize(s, &v.Wind)
	}
	return s.Err()
}

// A Serialize method can code a tagged struct. Its own type can in turn be a
// field of a tagged struct.
func ExampleSerialize() {
	type Region struct {
		ID      uint8 `bp:"uint,bits=5"`
		Weather Weather
		Flooded bool
	}
	calm, storm := Region{ID: 9}, Region{9, Weather{3, Wind{270, 60}}, true}
	fmt.Println(cost(&calm), cost(&storm), "bits")

	data, err := tagcodec.Marshal(&storm)
	var out Region
	err2 := tagcodec.Unmarshal(data, &out)
	fmt.Printf("% x %v %v %v\n", data, out, err, err2)

	err = tagcodec.Unmarshal([]byte{0xE9, 0xFF, 0xFF}, &out)
	fmt.Println(err)

	// Output:
	// 8 20 bits
	// 69 98 0f {9 {3 {270 60}} true} <nil> <nil>
	// tagcodec: unmarshal Region.Weather.Knots at bit 13: value out of range: 63 is outside [0, 60]
}

// Shot is written and read by one function. Its fields have no tags.
type Shot struct {
	From    [2]float32
	Hit     bool
	Targets []uint16
}

// Serialize sends the targets of a hit only.
func (v *Shot) Serialize(s *bits.Stream) error {
	tagcodec.Field(s, &v.From, "float,min=0,max=100,res=0.1")
	s.Bool(&v.Hit)
	if v.Hit {
		tagcodec.Field(s, &v.Targets, "relative,base=-1,maxlen=7")
	} else if s.Reading() {
		v.Targets = nil
	}
	return s.Err()
}

// A Serialize method can use any tag for part of what it sends.
func ExampleField() {
	hit := Shot{[2]float32{50, 99.96}, true, []uint16{3, 4, 9}}
	data, err := tagcodec.Marshal(&hit)
	var out Shot
	err2 := tagcodec.Unmarshal(data, &out)
	fmt.Println(len(data), "bytes", out, err, err2)

	hit.Targets[2] = 4
	_, err = tagcodec.Marshal(&hit)
	fmt.Println(err)

	// Output:
	// 5 bytes {[50 100] true [3 4 9]} <nil> <nil>
	// tagcodec: marshal Shot.Targets[2] at bit 30: value out of range: 4 is outside [5, 65535]
}

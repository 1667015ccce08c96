package enginetest

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
)

// Types shared by several tests.

type (
	allScalars struct {
		On      bool
		Health  int32      `bp:"int,min=0,max=100"`
		Pos     [3]float32 `bp:"float,min=-1024,max=1024,res=0.01"`
		Precise [2]float64 `bp:"float,min=-1,max=1,bits=40"`
		Half    float32    `bp:"half"`
		Heading float64    `bp:"angle,bits=12"`
		Raw     complex128
		Code    int16       `bp:"int,bits=11"`
		Money   bits.Int128 `bp:"fixed,frac=20,min=-1000,max=1000"`
		Hash    bits.Uint128
		Count   uint64 `bp:"varint"`
		From    uint32
		To      uint32   `bp:"relative,to=From"`
		Key     [16]byte `bp:"bytes"`
		Label   [8]byte  `bp:"cstring"`
		_       struct{} `bp:"align"`
		_       struct{} `bp:"check"`
	}
	entity struct {
		ID     uint16 `bp:"varint"`
		Moving bool
		Vel    [3]float32 `bp:"float,min=-32,max=32,res=0.1,if=Moving"`
		Kind   uint8      `bp:"enum,max=9"`
		Target *point     `bp:"if=Kind&1"`
		Owner  uint16     `bp:"if=Kind!=0"`
		Rank   uint16     `bp:"relative,to=Owner,if=Owner"`
	}
	world struct {
		Entities []entity  `bp:"maxlen=100"`
		Grid     [][]uint8 `bp:"uint,min=0,max=7,maxlen=10,elem.maxlen=10"`
		Names    [3]string `bp:"maxlen=16"`
		Wide     string    `bp:"wstring,maxlen=16"`
		Blob     []byte    `bp:"bytes,maxlen=100"`
		IDs      []uint32  `bp:"relative,maxlen=100"`
		Points   []*point  `bp:"maxlen=10"`
	}
	sparse struct {
		Score  int32      `bp:"int,min=-100,max=100,optional"`
		Height float32    `bp:"float,min=-8,max=8,bits=10,common=0"`
		Class  uint8      `bp:"huffman=0:90|1:7|*:3"`
		Title  string     `bp:"maxlen=20,common=guest|owner"`
		Near   [20]entity `bp:"subset=auto,by=Moving"`
		Far    []*point   `bp:"subset=sentinel,maxlen=20"`
		Turn   quaternion `bp:"quat,bits=9"`
		Up     [3]float32 `bp:"unit,bits=8"`
		Body   transform  `bp:"affine,optional"`
	}
	// depth1 nests as many blocks as the stack frames allow without the heap.
	depth1 struct{ A [2]depth2 }
	depth2 struct {
		B []depth3 `bp:"maxlen=3"`
	}
	depth3 struct{ C *depth4 }
	depth4 struct {
		D [2][]depth5 `bp:"maxlen=3"`
	}
	depth5 struct{ E [1]**uint16 }
	// buriedNumber nests more than twice as many blocks.
	buriedNumber struct{ Behind ********************uint16 }
)

func newWorld() world {
	return world{
		Entities: []entity{
			{ID: 3, Moving: true, Vel: [3]float32{1, 2, 3}, Kind: 1, Target: &point{1, 2}, Owner: 7, Rank: 9},
			{ID: 4, Kind: 2}, {ID: 90, Kind: 3, Target: nil, Owner: 1, Rank: 70},
		},
		Grid:  [][]uint8{{1, 2, 3}, {}, {7}},
		Names: [3]string{"one", "", "three"}, Wide: "wide \U0001F680", Blob: []byte{0, 255}, IDs: []uint32{0, 1, 1000},
		Points: []*point{{1, 1}, nil, {-300, 300}},
	}
}

func newDeep() depth1 {
	n := new(uint16)
	inner := []depth5{{[1]**uint16{&n}}, {}}
	one := depth3{&depth4{[2][]depth5{inner, nil}}}
	return depth1{[2]depth2{{[]depth3{one, {}}}, {[]depth3{one}}}}
}

func newBuriedNumber(n uint16) (v buriedNumber) {
	at := reflect.ValueOf(&v.Behind).Elem()
	for at.Kind() == reflect.Pointer {
		at.Set(reflect.New(at.Type().Elem()))
		at = at.Elem()
	}
	at.SetUint(uint64(n))
	return v
}

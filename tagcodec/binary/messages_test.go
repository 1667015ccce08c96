package binary_test

import (
	"errors"
	"time"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// Together the types below have every kind of tag.
type (
	// fixedSize always takes 41 bits.
	fixedSize struct {
		Health int32      `bp:"int,min=0,max=100"`
		Pos    [2]float32 `bp:"float,min=-100,max=100,res=0.1"`
		Alive  bool
		Team   uint8 `bp:"uint,bits=3"`
		Speed  int16 `bp:"int,min=-100,max=99"`
	}

	// aligned takes 16 bits at a byte boundary, and 11 to 18 elsewhere.
	aligned struct {
		A uint8    `bp:"uint,bits=3"`
		_ struct{} `bp:"align"`
		B uint8
	}

	scalars struct {
		Kind   uint8       `bp:"enum,max=4"`
		Half   float32     `bp:"half"`
		Fixed  int32       `bp:"fixed,frac=8,min=-10,max=10"`
		Angle  float64     `bp:"angle,bits=9"`
		Var    int64       `bp:"varint"`
		Vars   [3]uint16   `bp:"varint"`
		Score  [2]int32    `bp:"expgolomb,k=2"`
		Wide   bits.Int128 `bp:"int,min=-5,max=100000000000000000000"`
		Rel    uint32      `bp:"relative,base=100"`
		More   int32       `bp:"relative,to=Rel"`
		Ids    []uint16    `bp:"relative,maxlen=9"`
		Real   complex64
		Signed int8 `bp:"int,bits=5"`
	}

	texts struct {
		Name  string    `bp:"maxlen=20"`
		Wide  string    `bp:"wstring,maxlen=5"`
		Raw   []byte    `bp:"bytes,maxlen=300"`
		Array [5]byte   `bp:"bytes"`
		C     [6]byte   `bp:"cstring"`
		When  time.Time `bp:"binary,maxlen=20"`
		Words []string  `bp:"maxlen=4,elem.maxlen=7"`
	}

	item struct {
		Kind  uint8  `bp:"enum,max=5"`
		Count uint8  `bp:"int,min=1,max=64,if=Kind==2"`
		Label string `bp:"maxlen=10,if=Kind&4"`
	}

	conditions struct {
		Flag   bool
		On     uint32   `bp:"if=Flag"`
		Off    int8     `bp:"if=!Flag"`
		Var    int16    `bp:"varint"`
		ByVar  uint16   `bp:"if=Var==-3"`
		Golomb int16    `bp:"expgolomb"`
		ByGol  uint16   `bp:"if=Golomb==-2"`
		Opt    uint8    `bp:"optional"`
		ByOpt  uint16   `bp:"if=Opt"`
		Common int32    `bp:"common=0|-7,min=-9,max=9"`
		ByComm [3]uint8 `bp:"if=Common==-7"`
		Coded  uint8    `bp:"huffman=0:9|1:3|200:2|*:1"`
		ByCode uint32   `bp:"if=Coded==200"`
		Word   int8     `bp:"int,bits=4"`
		ByWord uint8    `bp:"if=Word==-2"`
		Rel    int32    `bp:"relative,base=-5"`
		ByRel  uint64   `bp:"if=Rel==-4"`
		One    uint8    `bp:"common=1|2|4,min=0,max=9"`
		ByOne  uint16   `bp:"if=One==4"`
		Form   form     `bp:"binary,maxlen=1"`
		ByForm uint16   `bp:"if=Form==7"`
		Nested struct {
			A bool
			B [2]uint8 `bp:"if=A"`
			C uint8    `bp:"if=A"`
			D uint16   `bp:"if=C!=0"`
		}
	}

	chained struct {
		ID   int32 `bp:"relative,chain"`
		Odd  uint8 `bp:"if=ID&1"`
		Bits [3]bool
	}

	sequences struct {
		Maybe []struct {
			Sent uint8  `bp:"optional"`
			By   uint16 `bp:"if=Sent"`
			Once bool
			Then uint8 `bp:"int,min=1,max=9,if=Once"`
			And  uint8 `bp:"if=Then==5"`
		} `bp:"maxlen=50"`
		Items  []item          `bp:"maxlen=500"`
		Chain  []chained       `bp:"maxlen=500"`
		Names  map[string]item `bp:"maxlen=5,key.maxlen=9"`
		Scores map[uint8]int16 `bp:"maxlen=9,key.min=0,key.max=200,min=-5,max=500"`
		Grid   [3][2]item
		Tiles  [4][9]uint8 `bp:"min=0,max=9,rle"`
		Runs   []bool      `bp:"rle,maxlen=2000"`
		Tail   []float32   `bp:"float,min=0,max=1,bits=7,maxlen=30"`
	}

	seat struct {
		Taken bool
		By    uint16 `bp:"uint,bits=9"`
		Note  string `bp:"maxlen=3,if=Taken"`
	}

	subsets struct {
		Bitmap   [40]seat  `bp:"subset=bitmap,by=Taken"`
		Index    [5]*item  `bp:"subset=index"`
		One      [1]*item  `bp:"subset=index"`
		Sentinel [9]seat   `bp:"subset=sentinel,by=Taken"`
		Relative [300]seat `bp:"subset=relative,by=Taken"`
		Auto     [20]*item `bp:"subset=auto"`
		Slice    []seat    `bp:"subset=auto,by=Taken,maxlen=200"`
	}

	// dependent has integers that are relative to others, and conditions on
	// relative integers.
	dependent struct {
		Base uint8  `bp:"int,min=0,max=50"`
		Next int16  `bp:"relative,to=Base"`
		By   uint32 `bp:"if=Next==9"`
		Last bool
	}

	scaled struct {
		Place struct {
			Translation [3]float32 `bp:"float,min=-100,max=100,res=0.01"`
			Rotation    [4]float32 `bp:"quat,bits=10"`
			Scale       float32    `bp:"float,min=0.125,max=8,res=0.125"`
		} `bp:"affine"`
		Last uint16 `bp:"uint,bits=12"` // up to a byte boundary
	}

	node struct {
		Value int8   `bp:"int,min=-3,max=3"`
		Kids  []node `bp:"maxlen=3"`
		Next  *node
		Item  *item
	}

	transform struct {
		Translation [3]float32 `bp:"float,min=-100,max=100,res=0.01"`
		Rotation    [4]float32 `bp:"quat,bits=10"`
		Scale       [3]float32 `bp:"float,min=0.125,max=8,res=0.125"`
	}

	geometry struct {
		Turn  [4]float32    `bp:"quat,bits=9"`
		Turns [2][4]float32 `bp:"quat,mode=sign,bits=8"`
		Dir   [3]float64    `bp:"unit,bits=10"`
		Where transform     `bp:"affine"`
		After uint8
	}

	structure struct {
		A uint8    `bp:"uint,bits=3"`
		_ struct{} `bp:"align"`
		B bool
		_ struct{} `bp:"reserved,bits=5"`
		_ struct{} `bp:"const,bits=12,value=77"`
		C uint16
		_ struct{} `bp:"check"`
	}

	events struct {
		List [3]event `bp:"union"`
		Last uint8    `bp:"uint,bits=2"`
	}

	customs struct {
		Own    list
		List   []list `bp:"maxlen=60"`
		Hint   limited
		Step   step
		ByStep uint16 `bp:"if=Step==-1"`
		Last   uint8  `bp:"uint,bits=5"`
	}
)

// event is a union.
type event interface{ isEvent() }

type (
	hit struct {
		Damage uint16 `bp:"varint"`
	}
	chat struct {
		Text string `bp:"maxlen=30"`
		Next event  `bp:"union"`
	}
)

func (hit) isEvent()   {}
func (*chat) isEvent() {}

func init() { tagcodec.RegisterUnion[event](hit{}, &chat{}) }

// step is an integer that serializes itself.
type step int8

func (d *step) Serialize(s *bits.Stream) error {
	bits.Int(s, d, -1, 1)
	return s.Err()
}

// form is an integer with a binary form.
type form uint8

func (f form) MarshalBinary() ([]byte, error) { return []byte{byte(f)}, nil }

func (f *form) UnmarshalBinary(data []byte) error {
	if len(data) != 1 {
		return errors.New("a form is a byte")
	}
	*f = form(data[0])
	return nil
}

// list serializes its own length and values.
type list struct{ Values []uint16 }

func (l *list) Serialize(s *bits.Stream) error {
	n := len(l.Values)
	if bits.Count(s, &n, 0, 40); s.Err() != nil {
		return s.Err()
	}
	if s.Reading() {
		l.Values = make([]uint16, n)
	}
	for i := range l.Values {
		bits.Bits(s, &l.Values[i], 11)
	}
	if n%3 == 1 {
		return tagcodec.Serialize(s, &struct {
			Text string `bp:"maxlen=4"`
		}{"abc"})
	}
	return s.Err()
}

// limited serializes itself. Its bound is not sent and must be set before
// reading.
type limited struct {
	Max   uint32 `bp:"-"`
	Value uint32
}

func (l *limited) Serialize(s *bits.Stream) error {
	bits.Int(s, &l.Value, 0, l.Max)
	return s.Err()
}

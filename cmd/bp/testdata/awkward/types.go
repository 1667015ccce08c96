// Package awkward has types whose generated code must compile although their names
// are awkward.
package awkward

import (
	"time"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"

	"github.com/gobitpack/bitpack/cmd/bp/testdata/awkward/c"
	other "github.com/gobitpack/bitpack/cmd/bp/testdata/awkward/other"
)

// Two types that differ in the case of a letter, and types whose names are those
// of the functions of others.
type (
	foo        struct{ A uint16 }
	Foo        struct{ B uint32 }
	AppendFoo  struct{ C uint8 }
	ReadFoo    struct{ D bool }
	Appendfoo  struct{ E int64 }
	bitpackFoo struct{ F uint16 }
)

// Fields like local variables, and types like local variables.
type locals struct {
	Größend, Übad, Éw, Ab, N1 int8
	C1, E1, I1                []uint16 `bp:"maxlen=3"`
	E2                        struct{ E1 [3]struct{ E1 uint16 } }
	E3                        []struct {
		XE3 []struct{ E3e1e3 uint8 } `bp:"maxlen=3"`
	} `bp:"maxlen=3"`
}
type (
	c1    uint8
	e1    uint16
	e2    struct{ A uint16 }
	bad   bool
	n     float32
	short uint32
	x1    struct {
		A c1
		B e1
		C [3]e1
		D bad
		E n
		F short
		G []e2 `bp:"maxlen=3"`
		H *e2
		I uint8
	}
	unused  uint8
	unuseds struct {
		A unused
		C uint8
		B []unused `bp:"maxlen=40,bits=3"`
	}
	t1      uint8
	texting struct {
		A, B string `bp:"maxlen=9"`
		C    t1
	}
)

// Functions that hide predeclared ones.
func min() {}
func max() {}

// Types and fields like imported packages.
type (
	genrt uint8
	packs struct {
		genrt
		math
		binary
		Other c.Kind
	}
	math   struct{ X uint8 }
	binary struct{ Bits struct{ A bool } }
	packs3 struct {
		L other.Level
		M other.Math
		P float32
	}
	packs4 struct {
		K [2]c.Kind
		N c.Names `bp:"maxlen=3,elem.maxlen=4"`
		S c.Spot
		T c.Tiny
		D time.Duration
		F float64
	}
)

// rename is a variable like an imported package.
var (
	math32 = 3
	len2   = len("")
)

type (
	box[T any] struct{ V T }
	boxes      struct {
		A box[int8]
		B box[box[uint16]]
		C []box[bool] `bp:"maxlen=3"`
		D *box[foo]
	}
	blanks struct {
		_ int32    `bp:"-"`
		_ struct{} `bp:"reserved,bits=3"`
		A uint8
		_ struct{} `bp:"const,bits=64,value=0xffffffffffffffff"`
		_ struct{} `bp:"align"`
	}
	pointers struct {
		A **uint16
		B ***foo
		C *[3]*uint8
		D [2]**foo
		E *[]uint16  `bp:"maxlen=3"`
		F []*[2]*foo `bp:"maxlen=3"`
	}
	list   []foo
	name   string
	pfoo   *foo
	grid   [3][3]foo
	long   [40]uint16
	long2  [5][8]uint16
	nameds struct {
		A list `bp:"maxlen=3"`
		B name `bp:"maxlen=9"`
		C pfoo
		D grid
		E long
		F long2
		G []name   `bp:"maxlen=3,elem.maxlen=4"`
		H []long2  `bp:"maxlen=3"`
		I []long   `bp:"maxlen=3"`
		J [17]name `bp:"maxlen=3"`
		K [0]foo
		L [0]uint16
		M [2][0]uint32
		N [5]name `bp:"maxlen=7"`
		O [17]bool
		P *long
		Q [3]long
	}
	empty  struct{}
	emptyA struct {
		A empty
		B [3]empty
		C *empty
		D []struct {
			A uint8 `bp:"int,min=1,max=1"`
			B bool
		} `bp:"maxlen=3"`
	}
	numbers struct {
		A complex64
		B complex128
		C uintptr
		D bits.Uint128
		E int8    `bp:"int,min=-128,max=127"`
		F int64   `bp:"int,min=-9223372036854775808,max=9223372036854775807"`
		G int64   `bp:"int,min=-9223372036854775808,max=0"`
		H uint64  `bp:"int,min=18446744073709551615,max=18446744073709551615"`
		I uint64  `bp:"int,min=1,max=18446744073709551615"`
		J float64 `bp:"float,min=-0,max=1,bits=53"`
		K float32 `bp:"float,min=-3e38,max=0,bits=32"`
		L float32 `bp:"float,min=0,max=1e-40,bits=3,optional"`
		M float64 `bp:"float,min=1e300,max=1.5e308,bits=5"`
		N float32 `bp:"angle,bits=32,unit=deg"`
		O int32   `bp:"bits=31"`
		P uint8   `bp:"bits=1"`
		Q int     `bp:"min=-5,max=5000000000"`
		R uint    `bp:"bits=40,if=Q!=4000000000"`
		S int16   `bp:"fixed,frac=3,min=-5,max=5"`
	}
	tree struct {
		V    uint16
		Kids []tree `bp:"maxlen=3"`
		L, R *tree
	}
	event  interface{ event() }
	hit    struct{ Damage uint8 }
	unions struct {
		A uint8
		E event         `bp:"union"`
		L []event       `bp:"union,maxlen=3"`
		M map[c1]string `bp:"maxlen=3,elem.maxlen=3"`
		N map[name]*foo `bp:"maxlen=3,key.maxlen=4"`
	}
	self  struct{ A uint8 }
	selfs struct {
		A self
		B bool
		C []self    `bp:"maxlen=100"`
		T time.Time `bp:"binary,maxlen=20"`
	}
	embedded struct {
		foo
		*Foo
		c.Spot
		hidden
		B bool
	}
	hidden struct {
		B int16
		X uint8
	}
	bulk struct {
		A string `bp:"maxlen=60000"`
		B [1000]uint16
		C []bulkItem `bp:"maxlen=60000"`
		D [100][3]bulkItem
	}
	bulkItem struct {
		A [3]float64
		B [2][2]bool
	}
	// xs has types that generated code cannot name.
	xs struct {
		A uint8
		X x1
		Y []x1 `bp:"maxlen=3"`
	}
	// far has a type of an internal package.
	far struct {
		A uint8
		B c.Far
	}
	bare    uint16
	bareArr [4]foo
	bareStr string
	consts  struct {
		_ struct{} `bp:"const,bits=64,value=0xffffffffffffffff"`
		_ struct{} `bp:"const,bits=3,value=5"`
	}
	oneBit struct{ A bool }
	conds  struct {
		A c1
		B bool   `bp:"if=A"`
		C int8   `bp:"if=B"`
		D uint32 `bp:"if=C!=-3"`
		E uint16 `bp:"if=D&7"`
		F foo    `bp:"if=E==0"`
		G bad
		H foo        `bp:"if=!G"`
		I []foo      `bp:"maxlen=3,if=G"`
		J *foo       `bp:"if=A==3"`
		K string     `bp:"maxlen=3,if=A!=2"`
		L [20]uint16 `bp:"if=A&1"`
	}
)

// Members of unions, maps and subsets with awkward names and types.
type (
	happening interface{ Happens() }
	nothing   struct{}
	count8    uint8
	numbered  [3]uint16
	i1        struct{ A uint8 } // like a local variable
	compress  struct{ A uint8 }
	deeper    struct {
		E event `bp:"union"`
		S []any `bp:"-"`
	}
	plenty  map[c.Kind][]foo
	happens struct {
		compress
		E happening            `bp:"union"`
		L []*happening         `bp:"union,subset=auto,maxlen=5"`
		M map[count8]happening `bp:"union,maxlen=3"`
		A [2]happening         `bp:"union"`
		O any                  `bp:"-"`
	}
	locally struct {
		A uint8
		E sleeping `bp:"union"`
	}
	sleeping interface{ Sleeps() }
	mapped   struct {
		A plenty                       `bp:"maxlen=3,elem.maxlen=3"`
		B map[name]map[uintptr]*[2]foo `bp:"maxlen=3,key.maxlen=4,elem.maxlen=2"`
		C map[int8]struct{}            `bp:"maxlen=3"`
		D map[bool]foo                 `bp:"maxlen=2"`
		E [2]map[e1]numbered           `bp:"maxlen=3"`
		F *map[int32]spot              `bp:"maxlen=3"`
	}
	spot struct {
		c.Spot
		On bad
		Z  uint16 `bp:"if=On"`
	}
	sparse struct {
		A [9]spot    `bp:"subset=bitmap,by=On"`
		B []spot     `bp:"subset=relative,by=On,maxlen=9"`
		C [0]spot    `bp:"subset=index,by=On"`
		D [1]*count8 `bp:"subset=sentinel"`
		E []*foo     `bp:"subset=bitmap,maxlen=9"`
	}
)

func (nothing) Happens()   {}
func (*compress) Happens() {}
func (count8) Happens()    {}
func (*numbered) Happens() {}
func (deeper) Happens()    {}
func (i1) Sleeps()         {}

func init() {
	tagcodec.RegisterUnion[happening](nothing{}, &compress{}, count8(0), &numbered{}, deeper{}, &c.Event{})
	tagcodec.RegisterUnion[sleeping](i1{})
}

func (hit) event() {}

func (s *self) Serialize(st *bits.Stream) error {
	bits.Bits(st, &s.A, 3)
	return st.Err()
}

func init() { tagcodec.RegisterUnion[event](hit{}) }

package typecache_test

import (
	"flag"
	"fmt"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Types that cover the kinds and the ways to infer them.
type (
	Scalars struct {
		Bool    bool
		Int8    int8
		Uint16  uint16
		Int     int
		Uint    uint
		Float32 float32
		Float64 float64
		Complex complex64
		Wide    bits.Uint128
		Bits    uint8        `bp:"uint,bits=5"`
		Signed  int16        `bp:"int,bits=5"`
		AllBits int32        `bp:"int,bits=32"`
		Range   int32        `bp:"int,min=-100,max=100"`
		Level   Level        `bp:"uint,min=10,max=20"`
		Synonym int8         `bp:"uint,min=-1,max=1"`
		Enum    uint8        `bp:"enum,max=5"`
		Quantum float32      `bp:"float,min=-1,max=1,res=0.01"`
		Steps   float64      `bp:"float,min=0,max=10,bits=12"`
		Half    float32      `bp:"half"`
		Fixed   int32        `bp:"fixed,frac=8,min=-10,max=10"`
		Wider   bits.Int128  `bp:"fixed,frac=64,min=-1,max=1"`
		Ranged  bits.Uint128 `bp:"int,min=1,max=0x10000000000000000"`
		Radians float32      `bp:"angle,bits=8"`
		Degrees float64      `bp:"angle,res=0.5,unit=deg"`
		Varint  int64        `bp:"varint"`
		After   int32        `bp:"relative,base=-1"`
		Next    uint32       `bp:"relative,to=Bits"`
	}

	// Inferred leaves out the kind in each possible way.
	Inferred struct {
		AtRest bool
		Speed  float32 `bp:",if=!AtRest"`
		Name   string  `bp:"maxlen=64"`
		Title  string  `bp:",maxlen=64"`
		Data   []byte  `bp:"maxlen=64"`
		Nibble []byte  `bp:"maxlen=64,bits=4"`
		Bytes  []Level `bp:"maxlen=64"`
		Range  int32   `bp:"min=1,max=6"`
		Count  uint32  `bp:"bits=7"`
		Angle  float32 `bp:"min=0,max=1,res=0.1"`
		Plain  int16   `bp:""`
		List   []bool  `bp:"if=!AtRest,maxlen=3"`
	}

	Embedded struct {
		Health
		base
		Extra  uint8 `bp:"if=Alive"`
		Points int32 `bp:"if=Vigor==2"`
		Last   uint8 `bp:"if=Points==1000"`
	}

	base struct{ Vigor uint8 }

	Pushed struct {
		Velocity Vec3                  `bp:"float,min=-1,max=1,bits=8"`
		Path     []Vec3                `bp:"half,maxlen=4"`
		Corners  [2]Vec3               `bp:"half"`
		Target   *Vec3                 `bp:"half"`
		Spots    map[uint8]Vec3        `bp:"half,maxlen=4"`
		Names    struct{ A, B string } `bp:"maxlen=8"`
		Vec4     `bp:"half"`
	}

	Arrays struct {
		Matrix  [2][3]float32 `bp:"half"`
		Cube    [2][3][4]bool
		Rows    [2][]uint8  `bp:"bytes,maxlen=4"`
		Keys    [2][16]byte `bp:"bytes"`
		Words   [2][8]byte  `bp:"cstring"`
		Steps   [3]int32    `bp:"relative,base=0"`
		Spectra [2]complex64
		None    [0]int32
		Empty   [0]string `bp:"maxlen=4"`
	}

	Elements struct {
		Grid   [][]int32         `bp:"int,maxlen=4,elem.maxlen=8,min=0,max=7"`
		Words  []string          `bp:"maxlen=4,elem.maxlen=8"`
		Stats  map[int8]int16    `bp:"int,min=0,max=999,maxlen=8,key.min=-5,key.max=5"`
		Ids    map[uint32]string `bp:"maxlen=8,key.kind=varint,elem.maxlen=16"`
		Flags  map[bool]bool     `bp:"maxlen=2"`
		Names  map[string]Level  `bp:"enum,max=3,maxlen=8,key.maxlen=16"`
		Deep   map[string][]int8 `bp:"maxlen=2,key.maxlen=3,elem.maxlen=4"`
		Seen   []uint16          `bp:"relative,maxlen=9"`
		From   []uint16          `bp:"relative,base=100,maxlen=9,minlen=1"`
		Sorted []struct {
			ID int32 `bp:"relative,chain"`
			On bool
		} `bp:"maxlen=5"`
	}

	Conditions struct {
		Kind   uint8 `bp:"enum,max=3"`
		Flags  int8
		Moving bool
		A      bool     `bp:"if=Kind==1"`
		B      uint8    `bp:"if=A"`
		C      uint8    `bp:"if=Kind!=0x2"`
		D      uint8    `bp:"if=Flags&6"`
		E      int16    `bp:"if=Flags==-1"`
		F      *Vec3    `bp:"half,if=Moving==true"`
		G      Inner    `bp:"if=!Moving"`
		H      int32    `bp:"relative,to=C"`
		_      struct{} `bp:"align,if=Moving"`
		I      uint8    `bp:"if=C==0"`
	}

	Inner struct {
		On  bool
		Sub uint8 `bp:"if=On"`
	}

	Structure struct {
		A uint8      `bp:"uint,bits=3"`
		_ struct{}   `bp:"align"`
		_ struct{}   `bp:"reserved,bits=2"`
		_ struct{}   `bp:"const,bits=4,value=0xA"`
		_ struct{}   `bp:"check"`
		_ struct{}   `bp:"check,value=7"`
		B time.Time  `bp:"binary,maxlen=24"`
		C netip.Addr `bp:"binary,maxlen=16"`
		D custom
		E []custom `bp:"maxlen=2"`
		F int32    `bp:"-"`
	}

	Forest struct {
		Root  Node
		Other *Node
	}

	Node struct {
		Value int8
		Kids  []Node `bp:"maxlen=4"`
		Peer  *Link
	}

	Link struct{ To Node }
)

// TestGolden compares the table and the text of each plan with the golden files
// in testdata. Together they show the effect of every tag.
func TestGolden(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[Scalars](),
		reflect.TypeFor[Inferred](),
		reflect.TypeFor[Embedded](),
		reflect.TypeFor[Pushed](),
		reflect.TypeFor[Arrays](),
		reflect.TypeFor[Elements](),
		reflect.TypeFor[Conditions](),
		reflect.TypeFor[Structure](),
		reflect.TypeFor[Forest](),
		reflect.TypeFor[Character](),
		reflect.TypeFor[EntityUpdates](),
	} {
		t.Run(typ.Name(), func(t *testing.T) {
			plan, err := typecache.Of(typ)
			require.NoError(t, err)
			golden(t, typ.Name(), plan.String()+"\n"+plan.Text())
		})
	}
}

// TestTableOfRepeats requires that a struct in several lists is shown once in the
// table, unless tags around it have changed its fields, and that Rows has all.
func TestTableOfRepeats(t *testing.T) {
	type Item struct {
		Kind  uint8
		Count uint16
	}
	type Bag struct {
		Best  *Item
		Items []Item `bp:"maxlen=9"`
	}
	type Message struct {
		Items []Item `bp:"maxlen=9"`
		Bags  [2]Bag
		Small []Item `bp:"maxlen=9,min=0,max=7"`
		Lost  *Bag
		Both  [2]struct {
			Kind  uint8
			Count uint16
		}
	}
	plan, err := typecache.Of(reflect.TypeFor[Message]())
	require.NoError(t, err)
	golden(t, "Repeats", plan.String())
	require.Len(t, plan.Rows(), 23)
}

// TestRows checks the columns of rows that are not in the table that String
// prints.
func TestRows(t *testing.T) {
	type Message struct {
		A    uint8  `bp:"bits=3"`
		Name string `bp:"maxlen=5"`
		List []struct {
			B bool
			C []uint8 `bp:"uint,bits=2,maxlen=3"`
		} `bp:"maxlen=7"`
		Next *Node
	}
	plan, err := typecache.Of(reflect.TypeFor[Message]())
	require.NoError(t, err)
	rows := plan.Rows()
	var paths []string
	by := map[string]typecache.Row{}
	for _, r := range rows {
		paths = append(paths, r.Path)
		by[r.Path] = r
	}
	require.Equal(t, []string{"A", "Name", "List", "B", "C", "", "Next", ""}, paths[:8])
	require.Equal(t, typecache.Row{Path: "A", Type: "uint8", Wire: "uint3", MinBits: 3, MaxBits: 3, Elements: 1}, by["A"])
	require.Equal(t, 3, by["Name"].Start)
	require.Equal(t, -1, by["List"].Start)
	require.Equal(t, 7, by["List"].Elements)
	require.Equal(t, 3, by["List"].MinBits)
	require.Equal(t, 3+7*(1+2+3*2), by["List"].MaxBits)
	require.Equal(t, 1, by["B"].Depth)
	require.Equal(t, typecache.Unbounded, by["Next"].MaxBits)
	require.False(t, by["Next"].Part)
	require.True(t, rows[len(rows)-1].Part)
}

// TestRunLengthRows checks the paths of elements that are in an entry of a map.
func TestRunLengthRows(t *testing.T) {
	plan, err := typecache.Of(reflect.TypeFor[struct {
		M map[uint8][]bool `bp:"maxlen=3,elem.maxlen=3,elem.rle"`
		N map[uint8][3]int `bp:"maxlen=3,elem.rle"`
	}]())
	require.NoError(t, err)
	var rows []string
	for _, r := range plan.Rows() {
		rows = append(rows, fmt.Sprintf("%d %s %s", r.Depth, r.Path, r.Wire))
	}
	require.Equal(t, []string{"0 M map 0..3", "1 key uint8", "1 value rle of 0..3", "2  bool",
		"0 N map 0..3", "1 key uint8", "1 value rle of 3", "2 value 3 x int64"}, rows)
}

// A Huffman code has a row for other values only if it can send them.
func TestHuffmanRows(t *testing.T) {
	plan, err := typecache.Of(reflect.TypeFor[struct {
		Only   uint8 `bp:"huffman=0:90|1:7"`
		Others uint8 `bp:"huffman=0:90|1:7|*:3"`
		Last   bool
	}]())
	require.NoError(t, err)
	var rows []string
	for _, r := range plan.Rows() {
		rows = append(rows, fmt.Sprintf("%d %s: %d", r.Depth, r.Path, r.MaxBits))
	}
	require.Equal(t, []string{"0 Only: 1", "0 Others: 10", "1 Others: 8", "0 Last: 1"}, rows)
}

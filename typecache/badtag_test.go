package typecache_test

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
)

// badSyntax has tags with syntax errors, which package reflect silently ignores.
var badSyntax = []bad{
	{"no quotes", withTag(`bp:int`)},
	{"equals sign", withTag(`bp="int"`)},
	{"space after the colon", withTag(`bp: "int"`)},
	{"no end of the quotes", withTag(`bp:"int`)},
	{"single quotes", withTag(`bp:'int'`)},
	{"tab between two tags", withTag("json:\"a\"\tbp:\"int\"")},
	{"broken tag of another package before", withTag(`json:a bp:"int"`)},
	{"comma between two tags", withTag(`json:"a",bp:"int"`)},
	{"two bp tags", withTag(`bp:"int" bp:"varint"`)},
	{"two bp tags with another between", withTag(`bp:"int" json:"a" bp:"int"`)},
	{"no space between two tags", withTag(`json:"a"bp:"int"`)},
	{"no space after ours", withTag(`bp:"int"json:"a\"b"`)},
	{"other letters, and broken", withTag(`BP: "int"`)},
	{"space before the colon", withTag(`bp :"int"`)},
	{"no quotes at a float", typed[float32](`bp:half`)},
	{"no quotes at a string", typed[string](`bp:maxlen=3`)},
	{"no quotes at an array of bools", typed[[3]bool](`bp:optional`)},
	{"no quotes at a struct{}", typed[struct{}](`bp:align`)},
	{"no quotes at an interface", typed[any](`bp:union`)},
}

// badKeys has keys that are nearly bp, which would be silently ignored.
var badKeys = []bad{
	{"other letters", withTag(`BP:"int,min=0,max=3"`)},
	{"other letters, and left out", withTag(`Bp:"-"`)},
	{"other letters, whatever the value", withTag(`bP:"helth"`)},
	{"after another tag", withTag(`json:"a" BP:"varint"`)},
	{"a letter twice", withTag(`bpp:"int,min=0,max=3"`)},
	{"a letter twice, and a kind alone", withTag(`bbp:"varint"`)},
	{"both", withTag(`BPP:"maxlen=3"`)},
	{"two letters swapped", withTag(`pb:"int,min=0,max=3"`)},
}

// badTags has mistakes in a tag that do not depend on the type of its field.
var badTags = []bad{
	{"kind with a letter changed", fieldOf[int32]("imt")},
	{"kind with letters transposed", fieldOf[int32]("itn,min=0,max=1")},
	{"kind with a capital", fieldOf[int32]("Int")},
	{"kind near to nothing", fieldOf[int32]("color")},
	{"kind that is a Go type", fieldOf[float32]("float32,min=0,max=1,res=0.1")},
	{"kind of the wire that is an option here", fieldOf[uint8]("bits,5")},
	{"option with a letter missing", reflect.TypeFor[Player]()},
	{"option with letters transposed", fieldOf[int32]("int,mni=0,max=1")},
	{"option near to nothing", fieldOf[int32]("int,min=0,max=1,colour=3")},
	{"option after a space", fieldOf[int32]("int, min=0,max=1")},
	{"option by another of its names", fieldOf[string]("len=3")},
	{"option of elements by another of its names", fieldOf[[]string]("maxlen=3,elem.Size=3")},
	{"option of values with a prefix that there is not", fieldOf[map[int8]int8]("maxlen=3,val.min=0")},
	{"kind as an option", fieldOf[any]("kind=union,if=On")},
	{"option of keys, misspelled", fieldOf[map[int8]int8]("maxlen=4,key.mx=3")},
	{"kind of keys, misspelled", fieldOf[map[int8]int8]("maxlen=4,key.kind=itn")},
	{"kind of elements, misspelled", fieldOf[[]int8]("maxlen=4,elem.kind=itn")},
	{"kind after an option", fieldOf[int32]("min=0,int,max=1")},
	{"two kinds", fieldOf[int32]("int,varint")},
	{"comma at the end", fieldOf[int32]("int,min=0,max=1,")},
	{"option without a value", fieldOf[int32]("int,min,max=1")},
	{"option with an empty value", fieldOf[int32]("int,min=,max=1")},
	{"if without a field", fieldOf[int32](",if=")},
	{"value on a flag", reflect.TypeFor[struct {
		A []struct {
			I int32 `bp:"relative,chain=1"`
		} `bp:"maxlen=3"`
	}]()},
	{"option twice", fieldOf[int32]("int,min=0,max=1,min=0")},
	{"option of keys twice", fieldOf[map[int8]int8]("maxlen=1,key.min=0,key.min=0")},
	{"options on a field that is left out", fieldOf[int32]("-,min=0")},
	{"value that is no integer", fieldOf[int32]("int,min=a,max=4")},
	{"value with a fraction", fieldOf[int32]("int,min=0.5,max=4")},
	{"value that is no number", fieldOf[float32]("float,min=zero,max=1,res=1")},
	{"kind of values, misspelled", fieldOf[map[int8]int8]("maxlen=4,elem.kind=itn")},
}

// Types with an encoding of their own. Their tags are checked all the same.
type (
	ownGood struct {
		A uint8 `bp:"max=3,min=0"`
		B chan int
		C []int
		D any
		E ownUnion `bp:"union"`
		F struct{ G func() }
		H loop
	}
	ownUnion any
	loop     struct {
		A    func()
		B    uint8 `bp:"bits=3"`
		Next *loop
	}
	ownLoop struct {
		A    uint8 `bp:"bits=3"`
		Loop badLoop
	}
	badLoop struct {
		A    uint8 `bp:"int,min=0,mx=3"`
		Next *badLoop
	}
	ownBad struct {
		A uint8 `bp:"int,min=0,mx=3"`
	}
	ownIf struct {
		On bool
		A  uint8 `bp:"if=Of"`
	}
	ownKey struct {
		A uint8 `BP:"int,min=0,max=3"`
	}
	ownInner struct {
		On    bool `bp:"-"`
		Inner struct {
			X func()
			A string `bp:"maxlen=x"`
		}
	}
	ownList struct {
		A []func()             `bp:"maxlen=3"`
		B []struct{ C func() } `bp:"maxlen=3"`
	}
	ownNext struct {
		Next *ownNext `bp:"maxlen=3"`
	}
	ownPlain struct {
		B chan int
		A struct {
			C uint8 `bp:"int,mx=3"`
		}
	}
	ownBinary struct {
		A uint8 `bp:"int,min=0,mx=3"`
	}
)

func (*ownGood) Serialize(s *bits.Stream) error  { return s.Err() }
func (*ownLoop) Serialize(s *bits.Stream) error  { return s.Err() }
func (*ownBad) Serialize(s *bits.Stream) error   { return s.Err() }
func (*ownIf) Serialize(s *bits.Stream) error    { return s.Err() }
func (*ownKey) Serialize(s *bits.Stream) error   { return s.Err() }
func (*ownInner) Serialize(s *bits.Stream) error { return s.Err() }
func (*ownList) Serialize(s *bits.Stream) error  { return s.Err() }
func (*ownNext) Serialize(s *bits.Stream) error  { return s.Err() }
func (*ownPlain) Serialize(s *bits.Stream) error { return s.Err() }

func (*ownBinary) MarshalBinary() ([]byte, error) { return nil, nil }
func (*ownBinary) UnmarshalBinary([]byte) error   { return nil }

// badOwnForms has types that serialize themselves. Their methods may pass the values to
// tagcodec.Serialize, so their tags are checked.
var badOwnForms = []bad{
	{"option", reflect.TypeFor[struct{ V ownBad }]()},
	{"in elements", fieldOf[[]*ownBad]("maxlen=3")},
	{"condition", reflect.TypeFor[struct{ V ownIf }]()},
	{"key", reflect.TypeFor[struct{ V ownKey }]()},
	{"in a struct inside", reflect.TypeFor[struct{ V ownInner }]()},
	{"in a recursive type", reflect.TypeFor[struct{ V ownLoop }]()},
	{"elements of the field", reflect.TypeFor[struct{ V ownList }]()},
	{"of a pointer to itself", reflect.TypeFor[struct{ V ownNext }]()},
	{"binary form", fieldOf[ownBinary]("binary,maxlen=3")},
}

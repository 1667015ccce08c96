package typecache_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// TestNearMisses refuses keys that are nearly bp, because they would be
// silently ignored. Keys of other packages are accepted.
func TestNearMisses(t *testing.T) {
	for _, tt := range []struct {
		tag  reflect.StructTag
		key  string // the key that the error names, or "" if there is no error
		want string // the tag that the error proposes
		why  string
	}{
		{`BP:"int,min=0,max=3"`, "BP", "int,min=0,max=3", "other letters"},
		{`Bp:"-"`, "Bp", "-", "other letters"},
		{`bP:"helth"`, "bP", "helth", "other letters, whatever the value"},
		{`json:"a" BP:"varint"`, "BP", "varint", "after another tag"},
		{`bpp:"int,min=0,max=3"`, "bpp", "int,min=0,max=3", "a letter twice"},
		{`bbp:"varint"`, "bbp", "varint", "a letter twice, and a kind alone"},
		{`BPP:"maxlen=3"`, "BPP", "maxlen=3", "both"},
		{`pb:"int,min=0,max=3"`, "pb", "int,min=0,max=3", "two letters swapped"},

		{`bp:"int,min=0,max=3" bpp:"int,min=0,max=3"`, "", "", "there is a bp tag"},
		{`bp:"" BP:"x"`, "", "", "there is a bp tag"},
		{`bpp:"pages"`, "", "", "the value is not that of a bp tag"},
		{`bpp:""`, "", "", "the value is not that of a bp tag"},
		{`pb:"varint,1,opt,name=id"`, "", "", "a protocol buffer"},
		{`pb:"bytes"`, "", "", "a protocol buffer"},
		{`bp2:"int,min=0,max=3"`, "", "", "a version of its own"},
		{`bpm:"float"`, "", "", "another word"},
		{`db:"min=0"`, "", "", "a database"},
		{`b:"min=0,max=3"`, "", "", "too short to tell"},
		{`bpm:"min=60,max=120"`, "", "", "a word of its own"},
		{`bson:"string,maxlen=3"`, "", "", "far from it"},
		{`validate:"min=0,max=3"`, "", "", "far from it"},
		{`json:"bp,omitempty"`, "", "", "in a value"},
	} {
		t.Run(string(tt.tag), func(t *testing.T) {
			typ := reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[int32](), Tag: tt.tag}})
			_, err := typecache.Build(typ, typecache.NewRegistry())
			if tt.key == "" {
				require.NoError(t, err, tt.why)
				return
			}
			require.EqualError(t, err, fmt.Sprintf("typecache: struct.A: the key %q is nearly bp, and would be ignored: "+
				"write it as `bp:%q`, or rename it", tt.key, tt.want), tt.why)
		})
	}
}

// Types with an encoding of their own. Their tags are checked all the same.
type (
	ownGood struct {
		A uint8 `bp:"max=3,min=0"`
		B chan int
		C []int
		D any
		E any `bp:"union"`
		F struct{ G func() }
		H loop
	}
	loop struct {
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
	ownRange struct {
		B chan int
		A uint8 `bp:"int,min=0,max=300"`
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
func (*ownRange) Serialize(s *bits.Stream) error { return s.Err() }
func (*ownIf) Serialize(s *bits.Stream) error    { return s.Err() }
func (*ownKey) Serialize(s *bits.Stream) error   { return s.Err() }
func (*ownInner) Serialize(s *bits.Stream) error { return s.Err() }
func (*ownList) Serialize(s *bits.Stream) error  { return s.Err() }
func (*ownNext) Serialize(s *bits.Stream) error  { return s.Err() }
func (*ownPlain) Serialize(s *bits.Stream) error { return s.Err() }

func (*ownBinary) MarshalBinary() ([]byte, error) { return nil, nil }
func (*ownBinary) UnmarshalBinary([]byte) error   { return nil }

// TestTagsOfOwnForms checks the tags of types that serialize themselves,
// because their methods may pass the values to tagcodec.Serialize.
func TestTagsOfOwnForms(t *testing.T) {
	const mx = `option "mx" is not known; did you mean "max"?`
	runBad(t, []bad{
		{"option", reflect.TypeFor[struct{ V ownBad }](), "ownBad.A: " + mx},
		{"of the type itself", reflect.TypeFor[ownBad](), "ownBad.A: " + mx},
		{"in elements", fieldOf[[]*ownBad]("maxlen=3"), "ownBad.A: " + mx},
		{"range", reflect.TypeFor[struct{ V ownRange }](), "ownRange.A: max=300 does not fit uint8: use 255 at most, or another type"},
		{"condition", reflect.TypeFor[struct{ V ownIf }](), `ownIf.A: option "if" refers to "Of", which is not an earlier field; did you mean "On"?`},
		{"key", reflect.TypeFor[struct{ V ownKey }](), "ownKey.A: the key \"BP\" is nearly bp, and would be ignored: write it as `bp:\"int,min=0,max=3\"`, or rename it"},
		{"in a struct inside", reflect.TypeFor[struct{ V ownInner }](), `ownInner.Inner.A: option "maxlen" must be an integer, not "x"`},
		{"in a recursive type", reflect.TypeFor[struct{ V ownLoop }](), "badLoop.A: " + mx},
		{"elements of the field", reflect.TypeFor[struct{ V ownList }](), `ownList.A: func() cannot be encoded: leave the field out with bp:"-"`},
		{"of a pointer to itself", reflect.TypeFor[struct{ V ownNext }](), "ownNext.Next: typecache_test.ownNext serializes itself, so that no kind or option applies to it: remove them"},
		{"binary form", fieldOf[ownBinary]("binary,maxlen=3"), "ownBinary.A: " + mx},
	})
	for _, typ := range []reflect.Type{
		reflect.TypeFor[struct{ V ownGood }](),  // fields without a tag need no encoding, and the union may be known to the codec only
		reflect.TypeFor[struct{ V ownPlain }](), // none of its own fields has a tag
	} {
		_, err := typecache.Build(typ, typecache.NewRegistry())
		require.NoError(t, err, "%v", typ)
	}
	registry := typecache.NewRegistry()
	_, err := typecache.Build(reflect.TypeFor[ownGood](), registry)
	require.NoError(t, err)
	require.NotPanics(t, func() { registry.Register(reflect.TypeFor[any](), reflect.TypeFor[uint8]()) }, "the union is not in use")
}

package typecache_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/typecache"
)

// TestGood has types that are nearly those of TestBad and have a plan.
func TestGood(t *testing.T) {
	options := badOptions()
	for _, tt := range []bad{
		{"no tag of ours, and broken", withTag(`json:a`)},
		{"no tag at all, but text", withTag(`the bpm of the song`)},
		{"our name in the value of another tag", withTag(`json:"bp"`)},
		{"quotes in a tag", withTag(`bp:"int" json:"a\"b"`)},
		{"empty tag, which is the plain form", withTag(`bp:""`)},
		{"there is a bp tag", withTag(`bp:"int,min=0,max=3" bpp:"int,min=0,max=3"`)},
		{"there is a bp tag", withTag(`bp:"" BP:"x"`)},
		{"the value is not that of a bp tag", withTag(`bpp:"pages"`)},
		{"the value is not that of a bp tag", withTag(`bpp:""`)},
		{"a protocol buffer", withTag(`pb:"varint,1,opt,name=id"`)},
		{"a protocol buffer", withTag(`pb:"bytes"`)},
		{"a database", withTag(`db:"min=0"`)},
		{"a word of its own", withTag(`bpm:"min=60,max=120"`)},
		{"in a value", withTag(`json:"bp,omitempty"`)},

		{"a sparse slice of 64 KiB", fieldOf[[]Switch]("subset=auto,by=On,maxlen=32768")},
		{"a sparse slice with a bit for each", fieldOf[[]Switch]("subset=bitmap,by=On,maxlen=2147483647")},
		{"a sparse slice that occurs once", reflect.TypeFor[struct{ S *sparse }]()},
		{"by of a subset in the elements", fieldOf[[][2]Switch]("maxlen=3,by=On,elem.subset=bitmap")},
		{"links in a slice", fieldOf[[]Signal]("link,maxlen=3")},
		{"links in a struct", fieldOf[struct{ A, B Signal }]("link")},
		{"fields that a method may send otherwise", reflect.TypeFor[struct{ V ownGood }]()},
		{"an encoding of its own, and no tag", reflect.TypeFor[struct{ V ownPlain }]()},

		{"there are no fields", reflect.TypeFor[Mark]()},
		{"blank fields are padding", reflect.TypeFor[Padded]()},
		{"fields that take no memory hold nothing", reflect.TypeFor[Pinned]()},
		{"a tag says that nothing is sent", reflect.TypeFor[LeftOut]()},
		{"a tag says so of a field that is promoted", reflect.TypeFor[Nothing]()},
		{"other fields are exported", reflect.TypeFor[Guarded]()},
		{"the mutex is left out", reflect.TypeFor[Unlocked]()},
		{"bits belong to it", reflect.TypeFor[Marked]()},
		{"fields are promoted", reflect.TypeFor[Built]()},
		{"the method Serialize is for something else", reflect.TypeFor[ToText]()},
		{"the method Serialize takes more", reflect.TypeFor[Several]()},
		{"the method serialize is not exported", reflect.TypeFor[lower]()},

		{"as much as may be", fieldOf[[1 << 16]uint8]("min=7,max=7")},
		{"with bits around", record(f[[10]uint8]("A min=7,max=7"), f[[1 << 16]uint8]("B min=7,max=7"), f[bool]("C"))},
		{"with a bit for each", reflect.TypeFor[struct {
			A [1 << 10]padding[bool, [200]uint8]
		}]()},
		{"in elements, as much as may be", fieldOf[[]padding[bool, [256]uint8]]("maxlen=4")},
		{"in elements of two bits", fieldOf[[]padding[[2]bool, [512]uint8]]("maxlen=4")},
		{"under a condition, which takes memory for a bit", fieldOf[[]chunk]("maxlen=4")},
		{"values that write themselves", reflect.TypeFor[struct{ A [1 << 10]cell }]()},
	} {
		_, err := typecache.Build(tt.typ, options)
		require.NoError(t, err, "%s: %v", tt.name, tt.typ)
	}
}

// TestUnionsOfOwnForms checks that a union in a type with an encoding of its own is not in
// use: the codec that its method calls may have other members.
func TestUnionsOfOwnForms(t *testing.T) {
	_, err := typecache.Build(reflect.TypeFor[ownGood](), typecache.Options{})
	require.NoError(t, err)
	require.NotPanics(t, func() { typecache.Register(reflect.TypeFor[ownUnion](), reflect.TypeFor[uint8]()) })
}

package typecache_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// bad is a type without a plan, and the text of its error after the prefix
// "typecache: ".
type bad struct {
	name string
	typ  reflect.Type
	text string
}

// runBad checks the whole text of each error. The text must name the struct, the
// field, the option and the fix, because users have nothing else to go by.
func runBad(t *testing.T, rows []bad) {
	t.Helper()
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			plan, err := typecache.Of(tt.typ)
			require.Nil(t, plan)
			require.EqualError(t, err, "typecache: "+tt.text)
			require.ErrorIs(t, err, typecache.ErrTag)
			var e *typecache.Error
			require.True(t, errors.As(err, &e))
			require.Equal(t, tt.typ, e.Type, "the type that was asked for, not the one at fault")
			require.Equal(t, tt.text, e.Path+": "+e.Msg)
		})
	}
}

// Types used in several tables.
type (
	Player struct {
		Health int32 `bp:"int,min=0,mx=100"`
	}
	Level uint8
	Vec3  struct{ X, Y, Z float32 }
	Mixed struct {
		X  float32
		On bool
	}
	Tagged struct {
		X float32 `bp:"half"`
		Y float32
	}
	Health struct {
		Alive  bool
		Points uint8
	}
	Pulse    struct{ Alive bool }
	Optional struct {
		N uint8 `bp:"int,min=1,max=1"`
		M uint8 `bp:"if=N==1"`
	}
	Marker struct{}
	List   []List
	Dict   map[string]Dict
	Ring   *Ring
	Tree   struct {
		Kids []Tree `bp:"maxlen=4"`
	}
	Chain struct {
		X    float32
		Next *Chain
	}
	Bush struct {
		Kids  []Bush `bp:"maxlen=4"`
		Level uint8  `bp:"enum"`
	}
	Weed struct {
		Parts []struct {
			More  []Weed `bp:"maxlen=4"`
			Level uint8  `bp:"enum"`
		} `bp:"maxlen=4"`
	}
	Squad struct {
		Leader Soldier
	}
	Soldier struct {
		Ammo uint8 `bp:"uint,bits=12"`
	}
	hidden struct{ A int32 }
	own    struct{ N int32 }
)

func (o *own) Serialize(s *bits.Stream) error {
	bits.Int(s, &o.N, 0, 9)
	return s.Err()
}

// Types used in the tables of presence and geometry.
type (
	Squadron struct {
		Names []string `bp:"maxlen=2,elem.maxlen=3"`
	}
	Budding struct {
		On   bool
		Kids []Budding `bp:"maxlen=4"`
	}
	Posed struct {
		Translation Vec3
		Rotation    [4]float32 `bp:"quat,bits=10"`
	}
	Placed struct {
		Posed
		Scale float32
	}
	Grown struct {
		Posed
		Scale int32
	}
	Stretched struct {
		Posed
		Scale [2]float32
	}
	Tiny struct {
		Posed
		Scale float32 `bp:"float,min=0,max=0.5,res=0.1"`
	}
)

// TestMalformedTags has tags with syntax errors, which reflect silently
// ignores. Their types are made at run time, because go vet rejects such tags
// in source code.
func TestMalformedTags(t *testing.T) {
	const write = ": write it as `bp:\"int,min=0,max=32\"`"
	rows := []struct {
		name string
		tag  reflect.StructTag
		text string // "" if there is no error
	}{
		{"no quotes", `bp:int`, "bad syntax for struct tag value in `bp:int`" + write},
		{"equals sign", `bp="int"`, "bad syntax for struct tag pair in `bp=\"int\"`" + write},
		{"space after the colon", `bp: "int"`, "bad syntax for struct tag value in `bp: \"int\"`" + write},
		{"no end of the quotes", `bp:"int`, "bad syntax for struct tag value in `bp:\"int`" + write},
		{"single quotes", `bp:'int'`, "bad syntax for struct tag value in `bp:'int'`" + write},
		{"tab between two tags", "json:\"a\"\tbp:\"int\"", "bad syntax for struct tag key in `json:\"a\"\tbp:\"int\"`" + write},
		{"broken tag of another package before", `json:a bp:"int"`, "bad syntax for struct tag value in `json:a bp:\"int\"`" + write},
		{"comma between two tags", `json:"a",bp:"int"`, "the key \",bp\" in `json:\"a\",bp:\"int\"` is not bp: separate tags by spaces alone"},
		{"two bp tags", `bp:"int" bp:"varint"`, "there are two bp tags: join them into one, separated by commas"},
		{"two bp tags with another between", `bp:"int" json:"a" bp:"int"`, "there are two bp tags: join them into one, separated by commas"},
		{"no tag of ours, and broken", `json:a`, ""},
		{"no tag at all, but text", `the bpm of the song`, ""},
		{"our name in the value of another tag", `json:"bp"`, ""},
		{"no space between two tags", `json:"a"bp:"int"`, "there is no space between two tags in `json:\"a\"bp:\"int\"`: separate them by one"},
		{"no space after ours", `bp:"int"json:"a\"b"`, "there is no space between two tags in `bp:\"int\"json:\"a\\\"b\"`: separate them by one"},
		{"quotes in a tag", `bp:"int" json:"a\"b"`, ""},
		{"no space between two tags of others", `json:"a"xml:"b"`, ""},
		{"other letters, and broken", `BP: "int"`, "bad syntax for struct tag value in `BP: \"int\"`" + write},
		{"space before the colon", `bp :"int"`, "bad syntax for struct tag pair in `bp :\"int\"`" + write},
		{"empty tag, which is the plain form", `bp:""`, ""},
	}
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			typ := reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[int32](), Tag: tt.tag}})
			_, err := typecache.Of(typ)
			if tt.text == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, "typecache: struct.A: "+tt.text)
		})
	}
}

package typecache_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/typecache"
)

// bad is a type without a plan.
type bad struct {
	name string
	typ  reflect.Type
}

// TestBad builds plans of types that have none. testdata/Bad.txt has the fields of each
// error that tools use, and below them its text, which must contain them all: users have
// nothing else to go by.
func TestBad(t *testing.T) {
	options := badOptions()
	var got strings.Builder
	mistakes := map[typecache.Mistake]bool{}
	for _, group := range []struct {
		name string
		rows []bad
	}{
		{"syntax", badSyntax}, {"keys that are nearly bp", badKeys}, {"tags", badTags}, {"types with an encoding of their own", badOwnForms},
		{"methods of embedded fields", badPromoted}, {"structs", badStructs}, {"values that would not be sent", badSilence}, {"sequences", badSequences}, {"stretches", badStretches},
		{"scalars", badScalars}, {"conditions", badConditions}, {"hints", badHints}, {"values without bits", badZeroBits}, {"claims", badClaims},
		{"geometry", badGeometry}, {"unions and links", badReferences}, {"presence", badPresence}, {"subsets", badSubsets},
	} {
		fmt.Fprintf(&got, "# %s\n", group.name)
		for _, row := range group.rows {
			plan, err := typecache.Build(row.typ, options)
			require.Nil(t, plan, "%s: %s: there is a plan", group.name, row.name)
			require.ErrorIs(t, err, typecache.ErrTag, row.name)
			var e *typecache.Error
			require.True(t, errors.As(err, &e), row.name)
			require.Equal(t, row.typ, e.Type, "%s: the type that was asked for, not the one at fault", row.name)
			require.Equal(t, "typecache: "+e.Path()+": "+e.Text(), err.Error(), row.name)
			require.ErrorIs(t, err, e.Mistake, row.name)
			mistakes[e.Mistake] = true
			fmt.Fprintf(&got, "%s | %s", row.name, string(e.Mistake))
			for _, part := range [][2]string{{"option", e.Option}, {"value", e.Value}, {"min", e.Min}, {"max", e.Max}, {"suggestion", e.Suggestion}} {
				if part[1] != "" {
					quoted := strconv.Quote(part[1])
					fmt.Fprintf(&got, " %s=%s", part[0], quoted)
					require.True(t, strings.Contains(e.Text(), part[1]) || strings.Contains(e.Text(), quoted), "%s: %s: %s", row.name, part[0], e.Text())
				}
			}
			fmt.Fprintf(&got, "\n\t%s: %s\n", e.Path(), e.Text())
			data, err := json.Marshal(e)
			require.NoError(t, err)
			read := &typecache.Error{Type: e.Type}
			require.NoError(t, json.Unmarshal(data, read))
			require.Equal(t, strings.ToValidUTF8(e.Error(), "?"), strings.ReplaceAll(read.Error(), "\ufffd", "?"), row.name)
			require.Equal(t, e.Mistake, read.Mistake, row.name)
		}
	}
	golden(t, "Bad", got.String())
	require.Len(t, mistakes, 15, "all but MistakeSize")
}

// golden compares a text with a file in testdata, or writes the file if the flag
// -update is set.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// f returns a field of type T. The text is its name and, after a space, its bp tag
// if it has one.
func f[T any](text string) reflect.StructField {
	name, tag, tagged := strings.Cut(text, " ")
	field := reflect.StructField{Name: name, Type: reflect.TypeFor[T]()}
	if tagged {
		field.Tag = reflect.StructTag(`bp:"` + tag + `"`)
	}
	if !token.IsExported(name) {
		field.PkgPath = "github.com/gobitpack/bitpack/typecache_test"
	}
	return field
}

// record returns a struct type with these fields.
func record(fields ...reflect.StructField) reflect.Type { return reflect.StructOf(fields) }

// fieldOf returns a struct type with one field, A of type T, that has a bp tag.
func fieldOf[T any](tag string) reflect.Type { return record(f[T]("A " + tag)) }

// withTag returns a struct type with one field, A of type int32, that has a tag. Tags
// with wrong syntax are made at run time, because go vet rejects them in source code.
func withTag(tag reflect.StructTag) reflect.Type { return typed[int32](tag) }

// typed is withTag for a field of type T.
func typed[T any](tag reflect.StructTag) reflect.Type {
	return record(reflect.StructField{Name: "A", Type: reflect.TypeFor[T](), Tag: tag})
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

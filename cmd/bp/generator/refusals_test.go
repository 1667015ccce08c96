package generator

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/typecache"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

type (
	plain struct {
		A uint8  `bp:"bits=3"`
		B string `bp:"maxlen=9"`
		C float32
	}
	nobody struct {
		A uint8
		E interface{ nobody() } `bp:"union"`
	}
	wrong struct {
		A  uint8
		In struct {
			B uint8 `bp:"min=3"`
		}
	}
	c9    struct{ A uint8 } // like a local variable
	wide  struct{ A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P [3]*uint8 }
	wider struct{ A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P wide }
	most  struct{ A, B, C, D, E, F, G, H, I, J wider }
	large struct {
		A uint8
		B [1 << 14][1 << 12]uint64
	}
	itself struct{ A uint8 }
	once   struct {
		A uint8
		B itself
	}
	generic[T any] struct{ A T }
	onlyMap        struct {
		A map[bool]uint8 `bp:"maxlen=2"`
	}
	event interface{ event() }
	hit   struct{ Damage uint8 }
	miss  struct{ By uint8 }
	feed  struct {
		A uint8
		E event `bp:"union"`
	}
)

func (hit) event()   {}
func (*miss) event() {}

func (o *itself) Serialize(s *bits.Stream) error {
	bits.Bits(s, &o.A, 3)
	return s.Err()
}

func init() { tagcodec.RegisterUnion[event](hit{}, &miss{}) }

var pkgPath = reflect.TypeFor[plain]().PkgPath()

// A type without code has a note with the reason, and does not keep others from
// having code.
func TestWithoutCode(t *testing.T) {
	code := reflect.TypeFor[plain]()
	for _, row := range []struct {
		typ  reflect.Type
		want string
	}{
		{reflect.TypeFor[nobody](), "it has a union without members that bp sees"},
		{reflect.TypeFor[c9](), "generated code has a local variable of this name: rename the type"},
		{reflect.TypeFor[generic[int8]](), "the package cannot name it"},
		{reflect.TypeFor[bits.Uint128](), "the package cannot name it"},
		{reflect.TypeFor[most](), "it has 12801 ops, more than 4000"},
		{reflect.TypeFor[once](), "it has values with methods of their own, which must be called once"},
		{reflect.TypeFor[large](), "its messages are too large"},
		{reflect.TypeFor[onlyMap](), "the engine handles all of its values"},
	} {
		source, notes, err := File(pkgPath, "generator", []reflect.Type{row.typ, code}, nil, nil)
		require.NoError(t, err, row.typ)
		require.Equal(t, []string{row.typ.String() + " is left to the engine: " + row.want}, notes)
		require.Contains(t, string(source), "bitpackCodeplain.Register(")
		require.Equal(t, 1, strings.Count(string(source), ".Register("), row.typ)
	}
	source, notes, err := File(pkgPath, "generator", []reflect.Type{reflect.TypeFor[onlyMap]()}, nil, nil)
	require.NoError(t, err)
	require.Len(t, notes, 1)
	require.Equal(t, Header+"\n//go:build !bitpack_nogen\n\npackage generator\n", string(source))
}

// The names of generated code may be those of something else in the package.
func TestTakenNames(t *testing.T) {
	types := []reflect.Type{reflect.TypeFor[onlyMap](), reflect.TypeFor[plain]()}
	for _, name := range []string{"bitpackCodeplain", "bitpackAppendplain", "bitpackReadplain"} {
		_, _, err := File(pkgPath, "generator", types, Names{"plain", name}, nil)
		require.EqualError(t, err, "the package declares "+name+", the name of generated code for plain: rename it")
	}
	_, _, err := File(pkgPath, "generator", types, Names{"plain", "bitpackRead", "bitpackReadonlyMap", "bitpackReadPlain"}, nil)
	require.NoError(t, err, "onlyMap has no code")
}

// A union has code only if the file may name all of its members.
func TestMembers(t *testing.T) {
	for _, row := range []struct {
		members Names
		want    bool
	}{{Names{"hit", "miss"}, true}, {Names{"hit"}, false}, {Names{"miss"}, false}} {
		source, notes, err := File(pkgPath, "generator", []reflect.Type{reflect.TypeFor[feed]()}, nil, row.members)
		require.NoError(t, err)
		require.Empty(t, notes)
		require.Equal(t, row.want, strings.Contains(string(source), "bitpackCodefeed.Union(0, genrt.Type[hit](), genrt.Type[*miss]())\n"), row.members)
		require.Equal(t, row.want, !strings.Contains(string(source), "genrt.Part{"), row.members)
	}
}

// The names that the package declares have another meaning in the file.
func TestTaken(t *testing.T) {
	types := []reflect.Type{reflect.TypeFor[plain]()}
	for _, name := range []string{"uint64", "byte", "len", "nil"} {
		_, _, err := File(pkgPath, "generator", types, Names{"x", name}, nil)
		require.EqualError(t, err, "the package declares "+name+", which generated code needs in its usual meaning: rename it")
	}
	source, _, err := File(pkgPath, "generator", types, Names{"any", "genrt", "binary", "binarypkg", "math"}, nil)
	require.NoError(t, err)
	for _, want := range []string{
		"\tbinarypkgpkg \"encoding/binary\"\n\tmathpkg \"math\"\n\n\tgenrtpkg \"github.com/gobitpack/bitpack/tagcodec/genrt\"\n)",
		"mathpkg.Float32bits(v.C)", "binarypkgpkg.LittleEndian.", "genrtpkg.Code[plain]\n",
	} {
		require.Contains(t, string(source), want)
	}
	require.NotRegexp(t, `[^a-z"/](genrt|binary|math)\.`, string(source))
}

func TestImportable(t *testing.T) {
	n := newNames("example.com/game/net", nil, nil)
	for path, want := range map[string]bool{
		"time": true, "example.com/other": true, "example.com/game/internal/a": true, "example.com/game/net/internal": true,
		"example.com/game/net/internal/a": true, "example.com/game/network/internal/a": false, "example.com/internal/a": true, "other.com/internal": false,
		"internal/abi": false, "example.com/game/ne/internal/a": false, "example.com/internals": true,
	} {
		require.Equal(t, want, n.importable(path), path)
	}
}

// Probe writes what File returns.
func TestProbe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out")
	t.Setenv("BITPACK_PROBE", file)
	probe := func(taken Names, types ...reflect.Type) (r Result) {
		Probe(t, pkgPath, "generator", types, taken, nil)
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &r))
		return r
	}
	source, notes, err := File(pkgPath, "generator", []reflect.Type{reflect.TypeFor[plain](), reflect.TypeFor[nobody]()}, nil, nil)
	require.NoError(t, err)
	require.Equal(t, Result{Source: string(source), Notes: notes}, probe(nil, reflect.TypeFor[plain](), reflect.TypeFor[nobody]()))
	_, err = typecache.Of(reflect.TypeFor[wrong]())
	got := probe(nil, reflect.TypeFor[plain](), reflect.TypeFor[wrong]())
	require.Equal(t, "wrong", got.Type)
	got.Wrong.Type = reflect.TypeFor[wrong]() // which is not JSON
	require.Equal(t, err, error(got.Wrong))
	require.Equal(t, "the package declares nil, which generated code needs in its usual meaning: rename it", probe(Names{"nil"}, reflect.TypeFor[plain]()).Error)

	t.Setenv("BITPACK_PROBE", filepath.Join(file, "none"))
	var failed failing
	Probe(&failed, pkgPath, "generator", nil, nil, nil)
	require.Equal(t, 1, int(failed))
}

// failing counts failures.
type failing int

func (f *failing) Fatal(...any) { *f++ }

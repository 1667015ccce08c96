package typecache_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

func planOf(t *testing.T, typ reflect.Type) *plan.Plan {
	t.Helper()
	plan, err := typecache.Of(typ)
	require.NoError(t, err)
	return sealed.PlanOf(plan)
}

// TestSameHash has types that differ in ways that do not affect the wire
// format. Peers that run different programs compare hashes, so these types must
// have the same hash.
func TestSameHash(t *testing.T) {
	type (
		near struct {
			Health int8   `bp:"int,min=0,max=100"`
			Name   string `bp:"maxlen=16"`
		}
		far struct {
			HP    uint64 `bp:"max=0x64,min=0"`
			Label []byte `bp:"string,maxlen=16"`
		}
	)
	tests := []struct {
		name string
		a, b reflect.Type
	}{
		{"names, storage and the spelling of options", reflect.TypeFor[near](), reflect.TypeFor[far]()},
		{"varint of int is one of 64 bits", fieldOf[int]("varint"), fieldOf[int64]("varint")},
		{"enum is int from 0", fieldOf[uint8]("enum,max=6"), fieldOf[int32]("int,min=0,max=6")},
		{"fixed is a range of raw integers", fieldOf[int32]("fixed,frac=8,min=-1,max=1"), fieldOf[int16]("int,min=-256,max=256")},
		{"relative in any storage that holds it", fieldOf[int32]("relative,base=4"), fieldOf[int64]("relative,base=4")},
		{"angle of either float", fieldOf[float32]("angle,bits=9,unit=deg"), fieldOf[float64]("angle,res=0.8,unit=deg")},
		{"res and bits of as many steps", fieldOf[float32]("float,min=0,max=255,res=1"), fieldOf[float32]("float,min=0,max=255,bits=8")},
		{"text in an array", fieldOf[[17]byte]("cstring"), fieldOf[string]("string,maxlen=16")},
		{"fields that are left out", record(f[bool]("A"), f[func()]("B -"), f[int]("c")), reflect.TypeFor[struct{ A bool }]()},
		{"the key of elements", fieldOf[uint32]("varint,key"), fieldOf[uint32]("varint")},
		{"predictions and steps", fieldOf[[]uint8]("bits=3,maxlen=4,step=auto,pred=hold"), fieldOf[[]uint8]("bits=3,maxlen=4")},
		{"names of what a condition is on", record(f[bool]("On"), f[uint8]("A if=On")), record(f[bool]("Off"), f[uint8]("A if=Off"))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := planOf(t, tt.a), planOf(t, tt.b)
			require.Equal(t, a.Text(), b.Text())
			require.Equal(t, a.Hash(), b.Hash())
			require.Equal(t, a.MinBits, b.MinBits)
			require.Equal(t, a.MaxBits, b.MaxBits)
		})
	}
}

// TestOtherHash has rows in which every tag differs from the first one in one
// option and has a different wire format. No two texts of a row are equal.
func TestOtherHash(t *testing.T) {
	tests := []struct {
		name string
		typ  reflect.Type
		tags []string
	}{
		{"plain", reflect.TypeFor[uint32](), []string{"", "varint", "uint,bits=31", "uint,min=0,max=0xFFFFFFFE", "-"}},
		{"int, bits", reflect.TypeFor[int32](), []string{"int,bits=9", "int,bits=8", "int", "varint", "min=-256,max=255"}},
		{"int", reflect.TypeFor[int32](), []string{"int,min=-5,max=5", "int,min=-4,max=5", "int,min=-5,max=4", "int,min=-6,max=4"}},
		{"enum", reflect.TypeFor[uint8](), []string{"enum,max=6", "enum,max=7", "enum,max=5"}},
		{"fixed", reflect.TypeFor[int32](), []string{"fixed,frac=8,min=-1,max=1", "fixed,frac=7,min=-1,max=1", "fixed,frac=8,min=0,max=1", "fixed,frac=8,min=-1,max=2"}},
		{"wide", reflect.TypeFor[bits.Int128](), []string{"", "int,min=0,max=1", "int,min=-1,max=1", "int,min=0,max=2", "fixed,frac=1,min=0,max=2", "fixed,frac=2,min=0,max=2"}},
		{"varint", reflect.TypeFor[int32](), []string{"varint", ""}},
		{"expgolomb", reflect.TypeFor[int32](), []string{"expgolomb", "expgolomb,k=1", "varint"}},
		{"relative", reflect.TypeFor[int32](), []string{"relative,base=4", "relative,base=5", "varint"}},
		{"float", reflect.TypeFor[float32](), []string{"", "half", "float,min=0,max=10,res=0.1", "float,min=0,max=10,res=0.2",
			"float,min=1,max=11,res=0.1", "float,min=0,max=10.5,res=0.1", "float,min=0,max=10,bits=7", "float,min=0,max=10,bits=8"}},
		{"float64", reflect.TypeFor[float64](), []string{"", "float,min=0,max=10,res=0.1", "float,min=0,max=10,res=0.2",
			"float,min=1,max=11,res=0.1", "float,min=0,max=10.5,res=0.1", "float,min=0,max=10,bits=7"}},
		{"angle", reflect.TypeFor[float32](), []string{"angle,bits=8", "angle,bits=9", "angle,bits=8,unit=deg", "angle,res=0.4,unit=deg"}},
		{"string", reflect.TypeFor[string](), []string{"string,maxlen=8", "string,maxlen=9", "wstring,maxlen=8", "wstring,maxlen=9", "bytes,maxlen=8", "bytes,maxlen=9", "bytes,maxlen=8,minlen=1"}},
		{"bytes", reflect.TypeFor[[]byte](), []string{"bytes,maxlen=8", "bytes,maxlen=9", "bytes,maxlen=8,minlen=2", "string,maxlen=8", "uint,maxlen=8", "uint,bits=7,maxlen=8"}},
		{"array of bytes", reflect.TypeFor[[8]byte](), []string{"bytes", "cstring", "", "bits=7", "-"}},
		{"slice", reflect.TypeFor[[]int32](), []string{"maxlen=8", "maxlen=9", "maxlen=8,minlen=1", "varint,maxlen=8",
			"min=0,max=3,maxlen=8", "relative,maxlen=8", "relative,base=0,maxlen=8", "relative,base=-2,maxlen=8"}},
		{"stretches", reflect.TypeFor[[8]int16](), []string{"", "rle", "bits=4,rle", "bits=4"}},
		{"stretches in a slice", reflect.TypeFor[[]int16](), []string{"maxlen=8", "rle,maxlen=8", "rle,maxlen=9", "rle,maxlen=8,minlen=1", "bits=4,rle,maxlen=8", "rle,minlen=8,maxlen=8"}},
		{"slice of slices", reflect.TypeFor[[][]int8](), []string{"maxlen=8,elem.maxlen=4", "maxlen=8,elem.maxlen=5", "maxlen=9,elem.maxlen=4", "maxlen=8,elem.maxlen=4,elem.minlen=1"}},
		{"map", reflect.TypeFor[map[int16]int16](), []string{"maxlen=8", "maxlen=9", "maxlen=8,minlen=1", "maxlen=8,min=0,max=3", "maxlen=8,key.min=0,key.max=3",
			"maxlen=8,key.min=1,key.max=3", "maxlen=8,key.min=0,key.max=4", "maxlen=8,key.bits=9", "maxlen=8,bits=9", "maxlen=8,key.kind=varint", "maxlen=8,key.kind=relative", "maxlen=8,key.kind=relative,key.base=3"}},
		{"pointer", reflect.TypeFor[*int16](), []string{"", "min=0,max=3", "varint"}},
		{"binary", reflect.TypeFor[time.Time](), []string{"binary,maxlen=16", "binary,maxlen=17", "-"}},
		{"align", reflect.TypeFor[struct{}](), []string{"", "align", "reserved,bits=1", "reserved,bits=2", "const,bits=2,value=1", "const,bits=2,value=2", "const,bits=3,value=1", "check", "check,value=1"}},
		{"condition", reflect.TypeFor[uint8](), []string{"", "if=On", "if=!On", "if=N", "if=!N", "if=N==2", "if=N==3", "if=N!=2", "if=N!=3", "if=N&2", "if=N&3", "if=M", "if=M==2", "min=0,max=254,if=N"}},
		{"optional and common", reflect.TypeFor[int32](), []string{"", "optional", "common=0", "common=1", "common=0|1", "common=1|0",
			"common=0|1|2", "min=0,max=9,common=0", "varint,common=0"}},
		{"huffman", reflect.TypeFor[uint8](), []string{"huffman=0:9|*:1", "huffman=1:9|*:1", "huffman=0:9|1:3|*:1", "huffman=0:1|1:3|*:9",
			"huffman=0:9|1:3", "bits=4,huffman=0:9|*:1"}},
		{"common text", reflect.TypeFor[string](), []string{"maxlen=8", "maxlen=8,common=a", "maxlen=8,common=b", "maxlen=8,common=a|b"}},
		{"subset", reflect.TypeFor[[]Health](), []string{"maxlen=8", "maxlen=8,subset=bitmap,by=Alive", "maxlen=9,subset=bitmap,by=Alive",
			"maxlen=8,subset=index,by=Alive", "maxlen=8,subset=sentinel,by=Alive", "maxlen=8,subset=relative,by=Alive", "maxlen=8,subset=auto,by=Alive"}},
		{"quat", reflect.TypeFor[[4]float32](), []string{"", "quat,bits=10", "quat,bits=11", "quat,mode=sign,bits=10", "quat,mode=sign,bits=11"}},
		{"unit", reflect.TypeFor[[3]float64](), []string{"", "unit,bits=10", "unit,bits=11"}},
		{"affine", reflect.TypeFor[[16]float32](), []string{"", "affine", "affine,bits=10", "affine,min=-1,max=1,res=0.1", "affine,min=-1,max=1,res=0.1,bits=10"}},
		{"link", reflect.TypeFor[*Health](), []string{"", "link", "link,bits=16"}},
		{"to", reflect.TypeFor[uint8](), []string{"relative,to=N", "relative,to=M", "relative,base=1", "relative,to=N,if=N"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			texts, hashes := map[string]string{}, map[[32]byte]string{}
			for _, tag := range tt.tags {
				plan := planOf(t, reflect.StructOf([]reflect.StructField{
					{Name: "On", Type: reflect.TypeFor[bool]()},
					{Name: "N", Type: reflect.TypeFor[uint8]()},
					{Name: "M", Type: reflect.TypeFor[int8]()},
					{Name: "A", Type: tt.typ, Tag: reflect.StructTag(`bp:"` + tag + `"`)},
					{Name: "End", Type: reflect.TypeFor[bool]()},
				}))
				require.Empty(t, texts[plan.Text()], "%s has the text of the other", tag)
				require.Empty(t, hashes[plan.Hash()], "%s has the hash of the other", tag)
				texts[plan.Text()], hashes[plan.Hash()] = "bp:"+tag, "bp:"+tag
				require.Equal(t, sha256.Sum256([]byte(plan.Text())), plan.Hash())
			}
		})
	}
}

// TestOtherTypes checks that types that differ in more than their tags have
// different texts, where no text of a row elsewhere shows it.
func TestOtherTypes(t *testing.T) {
	for _, tt := range [][2]reflect.Type{
		{fieldOf[float32]("min=0,max=1,res=0.125"), fieldOf[float64]("min=0,max=1,res=0.125")},
		{fieldOf[int32]("varint"), fieldOf[int64]("varint")},
		{fieldOf[uint16]("relative,base=0"), fieldOf[uint32]("relative,base=0")},
		{record(f[[]uint8]("A bits=8,maxlen=3"), f[uint8]("B")), fieldOf[[]struct{ A, B uint8 }]("maxlen=3")},
		{reflect.TypeFor[custom](), reflect.TypeFor[own]()},
		{reflect.TypeFor[[2]custom](), fieldOf[[]custom]("minlen=2,maxlen=2")}, // in an array it may take no bits
		{fieldOf[time.Time]("binary,maxlen=18"), fieldOf[netip.Addr]("binary,maxlen=18")},
		{fieldOf[map[uint8]bool]("maxlen=1,key.min=3,key.max=3"), fieldOf[map[bool]uint8]("maxlen=1,min=3,max=3")},
	} {
		require.NotEqual(t, planOf(t, tt[0]).Text(), planOf(t, tt[1]).Text(), "%v and %v", tt[0], tt[1])
	}
}

// TestHashIsStable compares hashes with fixed values. A protocol id is derived
// from the hash, which must be the same in every build and on every machine.
func TestHashIsStable(t *testing.T) {
	for name, tt := range map[string]struct {
		typ  reflect.Type
		hash string
	}{
		"Scalars":       {reflect.TypeFor[Scalars](), "0b850729329603a690b96818d086e3249ed273af8f17edca398ea270f5c82fef"},
		"EntityUpdates": {reflect.TypeFor[EntityUpdates](), "4fde9189480f3d85a6c286d036ba3bcc7f40ea503ecf38c335d72f1fcbf4f464"},
	} {
		hash := planOf(t, tt.typ).Hash()
		require.Equal(t, tt.hash, hex.EncodeToString(hash[:]), name)
	}
}

// mode=three says what a rotation is without it.
func TestModeThree(t *testing.T) {
	for _, typ := range [][2]reflect.Type{
		{fieldOf[[4]float32]("quat,bits=9"), fieldOf[[4]float32]("quat,mode=three,bits=9")},
		{fieldOf[[16]float32]("affine,bits=9"), fieldOf[[16]float32]("affine,mode=three,bits=9")},
	} {
		plain, err := typecache.Of(typ[0])
		require.NoError(t, err)
		three, err := typecache.Of(typ[1])
		require.NoError(t, err)
		require.Equal(t, plain.Text(), three.Text())
		require.Equal(t, plain.Hash(), three.Hash())
	}
}

package analyzer

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/typecache"
)

// words are likely in tags, and known to the library in another spelling or not at
// all: abbreviations, plurals, and words of encoding/json, struc, restruct, binstruct,
// protobuf, kaitai, C# and others. Each group has a part of what the library says. A
// group that begins with = has misspellings, and the word that the library suggests.
var words = []struct{ answer, words string }{
	{"one byte order", "big little be le BE LE big-endian BigEndian LittleEndian endian Endianness network netorder native order byteorder msb lsb msbfirst u2be s4le f4be int16be uint32le"},
	{"sends its own length", "len length size Size Length count Count num cap sizeof SizeOf sizefrom lenfrom sizefield countof countfrom FieldLength FieldCount SizeConst prefix"},
	{"sends its length before it", "until terminator eos size-eos repeat-until rest nullterm strz zstring cstr asciiz"},
	{"without gaps", "skip offset FieldOffset seek pos repeat pad padding Pack pack packed fill"},
	{"write optional", "omitempty omitzero opt nullable present"},
	{"leave a field out", "ignore exclude omit private"},
	{"Go type says it", "inline squash embed embedded flatten array list slice map struct ptr pointer repeated rep type int8 int16 uint8 uint32 float32 byte rune bool"},
	{"Go type says the size", "int24 uint24 sint32 sint64 fixed32 fixed64 sfixed32 u1 u2 u4 s8 f4 b3 i32 float24"},
	{"without names or numbers", "1 2 17 req required name Name json id index ordinal proto3"},
	{"if=Field", "when cond condition ifdef unless exists has"},
	{"if=Kind==3", "switch case oneof variant choice"},
	{"no versions", "since version deprecated"},
	{"three decimals are res=0.001", "dec decimal decimals digits places prec precision scale resolution quant quantize quantized step_size eps epsilon tolerance factor"},
	{"bits=N for N bits", "bit bitsize bitlen BitLength nbits width FieldBitLength bitfield"},
	{"bounds of a number", "range lo hi low high lower upper minimum maximum limit lte gte clamp between from mid"},
	{"common=V", "default def initial"},
	{"const,bits=8", "magic literal constant equals valid contents assert"},
	{"no checksum", "crc crc32 checksum hash mac hmac"},
	{"not LEB128", "leb128 uleb128 zigzag vlq var"},
	{"expgolomb, with", "golomb ue se rice"},
	{"half on a float32", "float16 f16 fp16"},
	{"angle,bits=N", "deg degrees rad radians yaw rot"},
	{"four floats", "quad quaternion rotation orientation"},
	{"unit,bits=10", "dir direction normal vec vec3 vector"},
	{"affine", "mat mat4 matrix transform"},
	{"string,maxlen=N, in UTF-8", "str text utf8 char encoding CharSet ascii"},
	{"UTF-16", "utf16 wchar wstr"},
	{"bytes,maxlen=N on a slice", "raw blob data buffer buf hex base64"},
	{"a bool takes 1 bit", "flag flags boolean"},
	{"min= and max=, make it smaller", "signed unsigned integer double long"},
	{"fixed,frac=N", "q fraction frag"},
	{"relative,to=Field", "pre prev previous last diff rel"},
	{"binary,maxlen=20", "time timestamp date unix"},
	{"by their ranges", "gzip compress zip"},
	{"known are ", "color weight speed health team damage foo gain hash2 ints angles strings values keys floats units bases reserve cons byt mi ma ra bt fle"},
	{"=min", "Min MIN mni mn minn"},
	{"=max", "Max mx amx maax"},
	{"=maxlen", "maxLen MaxLen max_len max-len MAX_LEN mxlen maxlne"},
	{"=minlen", "minLen min_len minnlen"},
	{"=bits", "Bits BITS bist bts"},
	{"=int", "Int imt itn intt"},
	{"=uint", "Uint UINT"},
	{"=float", "Float flaot flot"},
	{"=string", "String strng stirng"},
	{"=bytes", "Bytes bytess"},
	{"=optional", "Optional optinal"},
	{"=relative", "Relative realtive"},
	{"=huffman", "hufman Huffman huffmann"},
	{"=varint", "VarInt var_int vraint"},
	{"=min=0", "min:0"},
	{"=maxlen=7", "maxlen:7"},
}

// wordTypes are types of fields that the words are tried on.
var wordTypes = []reflect.Type{
	reflect.TypeFor[int32](), reflect.TypeFor[float32](), reflect.TypeFor[string](), reflect.TypeFor[[]byte](),
	reflect.TypeFor[[4]float32](), reflect.TypeFor[bool](), reflect.TypeFor[struct{}](),
}

// TestWords tries likely words as kinds and as options. Each is an error with the
// answer of the table, and the fix of vet changes only what is a misspelling.
func TestWords(t *testing.T) {
	tried := 0
	for _, group := range words {
		right, misspelled := strings.CutPrefix(group.answer, "=")
		for word := range strings.FieldsSeq(group.words) {
			tried++
			for _, typ := range wordTypes {
				for _, format := range []string{"%s", "%s=3", "min=0,%s,max=3", "maxlen=3,elem.%s=3", "%s,min=0,max=1,res=0.1"} {
					if misspelled && !fits(right, format) {
						continue
					}
					tag := `bp:"` + fmt.Sprintf(format, word) + `"`
					e := refusal(typ, tag)
					require.NotNil(t, e, "%v %s", typ, tag)
					msg := e.Text()
					fixed, _ := fixTag(tag, e)
					if !misspelled {
						require.Contains(t, msg, group.answer, tag)
						require.Equal(t, tag, fixed, msg)
						continue
					}
					require.True(t, strings.HasSuffix(e.Suggestion, right), tag)
					require.Equal(t, `bp:"`+fmt.Sprintf(format, right)+`"`, fixed, msg)
				}
			}
		}
	}
	require.Greater(t, tried, 250)
}

// fits reports whether a word may stand where a format has %s: a kind comes first, and
// there is no second value.
func fits(word, format string) bool {
	kinds := []string{"int", "uint", "float", "string", "bytes", "relative", "varint"}
	if slices.Contains(kinds, word) {
		return strings.HasPrefix(format, "%s") && format != "%s=3"
	}
	return !strings.Contains(word, "=") || !strings.Contains(format, "%s=3")
}

// refusal returns what the library says about a field with a tag, between others.
func refusal(t reflect.Type, tag string) (e *typecache.Error) {
	s := reflect.StructOf([]reflect.StructField{
		{Name: "On", Type: reflect.TypeFor[bool]()}, {Name: "One", Type: reflect.TypeFor[uint8]()}, {Name: "Form", Type: reflect.TypeFor[bool]()},
		{Name: "A", Type: t, Tag: reflect.StructTag(tag)}, {Name: "Velocity", Type: reflect.TypeFor[int32]()},
	})
	_, err := typecache.Build(s, typecache.Options{})
	errors.As(err, &e)
	return e
}

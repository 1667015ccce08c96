package enginetest

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/integer"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/internal/values"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
	"github.com/gobitpack/bitpack/typecache"
)

// The types of the messages below.
type (
	point struct {
		X, Y int16 `bp:"int,min=-300,max=300"`
	}
	object struct {
		Alive bool
		Pos   [3]float32  `bp:"float,min=0,max=10,res=0.01"`
		Grid  [2][3]uint8 `bp:"uint,min=1,max=5"`
	}
	scene struct {
		Objects []object         `bp:"maxlen=3"`
		Names   map[string]point `bp:"maxlen=3,key.maxlen=7"`
	}
	numbers struct {
		Signed   int64  `bp:"int,min=9223372036854775800,max=9223372036854775807"`
		Unsigned uint64 `bp:"uint,min=18446744073709551610,max=18446744073709551615"`
	}
	waves struct {
		Amp complex64 `bp:"float,min=-1,max=1,res=0.5"`
	}
	texts struct {
		Name  string   `bp:"maxlen=4"`
		Wide  string   `bp:"wstring,maxlen=4"`
		Blob  []byte   `bp:"bytes,minlen=1,maxlen=3"`
		Label [4]byte  `bp:"cstring"`
		Raw   [2]byte  `bp:"bytes"`
		Known struct{} `bp:"const,bits=4,value=9"`
		Spare struct{} `bp:"reserved,bits=4"`
	}
	listed struct {
		Code  uint8       `bp:"huffman=5:2|6:1|9:1"`
		Word  string      `bp:"maxlen=7,huffman=win:2|*:1"`
		Level float32     `bp:"common=0.5"`
		Big   bits.Int128 `bp:"huffman=-1:1|2:1"`
		Each  [2]int8     `bp:"huffman=1:1|-2:1"`
	}
	aligned struct {
		On  bool
		Pad struct{} `bp:"align"`
		End struct{} `bp:"check,value=0xCAFEF00D"`
	}
	varints struct {
		Small int8   `bp:"varint"`
		Large uint64 `bp:"varint"`
	}
	stretches struct {
		Few  [4]uint8 `bp:"uint,min=0,max=4,rle"`
		Many []int8   `bp:"int,bits=3,rle,minlen=1,maxlen=8"`
	}
	golombs struct {
		Small int8   `bp:"expgolomb"`
		Large uint64 `bp:"expgolomb,k=1"`
	}
	relatives struct {
		IDs  []uint16 `bp:"relative,maxlen=7"`
		From int32    `bp:"int,min=-8,max=7"`
		To   uint8    `bp:"relative,to=From"`
	}
	wides struct {
		U bits.Uint128 `bp:"int,min=3,max=0xffffffffffffffffffffffffffffffff"`
		I bits.Int128  `bp:"int,min=5,max=0x7fffffffffffffffffffffffffffffff"`
		N bits.Int128  `bp:"int,min=-2,max=1"`
	}
	ordered struct {
		Scores map[int8]bool   `bp:"maxlen=3"`
		Flags  map[bool]*point `bp:"maxlen=2"`
	}
	fewKeys struct {
		A map[bool]uint8 `bp:"maxlen=20000"`
		B map[uint8]bool `bp:"maxlen=100,key.min=1,key.max=2"`
	}
	fixedSize struct {
		A uint32
		B bool
	}
	unpaid struct {
		Items []free `bp:"maxlen=3"`
	}
	own struct {
		Luck [2]lucky
		Word word `bp:"binary,maxlen=4"`
	}
	pointed struct {
		At *point
	}
	longTexts struct {
		Name string `bp:"maxlen=2147483647"`
		Wide string `bp:"wstring,maxlen=2147483647"`
	}
	vast struct { // just below a quarter of the bits that an int can count, in no memory
		Marks [math.MaxInt / 64]struct {
			_ struct{} `bp:"const,bits=16,value=1"`
		}
	}
	vasts struct {
		All []vast `bp:"maxlen=7"`
	}
	manyVasts struct {
		Of []vasts `bp:"maxlen=31"`
	}
)

// packet returns the message that f writes.
func packet(f func(w *bits.Writer)) []byte {
	w := bits.NewAppendWriter(nil)
	f(w)
	if w.Err() != nil {
		panic(w.Err())
	}
	return w.Bytes()
}

// words returns the message of pairs of a number and its width in bits. Higher
// bits of the number are ignored.
func words(pairs ...uint64) []byte {
	return packet(func(w *bits.Writer) {
		for i := 0; i < len(pairs); i += 2 {
			w.WriteBits(pairs[i]&(1<<pairs[i+1]-1), int(pairs[i+1]))
		}
	})
}

const ones = math.MaxUint64

func TestUnmarshalRefuses(t *testing.T) {
	allOnes := []byte(strings.Repeat("\xff", 40))
	rows := []struct {
		name  string
		into  any
		data  []byte
		path  string
		bit   int
		cause bits.Error
	}{
		{"an integer above its range", new(point), words(601, 10, 0, 10),
			"point.X", 0, bits.Error{Err: tagcodec.ErrRange, Value: int64(301), Min: int64(-300), Max: int64(300)}},
		{"an integer that no int64 holds", new(numbers), allOnes[:3],
			"numbers.Unsigned", 3, bits.Error{Err: tagcodec.ErrRange, Value: bits.Uint128{Lo: 1, Hi: 1}, Min: uint64(math.MaxUint64 - 5), Max: uint64(math.MaxUint64)}},
		{"a float's code in an array of a struct in a slice", new(scene), words(2, 2, 0, 1, 0, 10, 0, 10, 0, 10, 0, 18, 1, 1, 7, 10, 1001, 10, 0, 32),
			"scene.Objects[1].Pos[1]", 62, bits.Error{Err: tagcodec.ErrRange, Value: uint64(1001), Min: uint64(0), Max: uint64(1000)}},
		{"an array of arrays", new(object), words(0, 31, 0, 12, 5, 3, 0, 3, 0, 2),
			"object.Grid[1][1]", 43, bits.Error{Err: tagcodec.ErrRange, Value: uint64(6), Min: uint64(1), Max: uint64(5)}},
		{"the imaginary part", new(waves), words(4, 3, 5, 3),
			"waves.Amp.imag", 3, bits.Error{Err: tagcodec.ErrRange, Value: uint64(5), Min: uint64(0), Max: uint64(4)}},
		{"a value of a map", new(scene), words(0, 2, 1, 2, 1, 3, 0, 1, '"', 8, 0, 10, 1023, 10, 0, 4),
			`scene.Names["\""].Y`, 26, bits.Error{Err: tagcodec.ErrRange, Value: int64(723), Min: int64(-300), Max: int64(300)}},
		{"in the target of a pointer", new(pointed), words(1, 1, 0, 10, 601, 10),
			"pointed.At.Y", 11, bits.Error{Err: tagcodec.ErrRange, Value: int64(301), Min: int64(-300), Max: int64(300)}},

		{"a string longer than it may be", new(texts), words(7, 3),
			"texts.Name", 0, bits.Error{Err: tagcodec.ErrLength, Value: 7, Min: 0, Max: 4}},
		{"a wstring longer than it may be", new(texts), words(0, 3, 0, 5, 5, 3, 0, 64),
			"texts.Wide", 8, bits.Error{Err: tagcodec.ErrLength, Value: 5, Min: 0, Max: 4}},
		{"bytes more than there may be", new(texts), words(0, 8, 0, 3, 3, 2, 0, 64),
			"texts.Blob", 11, bits.Error{Err: tagcodec.ErrLength, Value: 4, Min: 1, Max: 3}},
		{"more entries than there are keys", new(fewKeys), words(3, 15, 0, 64),
			"fewKeys.A", 0, bits.Error{Err: tagcodec.ErrLength, Value: 3, Min: 0, Max: 2}},
		{"a value that serializes itself in 0 bits", new(unpaid), words(2, 2),
			"unpaid.Items[0]", 2, bits.Error{Err: tagcodec.ErrLength, Value: 0, Min: 1, Max: math.MaxInt}},

		{"nothing at all", new(point), nil,
			"point.X", 0, bits.Error{Err: tagcodec.ErrOverread, Value: 10, Max: 0}},
		{"the last bit is missing", new(fixedSize), []byte{1, 2, 3, 4},
			"fixedSize.B", 32, bits.Error{Err: tagcodec.ErrOverread, Value: 1, Max: 0}},
		{"elements that cannot come", new(scene), words(3, 2, 0, 47, 0, 47),
			"scene.Objects", 0, bits.Error{Err: tagcodec.ErrOverread, Value: 3*49 + 2, Max: 94}}, // 2 for the next field
		{"more bits than an int counts", new(vasts), words(7, 3, 0, 64),
			"vasts.All", 0, bits.Error{Err: tagcodec.ErrOverread, Value: math.MaxInt, Max: 69}},
		{"more bits with the reserved ones", new(manyVasts), words(23, 5, 4, 3, 0, 64, 0, 2),
			"manyVasts.Of[0].All", 5, bits.Error{Err: tagcodec.ErrOverread, Value: math.MaxInt, Max: 72}},
		{"text of more bits than an int of 32 bits counts", new(longTexts), words(math.MaxInt32, 31, 0, 9),
			"longTexts.Name", 32, bits.Error{Err: tagcodec.ErrOverread, Value: saturate.MulAdd(math.MaxInt32, 8, 0), Max: 8}},
		{"units of more bits", new(longTexts), words(0, 32, math.MaxInt32, 31, 0, 9),
			"longTexts.Wide", 63, bits.Error{Err: tagcodec.ErrOverread, Value: saturate.MulAdd(math.MaxInt32, 32, 0), Max: 9}},
		{"text that ends early", new(texts), words(3, 3, 0, 5, 'a', 8, 'b', 8),
			"texts.Name", 8, bits.Error{Err: tagcodec.ErrOverread, Value: 24, Max: 16}},
		{"units that end early", new(texts), words(0, 8, 4, 3, 'a', 32, 0, 5),
			"texts.Wide", 11, bits.Error{Err: tagcodec.ErrOverread, Value: 128, Max: 37}},
		{"a check that ends early", new(aligned), []byte{0, 0x0D, 0xF0},
			"aligned.End", 8, bits.Error{Err: tagcodec.ErrOverread, Value: 32, Max: 16}},
		{"a varint that ends early", new(varints), words(0, 8, 1, 8),
			"varints.Large", 8, bits.Error{Err: tagcodec.ErrOverread, Value: 8, Max: 0}},
		{"an expgolomb that ends among its zeros", new(golombs), []byte{0},
			"golombs.Small", 0, bits.Error{Err: tagcodec.ErrOverread, Value: 9, Max: 8}},
		{"an expgolomb that ends early", new(golombs), words(1, 1, 0b1000, 4),
			"golombs.Large", 1, bits.Error{Err: tagcodec.ErrOverread, Value: 8, Max: 7}},
		{"a stretch that ends in its length", new(stretches), words(0b00100, 5, 1, 3, 7, 3, 1, 1, 5, 3, 1, 1, 4, 3, 1, 1, 5, 3, 0, 1),
			"stretches.Many[3]", 23, bits.Error{Err: tagcodec.ErrOverread, Value: 3, Max: 1}},
		{"a stretch that ends in its value", new(stretches), words(0b00100, 5, 1, 3, 7, 3, 1, 1, 5, 3, 1, 1, 4, 3, 0b010, 3, 0, 2),
			"stretches.Many[2]", 22, bits.Error{Err: tagcodec.ErrOverread, Value: 3, Max: 2}},
		{"a count of more than its stretches can hold", new(stretches), words(0b00100, 5, 1, 3, 7, 3, 0, 5),
			"stretches.Many", 8, bits.Error{Err: tagcodec.ErrOverread, Value: 10, Max: 5}},
		{"a relative integer that ends early", new(relatives), words(1, 3, 0b10000, 10),
			"relatives.IDs[0]", 3, bits.Error{Err: tagcodec.ErrOverread, Value: 18, Max: 13}},
		{"128 bits that end early", new(wides), allOnes[:15],
			"wides.U", 0, bits.Error{Err: tagcodec.ErrOverread, Value: 128, Max: 120}},
		{"no bit for a pointer", new(pointed), nil,
			"pointed.At", 0, bits.Error{Err: tagcodec.ErrOverread, Value: 1, Max: 0}},

		{"padding before text", new(texts), words(1, 3, 2, 5, 'a', 8),
			"texts.Name", 3, bits.Error{Err: tagcodec.ErrPadding, Value: uint64(2), Min: uint64(0), Max: uint64(0)}},
		{"padding of an align", new(aligned), words(1, 1, 0x40, 7, 0xCAFEF00D, 32),
			"aligned.Pad", 1, bits.Error{Err: tagcodec.ErrPadding, Value: uint64(0x40), Min: uint64(0), Max: uint64(0)}},
		{"reserved bits", new(texts), words(0, 8, 0, 8, 'x', 8, 0, 8, 0, 16, 9, 4, 1, 4),
			"texts.Spare", 52, bits.Error{Err: tagcodec.ErrPadding, Value: uint64(1), Min: uint64(0), Max: uint64(0)}},
		{"a constant", new(texts), words(0, 8, 0, 8, 'x', 8, 0, 8, 0, 16, 8, 4, 0, 4),
			"texts.Known", 48, bits.Error{Err: tagcodec.ErrCheck, Value: uint64(8), Min: uint64(9), Max: uint64(9)}},
		{"a check", new(aligned), words(1, 8, 0xCAFEF00C, 32),
			"aligned.End", 8, bits.Error{Err: tagcodec.ErrCheck, Value: uint64(0xCAFEF00C), Min: uint64(0xCAFEF00D), Max: uint64(0xCAFEF00D)}},

		{"text that is not UTF-8", new(texts), words(2, 8, 0xC0, 8, 0x80, 8),
			"texts.Name", 3, bits.Error{Err: tagcodec.ErrText, Value: bits.BadText{Unit: 0xC0}}},
		{"text whose last character is cut", new(texts), words(3, 8, 'a', 8, 0xE2, 8, 0x82, 8),
			"texts.Name", 3, bits.Error{Err: tagcodec.ErrText, Value: bits.BadText{Index: 1, Unit: 0xE2}}},
		{"text with a zero", new(texts), words(2, 8, 'a', 8, 0, 8),
			"texts.Name", 3, bits.Error{Err: tagcodec.ErrText, Value: bits.BadText{Index: 1}}},
		{"a low surrogate without a high one", new(texts), words(0, 8, 2, 3, 'a', 32, 0xDC00, 32, 0, 64),
			"texts.Wide", 43, bits.Error{Err: tagcodec.ErrText, Value: bits.BadText{Index: 1, Unit: 0xDC00, UTF16: true}}},
		{"a zero in the text of an array", new(texts), words(0, 8, 0, 8, 'x', 8, 1, 8, 0, 8, 0, 64),
			"texts.Label", 26, bits.Error{Err: tagcodec.ErrText, Value: bits.BadText{}}},

		{"listed text in full", new(listed), words(0b10, 2, 3, 6, 'w', 8, 'i', 8, 'n', 8),
			"listed.Word", 1, bits.Error{Err: tagcodec.ErrNotCanonical, Value: "win", Fix: values.FixListed}},
		{"a listed float in full", new(listed), words(0, 3, 0x3F000000, 32, 0, 5),
			"listed.Level", 2, bits.Error{Err: tagcodec.ErrNotCanonical, Value: float32(0.5), Fix: values.FixListed}},

		{"keys that descend", new(ordered), words(2, 2, 5, 8, 1, 1, ones, 8, 1, 1, 0, 8),
			"ordered.Scores[-1]", 20, bits.Error{Err: tagcodec.ErrOrder}},
		{"a key that comes twice", new(ordered), words(0, 2, 2, 2, 1, 1, 0, 1, 1, 1, 0, 1),
			"ordered.Flags[true]", 8, bits.Error{Err: tagcodec.ErrOrder}},

		{"a byte after the message", new(fixedSize), []byte{1, 2, 3, 4, 1, 0},
			"fixedSize", 33, bits.Error{Err: tagcodec.ErrTrailing}},
		{"a bit after the message", new(fixedSize), []byte{1, 2, 3, 4, 0x80},
			"fixedSize", 33, bits.Error{Err: tagcodec.ErrTrailing}},

		{"a relative integer that passes its type", new(relatives), words(2, 3, 0, 6, 0xFFFF, 32, 1, 1, 0, 8),
			"relatives.IDs[1]", 41, bits.Error{Err: tagcodec.ErrRange, Value: int64(1 << 16), Min: int64(1 << 16), Max: int64(math.MaxUint16)}},
		{"the absolute form of one that does not follow", new(relatives), words(2, 3, 1, 1, 0, 6, 0, 32, 0, 8),
			"relatives.IDs[1]", 4, bits.Error{Err: tagcodec.ErrRange, Value: int64(0), Min: int64(1), Max: int64(math.MaxUint16)}},
		{"a difference above its tier", new(relatives), words(1, 3, 0b100, 3, 17, 5, 0, 16),
			"relatives.IDs[0]", 3, bits.Error{Err: tagcodec.ErrRange, Value: int64(23), Min: int64(0), Max: int64(math.MaxUint16)}},
		{"an unsigned integer relative to a negative one", new(relatives), words(0, 3, 0, 4, 1, 1),
			"relatives.To", 7, bits.Error{Err: tagcodec.ErrRange, Value: int64(-7), Min: int64(0), Max: int64(255)}},

		{"a varint with a group too many", new(varints), []byte{0x03, 0x00, 0x00},
			"varints.Small", 0, bits.Error{Err: tagcodec.ErrNotCanonical}},
		{"a varint of 65 bits", new(varints), []byte{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4},
			"varints.Large", 8, bits.Error{Err: tagcodec.ErrRange}},
		{"a varint of eleven groups", new(varints), []byte{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2},
			"varints.Large", 8, bits.Error{Err: tagcodec.ErrRange}},
		{"a varint larger than its type", new(varints), words(1, 8, 4, 8, 0, 8),
			"varints.Small", 0, bits.Error{Err: tagcodec.ErrRange, Value: int64(128), Min: int64(-128), Max: int64(127)}},
		{"a stretch of more elements than there are", new(stretches), words(1, 1, 2, 3, 0b1100, 4, 0, 8),
			"stretches.Few[1]", 4, bits.Error{Err: tagcodec.ErrLength}},
		{"a stretch with the value of the one before", new(stretches), words(1, 1, 2, 3, 0b110, 3, 2, 3, 0, 6),
			"stretches.Few[1]", 7, bits.Error{Err: tagcodec.ErrNotCanonical}},
		{"a stretch of a value out of range", new(stretches), words(0b00100, 5, 5, 3, 0, 8),
			"stretches.Few[0]", 5, bits.Error{Err: tagcodec.ErrRange, Value: uint64(5), Min: uint64(0), Max: uint64(4)}},
		{"an expgolomb larger than its type", new(golombs), words(1<<8, 9, 1, 8, 1, 2),
			"golombs.Small", 0, bits.Error{Err: tagcodec.ErrRange}},
		{"an expgolomb with a zero too many", new(golombs), []byte{0, 0},
			"golombs.Small", 0, bits.Error{Err: tagcodec.ErrRange}},
		{"an expgolomb of 65 bits", new(golombs), words(1, 1, 0, 63, 1, 1, 2, 64),
			"golombs.Large", 1, bits.Error{Err: tagcodec.ErrRange}},

		{"an integer of 129 bits", new(wides), allOnes,
			"wides.U", 0, bits.Error{Err: tagcodec.ErrRange, Value: integer.OfWords(2, 0, 1), Min: bits.Uint128{Lo: 3}, Max: bits.Uint128{Lo: ones, Hi: ones}}},
		{"an integer above 2^127 with a sign", new(wides), words(0, 64, 0, 64, ones, 64, ones>>1, 63, 0, 2),
			"wides.I", 128, bits.Error{Err: tagcodec.ErrRange, Value: bits.Uint128{Lo: 4, Hi: 1 << 63}, Min: bits.Int128{Lo: 5}, Max: bits.Int128{Lo: ones, Hi: math.MaxInt64}}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			err := tagcodec.Unmarshal(row.data, row.into)
			row.cause.Op, row.cause.Bit = "read", row.bit
			typ := reflect.TypeOf(row.into).Elem()
			require.Equal(t, &tagcodec.Error{Op: "unmarshal", Type: typ, Path: row.path, Bit: row.bit, Err: &row.cause}, err)
			require.ErrorContains(t, err, fmt.Sprintf("tagcodec: unmarshal %s at bit %d: ", row.path, row.bit))
			require.ErrorIs(t, err, row.cause.Err)
			sameError(t, oracleUnmarshal(t, row.data, typ), err, row.name)
		})
	}
}

// oracleUnmarshal returns the error of the reference interpreter.
func oracleUnmarshal(t *testing.T, data []byte, typ reflect.Type) error {
	t.Helper()
	plan, err := typecache.Of(typ)
	require.NoError(t, err)
	return referenceUnmarshal(standard, sealed.PlanOf(plan), reflect.New(typ).Elem(), data)
}

func TestMarshalRefuses(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	object1 := object{Grid: [2][3]uint8{{1, 1, 1}, {1, 1, 1}}}
	object2 := object1
	object2.Pos[2] = nan
	label := [4]byte{'f', 'u', 'l', 'l'}
	rows := []struct {
		name  string
		value any
		path  string
		bit   int
		cause bits.Error
	}{
		{"below the range", point{1, -301}, "point.Y", 10,
			bits.Error{Err: tagcodec.ErrRange, Value: int64(-301), Min: int64(-300), Max: int64(300)}},
		{"a zero that is out of range", object{}, "object.Grid[0][0]", 31,
			bits.Error{Err: tagcodec.ErrRange, Value: uint64(0), Min: uint64(1), Max: uint64(5)}},
		{"a NaN", scene{Objects: []object{object1, object2}}, "scene.Objects[1].Pos[2]", 72,
			bits.Error{Err: tagcodec.ErrRange, Value: nan}},
		{"an infinity", waves{complex(0, inf)}, "waves.Amp.imag", 3,
			bits.Error{Err: tagcodec.ErrRange, Value: inf}},
		{"too many elements", scene{Objects: make([]object, 4)}, "scene.Objects", 0,
			bits.Error{Err: tagcodec.ErrLength, Value: 4, Min: 0, Max: 3}},
		{"too many entries", ordered{Scores: map[int8]bool{1: true, 2: true, 3: true, 4: true}}, "ordered.Scores", 0,
			bits.Error{Err: tagcodec.ErrLength, Value: 4, Min: 0, Max: 3}},
		{"more entries than there are keys", fewKeys{B: map[uint8]bool{1: true, 2: true, 3: true}}, "fewKeys.B", 15,
			bits.Error{Err: tagcodec.ErrLength, Value: 3, Min: 0, Max: 2}},
		{"a key that is too long", scene{Names: map[string]point{"a": {}, "abcdefgh": {}}}, `scene.Names["abcdefgh"]`, 36,
			bits.Error{Err: tagcodec.ErrLength, Value: 8, Min: 0, Max: 7}},
		{"an entry out of range", ordered{Flags: map[bool]*point{false: nil, true: {X: 400}}}, "ordered.Flags[true].X", 8,
			bits.Error{Err: tagcodec.ErrRange, Value: int64(400), Min: int64(-300), Max: int64(300)}},
		{"a long string", texts{Name: "abcde"}, "texts.Name", 0,
			bits.Error{Err: tagcodec.ErrLength, Value: 5, Min: 0, Max: 4}},
		{"a wstring of too many units", texts{Wide: "a\U0001F680\U0001F680"}, "texts.Wide", 8,
			bits.Error{Err: tagcodec.ErrLength, Value: 5, Min: 0, Max: 4}},
		{"too few bytes", texts{}, "texts.Blob", 11,
			bits.Error{Err: tagcodec.ErrLength, Value: 0, Min: 1, Max: 3}},
		{"text that nothing ends", texts{Blob: []byte{1}, Label: label}, "texts.Label", 24,
			bits.Error{Err: tagcodec.ErrLength, Value: 4, Min: 0, Max: 3}},
		{"a string that is not UTF-8", texts{Name: "\xff"}, "texts.Name", 0,
			bits.Error{Err: tagcodec.ErrText, Value: bits.BadText{Unit: 0xFF}}},
		{"half of a surrogate pair", texts{Name: "a\xed\xa0\x80"}, "texts.Name", 0,
			bits.Error{Err: tagcodec.ErrText, Value: bits.BadText{Index: 1, Unit: 0xED}}},
		{"a wstring with a zero", texts{Wide: "a\x00"}, "texts.Wide", 8,
			bits.Error{Err: tagcodec.ErrText, Value: bits.BadText{Index: 1}}},
		{"an array with an overlong form", texts{Blob: []byte{1}, Label: [4]byte{'a', 0xC0, 0x80}}, "texts.Label", 24,
			bits.Error{Err: tagcodec.ErrText, Value: bits.BadText{Index: 1, Unit: 0xC0}}},
		{"an integer that is not listed", listed{Code: 7}, "listed.Code", 0,
			bits.Error{Err: tagcodec.ErrRange, Value: uint64(7), Fix: values.FixUnlisted}},
		{"128 bits that are not listed", listed{Code: 5, Word: "win", Level: 0.5, Big: bits.Int128{Lo: 3}}, "listed.Big", 3,
			bits.Error{Err: tagcodec.ErrRange, Value: bits.Int128{Lo: 3}, Fix: values.FixUnlisted}},
		{"an element that is not listed", listed{Code: 5, Word: "win", Level: 0.5, Big: bits.Int128{Lo: 2}, Each: [2]int8{1, -3}}, "listed.Each[1]", 5,
			bits.Error{Err: tagcodec.ErrRange, Value: int64(-3), Fix: values.FixUnlisted}},
		{"an integer twice", relatives{IDs: []uint16{4, 4}}, "relatives.IDs[1]", 8,
			bits.Error{Err: tagcodec.ErrRange, Value: uint64(4), Min: int64(5), Max: int64(math.MaxUint16)}},
		{"128 bits below the range", wides{U: bits.Uint128{Lo: 2}}, "wides.U", 0,
			bits.Error{Err: tagcodec.ErrRange, Value: bits.Uint128{Lo: 2}, Min: bits.Uint128{Lo: 3}, Max: bits.Uint128{Lo: ones, Hi: ones}}},
		{"128 bits with a sign", wides{U: bits.Uint128{Lo: 3}, I: bits.Int128{Lo: 5}, N: bits.Int128{Lo: ones - 2, Hi: -1}}, "wides.N", 255,
			bits.Error{Err: tagcodec.ErrRange, Value: bits.Int128{Lo: ones - 2, Hi: -1}, Min: bits.Int128{Lo: ones - 1, Hi: -1}, Max: bits.Int128{Lo: 1}}},
		{"a value that serializes itself in 0 bits", unpaid{make([]free, 1)}, "unpaid.Items[0]", 2,
			bits.Error{Err: tagcodec.ErrLength, Value: 0, Min: 1, Max: math.MaxInt}},
		{"a value that refuses itself", own{Luck: [2]lucky{{3}, {21}}}, "own.Luck[1]", 5,
			bits.Error{Err: tagcodec.ErrRange, Value: uint64(21), Min: uint64(0), Max: uint64(20)}},
		{"a form that is too long", own{Word: word{"abcde"}}, "own.Word", 10,
			bits.Error{Err: tagcodec.ErrLength, Value: 5, Min: 0, Max: 4, Fix: "the binary form of the value needs maxlen=5 or more"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			_, err := tagcodec.Marshal(row.value)
			row.cause.Op, row.cause.Bit = "write", row.bit
			typ := reflect.TypeOf(row.value)
			require.ErrorContains(t, err, fmt.Sprintf("tagcodec: marshal %s at bit %d: ", row.path, row.bit))
			require.ErrorIs(t, err, row.cause.Err)
			var e *tagcodec.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, tagcodec.Error{Op: "marshal", Type: typ, Path: row.path, Bit: row.bit}, tagcodec.Error{Op: e.Op, Type: e.Type, Path: e.Path, Bit: e.Bit})
			// compares text, because NaNs are not equal
			require.Equal(t, fmt.Sprintf("%#v", &row.cause), fmt.Sprintf("%#v", e.Err))

			plan, planErr := typecache.Of(typ)
			require.NoError(t, planErr)
			_, want := reference.Encode(standard, sealed.PlanOf(plan), addressable(reflect.ValueOf(row.value)), nil)
			sameError(t, want, err, row.name)
		})
	}
}

// Errors returned by methods are passed on unchanged.
func TestErrorsOfMethods(t *testing.T) {
	_, err := tagcodec.Marshal(own{Luck: [2]lucky{{3}, {13}}})
	require.EqualError(t, err, "tagcodec: marshal own.Luck[1] at bit 5: unlucky number")
	require.ErrorIs(t, err, errUnlucky)

	_, err = tagcodec.Marshal(own{Word: word{"A"}})
	require.EqualError(t, err, "tagcodec: marshal own.Word at bit 10: no capitals")
	require.ErrorIs(t, err, errShouting)

	var v own
	err = tagcodec.Unmarshal(words(13, 5, 0, 5), &v)
	require.EqualError(t, err, "tagcodec: unmarshal own.Luck[0] at bit 5: unlucky number")

	err = tagcodec.Unmarshal(words(0, 10, 1, 3, 0, 3, 'A', 8), &v)
	require.EqualError(t, err, "tagcodec: unmarshal own.Word at bit 13: no capitals")
	require.ErrorIs(t, err, errShouting)

	err = tagcodec.Unmarshal(words(1, 5, 31, 5), &v)
	require.EqualError(t, err, "tagcodec: unmarshal own.Luck[1] at bit 5: value out of range: 31 is outside [0, 20]")
	require.ErrorIs(t, err, tagcodec.ErrRange)
}

// sharedError is an error that a method returns repeatedly.
var sharedError = &bits.Error{Err: tagcodec.ErrRange, Value: 1}

type refusing struct{ Bit bool }

func (r *refusing) Serialize(s *bits.Stream) error {
	s.Bool(&r.Bit)
	return sharedError
}

func TestErrorsOfMethodsAreNotWrittenTo(t *testing.T) {
	before := *sharedError
	_, err := tagcodec.Marshal(&[2]refusing{})
	require.ErrorIs(t, err, sharedError)
	require.ErrorIs(t, tagcodec.Unmarshal([]byte{1}, &[2]refusing{}), sharedError)
	require.Equal(t, before, *sharedError)
}

func TestArguments(t *testing.T) {
	codec := tagcodec.MustFor[point]()
	_, marshalNil := tagcodec.Marshal(nil)
	_, marshalNilPointer := tagcodec.Marshal((*point)(nil))
	_, appendNil := codec.Append(nil, nil)
	_, sizeNil := codec.Size(nil)
	_, firstNil := codec.UnmarshalFirst(nil, nil)
	before := []byte{1, 2}
	appended, anyAppendNil := tagcodec.Append(before, nil)
	require.Equal(t, before, appended)
	rest, anyFirstNil := tagcodec.UnmarshalFirst(before, (*point)(nil))
	require.Equal(t, before, rest)
	_, anySizeNil := tagcodec.Size((*point)(nil))
	rows := []struct {
		err  error
		text string
	}{
		{marshalNil, "tagcodec: marshal nil: bad argument: pass a value or a pointer to one"},
		{marshalNilPointer, "tagcodec: marshal point: bad argument: the pointer is nil"},
		{appendNil, "tagcodec: marshal point: bad argument: the pointer is nil"},
		{sizeNil, "tagcodec: marshal point: bad argument: the pointer is nil"},
		{anyAppendNil, "tagcodec: marshal nil: bad argument: pass a value or a pointer to one"},
		{anySizeNil, "tagcodec: marshal point: bad argument: the pointer is nil"},
		{anyFirstNil, "tagcodec: unmarshal point: bad argument: the pointer is nil"},
		{tagcodec.Unmarshal(nil, nil), "tagcodec: unmarshal nil: bad argument: pass a pointer to the variable to fill"},
		{tagcodec.Unmarshal(nil, point{}), "tagcodec: unmarshal point: bad argument: pass a pointer to the variable to fill"},
		{tagcodec.Unmarshal(nil, (*point)(nil)), "tagcodec: unmarshal point: bad argument: the pointer is nil"},
		{codec.Unmarshal(nil, nil), "tagcodec: unmarshal point: bad argument: the pointer is nil"},
		{firstNil, "tagcodec: unmarshal point: bad argument: the pointer is nil"},
	}
	for _, row := range rows {
		require.EqualError(t, row.err, row.text)
		require.ErrorIs(t, row.err, tagcodec.ErrArgument)
	}
}

// Every function reports the error of an invalid type.
func TestTypesWithoutPlan(t *testing.T) {
	type nameless struct{ Name string }
	const text = `tagcodec: nameless.Name: option "maxlen" is missing: add maxlen= with the largest length of string`
	refused := func(err error) {
		t.Helper()
		require.EqualError(t, err, text)
		require.ErrorIs(t, err, typecache.ErrTag)
	}
	before := []byte{1, 2}
	_, err := tagcodec.Marshal(nameless{})
	refused(err)
	data, err := tagcodec.Append(before, &nameless{})
	refused(err)
	require.Equal(t, before, data)
	refused(tagcodec.Unmarshal(before, new(nameless)))
	data, err = tagcodec.UnmarshalFirst(before, new(nameless))
	refused(err)
	require.Equal(t, before, data)
	_, err = tagcodec.Size(&nameless{})
	refused(err)
	_, err = tagcodec.MaxSize(nameless{})
	refused(err)
	_, err = tagcodec.For[nameless]()
	refused(err)
	_, err = tagcodec.For[nameless](tagcodec.WithUnion[any](point{}))
	refused(err)
	refused(tagcodec.Serialize(bits.NewReadStream(bits.NewReader(before)), new(nameless)))
	require.PanicsWithError(t, text, func() { tagcodec.MustFor[nameless]() })
}

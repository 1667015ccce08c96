package tagcodec_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// low formats the low n bits of v in the order they are sent, lowest first.
func low(v uint64, n int) string {
	var s strings.Builder
	for i := range n {
		s.WriteByte('0' + byte(v>>i&1))
	}
	return s.String()
}

// lows packs a string of bits in the order they are sent. It ignores spaces.
func lows(text string) []byte {
	text = strings.ReplaceAll(text, " ", "")
	data := make([]byte, (len(text)+7)/8)
	for i, c := range text {
		data[i/8] |= byte(c-'0') << (i % 8)
	}
	return data
}

// golden is a value and the bits of its message, worked out by hand.
type golden[T any] struct {
	name  string
	value T
	bits  string
	read  *T // the decoded value, if it differs
}

// runGolden tests each row with every method of a codec. It decodes a row into
// a new variable and into the variable of the previous row.
func runGolden[T any](t *testing.T, rows []golden[T], opts ...tagcodec.Option) {
	t.Helper()
	codec, err := tagcodec.For[T](opts...)
	require.NoError(t, err)
	var used T
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			want, data := row.value, lows(row.bits)
			if row.read != nil {
				want = *row.read
			}
			message, err := codec.Append([]byte{0xEE}, &row.value)
			require.NoError(t, err)
			require.Equal(t, data, append([]byte{}, message[1:]...))
			size, err := codec.Size(&row.value)
			require.NoError(t, err)
			require.Equal(t, len(data), size)
			n := len(strings.ReplaceAll(row.bits, " ", ""))
			require.LessOrEqual(t, codec.MinBits(), n)
			require.GreaterOrEqual(t, codec.MaxBits(), n)

			var fresh T
			require.NoError(t, codec.Unmarshal(data, &fresh))
			require.Equal(t, want, fresh)
			require.NoError(t, codec.Unmarshal(data, &used))
			require.Equal(t, want, used)
			again, err := codec.Append([]byte{}, &fresh)
			require.NoError(t, err)
			require.Equal(t, data, again)

			for cut := range len(data) {
				require.Error(t, codec.Unmarshal(data[:cut], &fresh), "the first %d bytes", cut)
			}
			require.ErrorIs(t, codec.Unmarshal(append(data, 0), &fresh), tagcodec.ErrTrailing)
			if n%8 != 0 {
				data[len(data)-1] |= 0x80
				require.ErrorIs(t, codec.Unmarshal(data, &fresh), tagcodec.ErrTrailing)
			}
		})
	}
}

// refused is a message that is refused, and what its error must say: the path,
// the bit and the reason. Without bits, the value is refused instead.
type refused[T any] struct {
	name  string
	value T
	bits  string
	err   error
	text  string
}

func runRefused[T any](t *testing.T, rows []refused[T], opts ...tagcodec.Option) {
	t.Helper()
	codec, err := tagcodec.For[T](opts...)
	require.NoError(t, err)
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			op, err := "unmarshal", error(nil)
			if row.bits != "" {
				err = codec.Unmarshal(lows(row.bits), new(T))
			} else {
				var dst []byte
				op = "marshal"
				dst, err = codec.Append([]byte{1, 2}, &row.value)
				require.Equal(t, []byte{1, 2}, dst, "nothing is written")
				_, again := codec.Size(&row.value)
				require.EqualError(t, again, err.Error())
			}
			require.EqualError(t, err, "tagcodec: "+op+" "+row.text)
			require.ErrorIs(t, err, row.err)
			var e *tagcodec.Error
			require.True(t, errors.As(err, &e))
			require.Equal(t, reflect.TypeFor[T](), e.Type)
			if cause, ok := e.Err.(*bits.Error); ok {
				require.Equal(t, e.Bit, cause.Bit)
			}
		})
	}
}

func TestGoldenOptional(t *testing.T) {
	type packet struct {
		Height int16 `bp:"int,min=-100,max=100,optional"` // 8 bits
	}
	runGolden(t, []golden[packet]{
		{"zero is one bit", packet{0}, "0", nil},
		{"the smallest", packet{-100}, "1 00000000", nil},
		{"the largest", packet{100}, "1" + low(200, 8), nil},
		{"next to zero", packet{-1}, "1" + low(99, 8), nil},
	})
	runRefused(t, []refused[packet]{
		{name: "a zero that was sent", bits: "1" + low(100, 8), err: tagcodec.ErrNotCanonical,
			text: "packet.Height at bit 0: not the canonical encoding"},
		{name: "out of range", bits: "1" + low(201, 8), err: tagcodec.ErrRange,
			text: "packet.Height at bit 1: value out of range: 101 is outside [-100, 100]"},
		{name: "the value is cut off", bits: "1" + low(0, 7), err: tagcodec.ErrOverread,
			text: "packet.Height at bit 1: read past the end of the data: 8 more bits needed, 7 left"},
		{name: "written out of range", value: packet{101}, err: tagcodec.ErrRange,
			text: "packet.Height at bit 1: value out of range: 101 is outside [-100, 100]"},
	})
	type late struct {
		Full [1]byte `bp:"bytes"`
		On   bool    `bp:"optional"`
	}
	runRefused(t, []refused[late]{
		{name: "the bit itself is cut off", bits: low(0, 8), err: tagcodec.ErrOverread,
			text: "late.On at bit 8: read past the end of the data: 1 more bits needed, 0 left"},
		{name: "a false that was sent", bits: low(0, 8) + "1 0", err: tagcodec.ErrNotCanonical,
			text: "late.On at bit 8: not the canonical encoding"},
	})
}

// Zero is tested for every kind of value.
func TestGoldenOptionalZeros(t *testing.T) {
	type vec struct{ X, Y int8 }
	type packet struct {
		Text   string       `bp:"maxlen=3,optional"`
		Raw    float32      `bp:"optional"`
		Metres float32      `bp:"float,min=-1,max=1,res=0.5,optional"` // 4 steps: 0 has a code
		Odd    float64      `bp:"float,min=-3,max=3,bits=2,optional"`  // 3 steps: 0 has no code
		Above  int8         `bp:"int,min=1,max=4,optional"`            // 0 is out of range
		Half   float32      `bp:"half,optional"`
		Turn   float32      `bp:"angle,bits=4,optional"`
		Wide   bits.Uint128 `bp:"int,min=0,max=3,optional"`
		Groups int          `bp:"varint,optional"`
		Pair   vec          `bp:"optional"`
		Array  [2]int8      `bp:"int,min=-1,max=2,optional"`
		When   time.Time    `bp:"binary,maxlen=15,optional"`
	}
	nothing := strings.Repeat("0", 12)
	runGolden(t, []golden[packet]{
		{"all zero", packet{}, nothing, nil},
		{"quanta that are zero to the reader", packet{Metres: 0.2, Half: 1e-9, Turn: 0.1}, nothing, &packet{}},
		{"below zero too", packet{Metres: -0.2, Turn: -0.1}, nothing, &packet{}},
		{"a quantum that is not", packet{Metres: 0.3}, "00 1" + low(3, 3) + nothing[3:], &packet{Metres: 0.5}},
		{"the smallest value where zero has no code", packet{Odd: 0.01}, "000 1" + low(2, 2) + nothing[4:], &packet{Odd: 1}},
		{"1 where zero is outside", packet{Above: 1}, "0000 1" + low(0, 2) + nothing[5:], nil},
		{"minus zero is a value of raw bits", packet{Raw: float32(math.Copysign(0, -1))}, "0 1" + low(1<<31, 32) + nothing[2:], nil},
		{"and of a half", packet{Half: float32(math.Copysign(0, -1))}, "00000 1" + low(1<<15, 16) + nothing[6:], nil},
		{"text", packet{Text: "a"}, "1" + low(1, 2) + "00000" + low('a', 8) + nothing[1:], nil},
		{"128 bits", packet{Wide: bits.Uint128{Lo: 2}}, "0000000 1" + low(2, 2) + nothing[8:], nil},
		{"a varint", packet{Groups: -1}, "00000000 1 0" + low(1, 7) + nothing[9:], nil},
		{"one field of a struct", packet{Pair: vec{Y: 1}}, "000000000 1" + low(0, 8) + low(1, 8) + nothing[10:], nil},
		{"one element of an array", packet{Array: [2]int8{0, 2}}, "0000000000 1" + low(1, 2) + low(3, 2) + nothing[11:], nil},
	})
	runRefused(t, []refused[packet]{
		{name: "empty text", bits: "1 00 00000" + nothing[1:], err: tagcodec.ErrNotCanonical,
			text: "packet.Text at bit 0: not the canonical encoding"},
		{name: "a quantum of zero", bits: "00 1" + low(2, 3) + nothing[3:], err: tagcodec.ErrNotCanonical,
			text: "packet.Metres at bit 2: not the canonical encoding"},
		{name: "a varint of zero", bits: "00000000 1 00000000" + nothing[9:], err: tagcodec.ErrNotCanonical,
			text: "packet.Groups at bit 8: not the canonical encoding"},
		{name: "a struct of zeros", bits: "000000000 1" + low(0, 16) + nothing[10:], err: tagcodec.ErrNotCanonical,
			text: "packet.Pair at bit 9: not the canonical encoding"},
		{name: "an array of zeros", bits: "0000000000 1" + low(1, 2) + low(1, 2) + nothing[11:], err: tagcodec.ErrNotCanonical,
			text: "packet.Array at bit 10: not the canonical encoding"},
		{name: "a NaN", value: packet{Metres: float32(math.NaN())}, err: tagcodec.ErrRange,
			text: "packet.Metres at bit 3: value out of range: NaN"},
	})
}

// An optional value may contain another optional value and conditions.
func TestGoldenOptionalNested(t *testing.T) {
	type inner struct {
		On   bool
		Gain uint8 `bp:"uint,bits=4,if=On"`
		Tone uint8 `bp:"uint,bits=2,optional"`
		Ping *bool
	}
	type packet struct {
		In inner `bp:"optional"`
	}
	no := false
	runGolden(t, []golden[packet]{
		{"nothing", packet{}, "0", nil},
		{"what a condition leaves out does not count", packet{inner{Gain: 7}}, "0", &packet{}},
		{"the condition itself does", packet{inner{On: true}}, "1 1 0000 0 0", nil},
		{"the inner one", packet{inner{Tone: 3}}, "1 0 1 11 0", nil},
		{"a pointer to zero is not nil", packet{inner{Ping: &no}}, "1 0 0 10", nil},
	})
	runRefused(t, []refused[packet]{
		{name: "the outer one is zero", bits: "1 0 0 0", err: tagcodec.ErrNotCanonical,
			text: "packet.In at bit 0: not the canonical encoding"},
		{name: "the inner one is", bits: "1 1 0000 1 00 0", err: tagcodec.ErrNotCanonical,
			text: "packet.In.Tone at bit 6: not the canonical encoding"},
	})

	type elements struct {
		List []uint8         `bp:"uint,bits=4,maxlen=3,optional"`
		Map  map[uint8]uint8 `bp:"maxlen=3,optional,key.bits=2"`
	}
	runGolden(t, []golden[elements]{
		{"of slices and maps the elements are optional", elements{[]uint8{0, 9, 0}, map[uint8]uint8{1: 0, 2: 255}},
			low(3, 2) + "0 1" + low(9, 4) + "0" + low(2, 2) + low(1, 2) + "0" + low(2, 2) + "1 11111111", nil},
	})
	runRefused(t, []refused[elements]{
		{name: "an element that is zero", bits: low(2, 2) + "0 1 0000 00", err: tagcodec.ErrNotCanonical,
			text: "elements.List[1] at bit 3: not the canonical encoding"},
		{name: "a value of a map that is zero", bits: "00" + low(1, 2) + low(3, 2) + "1" + low(0, 8), err: tagcodec.ErrNotCanonical,
			text: "elements.Map[3] at bit 6: not the canonical encoding"},
	})
}

package enginetest

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
	"github.com/stretchr/testify/require"
)

// A text count above its bound is refused, even if its bits can represent it
// and all bytes are present.
func TestRunTextBound(t *testing.T) {
	type record struct {
		Before uint8  `bp:"uint,bits=3"`
		Text   string `bp:"maxlen=10"`
		Long   string `bp:"maxlen=90"`
	}
	for _, n := range []struct{ text, long int }{{11, 5}, {15, 5}, {10, 91}, {3, 127}, {10, 90}} {
		w := bits.NewWriter(make([]byte, 200))
		w.WriteBits(1, 3)
		w.WriteBits(uint64(n.text), 4)
		w.WriteBytes(bytes.Repeat([]byte("a"), n.text))
		w.WriteBits(uint64(n.long), 7)
		w.WriteBytes(bytes.Repeat([]byte("b"), n.long))
		require.NoError(t, w.Err())
		var into record
		err := tagcodec.Unmarshal(w.Bytes(), &into)
		switch {
		case n.text > 10:
			require.ErrorIs(t, err, tagcodec.ErrLength)
			require.ErrorContains(t, err, "record.Text at bit 3: ")
			require.Equal(t, record{Before: 1}, into)
		case n.long > 90:
			require.ErrorIs(t, err, tagcodec.ErrLength)
			require.ErrorContains(t, err, fmt.Sprintf("record.Long at bit %d: ", 8+8*n.text))
			require.Empty(t, into.Long)
		default:
			require.NoError(t, err)
			require.Equal(t, record{1, strings.Repeat("a", n.text), strings.Repeat("b", n.long)}, into)
		}
	}
}

// Bits used by a slice, text or condition are not available to later values. A
// message that is truncated at any byte is refused.
func TestRunEndsEarly(t *testing.T) {
	type record struct {
		A     []uint16 `bp:"int,min=0,max=999,maxlen=20"`
		On    bool
		B     string  `bp:"maxlen=40"`
		C     []int16 `bp:"maxlen=20"`
		D     [3]byte `bp:"bytes"`
		E     uint64  `bp:"if=On"`
		F     []bool  `bp:"maxlen=20"`
		Phone string  `bp:"maxlen=16"`
	}
	v := record{
		[]uint16{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 999}, true, "twenty bytes, or more", []int16{-1, 2, -3},
		[3]byte{7, 8, 9}, 1<<63 | 1, []bool{true, false, true}, "0123456789",
	}
	plan, err := engine.PlanOf(reflect.TypeFor[record]())
	require.NoError(t, err)
	require.NotNil(t, plan.Whole())
	data, err := tagcodec.Marshal(&v)
	require.NoError(t, err)
	var into record
	require.NoError(t, tagcodec.Unmarshal(data, &into))
	require.Equal(t, v, into)
	for end := range data {
		var into record
		require.ErrorIs(t, tagcodec.Unmarshal(data[:end:end], &into), tagcodec.ErrOverread, "%d bytes of %d", end, len(data))
	}
}

// Codes wider than a load, at every bit position within a byte. They occur
// alone and in loops of equal values.
func TestWideIntsAtEveryBit(t *testing.T) {
	for width := 56; width <= 64; width++ {
		for phase := 1; phase <= 8; phase++ {
			tag := reflect.StructTag(fmt.Sprintf(`bp:"uint,bits=%d"`, width))
			typ := reflect.StructOf([]reflect.StructField{
				{Name: "Phase", Type: reflect.TypeFor[uint8](), Tag: reflect.StructTag(fmt.Sprintf(`bp:"uint,bits=%d"`, phase))},
				{Name: "Alone", Type: reflect.TypeFor[uint64](), Tag: tag},
				{Name: "Few", Type: reflect.TypeFor[[3]uint64](), Tag: tag},
				{Name: "Many", Type: reflect.TypeFor[[13]uint64](), Tag: tag},
			})
			v := reflect.New(typ)
			w := bits.NewWriter(make([]byte, 200))
			w.WriteBits(0, phase)
			for i, field := range []reflect.Value{v.Elem().Field(1), v.Elem().Field(2), v.Elem().Field(3)} {
				n := 1
				if i > 0 {
					n = field.Len()
				}
				for k := range n {
					x := 0x9E3779B97F4A7C15 * uint64(k+3*i+1) >> (64 - width)
					x |= 1 << (width - 1)
					w.WriteBits(x, width)
					if i > 0 {
						field.Index(k).SetUint(x)
					} else {
						field.SetUint(x)
					}
				}
			}
			data, err := tagcodec.Marshal(v.Interface())
			require.NoError(t, err)
			require.Equal(t, w.Bytes(), data, "%d bits at bit %d", width, phase)
			into := reflect.New(typ)
			require.NoError(t, tagcodec.Unmarshal(data, into.Interface()))
			require.Equal(t, v.Interface(), into.Interface(), "%d bits at bit %d", width, phase)
		}
	}
}

// The content of dst's spare capacity does not matter. Append does not write to
// the existing bytes of dst, which the race detector checks.
func TestAppendIntoUsedMemory(t *testing.T) {
	type short struct {
		A uint8  `bp:"uint,bits=5"`
		B uint16 `bp:"uint,bits=11"`
	}
	type long struct {
		A uint8  `bp:"uint,bits=5"`
		B string `bp:"maxlen=20"`
		C uint32
		D uint16 `bp:"uint,bits=11"`
	}
	values := []any{&short{21, 1025}}
	for n := range 21 {
		values = append(values, &long{21, strings.Repeat("t", n), 0xDEADBEEF, 1025})
	}
	for _, v := range values {
		want, err := tagcodec.Append(nil, v)
		require.NoError(t, err)
		for room := range len(want) + 20 {
			for _, old := range []byte{0, 0xFF, 0xA5} {
				dst := bytes.Repeat([]byte{old}, 6+room)[: 6 : 6+room]
				var reader sync.WaitGroup
				reader.Go(func() {
					for i := range dst {
						_ = dst[i]
					}
				})
				got, err := tagcodec.Append(dst, v)
				reader.Wait()
				require.NoError(t, err)
				require.Equal(t, bytes.Repeat([]byte{old}, 6), got[:6])
				require.Equal(t, want, got[6:], "%T with room for %d", v, room)
			}
		}
	}
}

// Append writes only the bytes of the message. Spare capacity beyond it may
// belong to someone else and must not change.
func TestAppendChangesNothingBehind(t *testing.T) {
	type scalars struct {
		A uint8
		B uint16
	}
	type text struct {
		A uint8
		B string `bp:"maxlen=40"`
	}
	type many struct {
		A []uint16 `bp:"maxlen=40"`
	}
	type mixed struct {
		A []string `bp:"maxlen=20,elem.maxlen=40"`
		B *uint32
		C []byte  `bp:"maxlen=40"`
		D [3]byte `bp:"bytes"`
	}
	for n := range 41 {
		s := strings.Repeat("s", n)
		for _, v := range []any{
			&scalars{1, 2}, &text{1, s}, &many{make([]uint16, n)}, &mixed{[]string{"abc", s}, new(uint32), []byte(s), [3]byte{}},
		} {
			for room := range 130 {
				const old = 0xEE
				arena := bytes.Repeat([]byte{old}, 130)
				message, err := tagcodec.Append(arena[:0:room], v)
				require.NoError(t, err)
				if len(message) > room {
					continue // the buffer was reallocated
				}
				spare := arena[len(message):]
				require.Equal(t, len(spare), bytes.Count(spare, []byte{old}), "%T of %d bytes with room for %d", v, len(message), room)
			}
		}
	}
}

// A condition inside an optional struct that is itself conditional. The loops
// must equal the interpreter for every value.
func TestConditionsInOptional(t *testing.T) {
	type inner struct {
		X bool
		Z uint8  `bp:"uint,bits=3"`
		Y uint8  `bp:"if=X"`
		W uint16 `bp:"if=Z==2"`
	}
	type outer struct {
		A bool
		S inner `bp:"if=A,optional"`
		E uint8
	}
	plan, err := engine.PlanOf(reflect.TypeFor[outer]())
	require.NoError(t, err)
	for i := range 64 {
		v := outer{A: i&1 != 0, S: inner{X: i&2 != 0, Z: uint8(i >> 2 & 3), Y: uint8(i >> 4), W: 5}, E: 9}
		data, err := tagcodec.Marshal(v)
		require.NoError(t, err)
		wantData, err := reference.Encode(standard, plan, reflect.ValueOf(&v).Elem(), nil)
		require.NoError(t, err)
		require.Equal(t, wantData, data, "%+v", v)
		used := outer{true, inner{true, 7, 7, 7}, 7}
		into, want := used, used
		require.NoError(t, tagcodec.Unmarshal(data, &into))
		_, err = reference.Decode(standard, plan, reflect.ValueOf(&want).Elem(), data, 0, nil)
		require.NoError(t, err)
		require.Equal(t, want, into, "%+v", v)
	}
}

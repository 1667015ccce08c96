package binary_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	std "encoding/binary"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/binary"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// allCalls runs every call with a source or destination, and returns the error
// of each.
func allCalls(order std.ByteOrder, data any) map[string]error {
	_, appended := binary.Append(nil, order, data)
	_, encoded := binary.Encode(make([]byte, 1000), order, data)
	written := binary.Write(io.Discard, order, data)
	_, decoded := binary.Decode(make([]byte, 1000), order, data)
	read := binary.Read(bytes.NewReader(make([]byte, 1000)), order, data)
	return map[string]error{"Append": appended, "Encode": encoded, "Write": written, "Decode": decoded, "Read": read}
}

func TestTaggedByteOrder(t *testing.T) {
	for _, order := range []std.ByteOrder{binary.BigEndian, ownOrder{binary.LittleEndian}, nil} {
		for call, err := range allCalls(order, &fixedSize{}) {
			require.ErrorIs(t, err, tagcodec.ErrArgument)
			name := "nil"
			if order != nil {
				name = order.String()
			}
			require.EqualError(t, err, "binary."+call+": bad argument: binary_test.fixedSize has bp tags, "+
				"and the wire of bits is little-endian on every machine: use LittleEndian, not "+name)
		}
	}
	native := binary.NativeEndian.Uint16([]byte{1, 0}) == 1
	for _, err := range allCalls(binary.NativeEndian, &fixedSize{}) {
		require.Equal(t, native, err == nil, "NativeEndian is good where it is little-endian")
	}
	// A type without tags accepts any order, even after one with tags.
	_, err := binary.Append(nil, binary.BigEndian, &plain{})
	require.NoError(t, err)
}

// A tag anywhere in a type makes the whole type packed.
func TestWhatIsTagged(t *testing.T) {
	type leaf struct {
		V uint8 `bp:"uint,bits=3"`
	}
	type looped struct {
		Next *looped
		V    uint8
	}
	type loopedTagged struct {
		Next *loopedTagged
		V    uint8 `bp:"uint,bits=3"`
	}
	for _, row := range []struct {
		name   string
		data   any
		tagged bool
	}{
		{"a field", leaf{}, true},
		{"pointer to it", &leaf{}, true},
		{"slice of it", []leaf{{}}, true},
		{"pointer to a slice of it", &[]leaf{{}}, true},
		{"array of it", [2]leaf{}, true},
		{"in a struct", struct{ A struct{ B leaf } }{}, true},
		{"in an array in a struct", struct{ A [2]leaf }{}, true},
		{"in the target of a pointer", struct{ A *leaf }{}, true},
		{"in a map", struct{ A map[string]leaf }{}, true},
		{"embedded", struct{ leaf }{}, true},
		{"recursive", loopedTagged{}, true},
		{"left out, which is a tag too", struct {
			A int32
			B int64 `bp:"-"`
		}{}, true},
		{"of a blank field", struct {
			A int32
			_ struct{} `bp:"align"`
		}{}, true},
		{"beside other tags", struct {
			A int32 `json:"a" bp:"int,min=0,max=3"`
		}{}, true},

		{"no tag", plain{}, false},
		{"other tags", struct {
			A int32 `json:"bp"`
		}{}, false},
		{"the text of one in another", struct {
			A int32 `text:"bp:\"int\""`
		}{}, false},
		{"recursive without one", looped{}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := binary.Append(nil, binary.BigEndian, row.data)
			require.Equal(t, row.tagged, errors.Is(err, tagcodec.ErrArgument), "%v", err)
		})
	}
}

// A malformed tag is an error. It does not turn the type into one without tags.
func TestFaultyTags(t *testing.T) {
	for name, data := range map[string]any{
		"syntax": reflect.New(reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[int32](), Tag: `bp:int`}})).Interface(),
		"option": &struct {
			A int32 `bp:"int,min=0,mx=3"`
		}{},
		"not exported": &struct {
			a int32 `bp:"int,min=0,max=3"`
		}{},
		"no bound": &[]struct {
			A []int32 `bp:""`
		}{{}},
	} {
		for call, err := range allCalls(binary.LittleEndian, data) {
			require.ErrorIs(t, err, typecache.ErrTag, "%s %s", name, call)
			require.True(t, strings.HasPrefix(err.Error(), "binary: "), "%v", err)
		}
		require.Equal(t, -1, binary.Size(data))
	}
}

// A nil pointer is told from other mistakes, and so is a value to read into.
func TestTaggedArguments(t *testing.T) {
	for _, none := range []any{(*fixedSize)(nil), (*[]fixedSize)(nil)} {
		for call, err := range allCalls(binary.LittleEndian, none) {
			require.ErrorIs(t, err, tagcodec.ErrArgument)
			require.EqualError(t, err, "binary."+call+": bad argument: the "+reflect.TypeOf(none).String()+" is a nil pointer: pass the address of a variable")
		}
		require.Equal(t, -1, binary.Size(none))
	}
	calls := allCalls(binary.LittleEndian, fixedSize{})
	for _, call := range []string{"Read", "Decode"} {
		require.ErrorIs(t, calls[call], tagcodec.ErrArgument)
		require.EqualError(t, calls[call], "binary."+call+": bad argument: the binary_test.fixedSize is not a pointer, "+
			"so "+call+" cannot store anything in it: pass the address of a variable")
		delete(calls, call)
	}
	require.Len(t, calls, 3)
	for _, err := range calls {
		require.NoError(t, err, "a value can be written")
	}
}

func TestTaggedRefusals(t *testing.T) {
	calls := allCalls(binary.LittleEndian, &fixedSize{Health: 101})
	for _, err := range []error{calls["Append"], calls["Encode"], calls["Write"]} {
		require.EqualError(t, err, "binary: marshal fixedSize.Health at bit 0: value out of range: 101 is outside [0, 100]")
		require.ErrorIs(t, err, tagcodec.ErrRange)
	}
	wounded := &fixedSize{Health: 101}
	require.Equal(t, -1, binary.Size(wounded))
	got, err := binary.Append([]byte("head"), binary.LittleEndian, wounded)
	require.Error(t, err)
	require.Nil(t, got, "as the standard library has it")
	w := &failingWriter{o: &outcome{}}
	require.Error(t, binary.Write(w, binary.LittleEndian, wounded))
	require.Zero(t, w.o.Calls, "nothing is written")
	require.Equal(t, errDisk, binary.Write(w, binary.LittleEndian, &fixedSize{}))

	require.EqualError(t, binary.Read(bytes.NewReader(bytes.Repeat([]byte{0xFF}, 9)), binary.LittleEndian, wounded),
		"binary: unmarshal fixedSize.Health at bit 0: value out of range: 127 is outside [0, 100]")
	wire, err := binary.Append(nil, binary.LittleEndian, &fixedSize{})
	require.NoError(t, err)
	wire[len(wire)-1] |= 0x80
	_, err = binary.Decode(wire, binary.LittleEndian, &fixedSize{})
	require.ErrorIs(t, err, tagcodec.ErrTrailing)
	require.EqualError(t, err, strings.Replace(tagcodec.Unmarshal(wire, &fixedSize{}).Error(), "tagcodec:", "binary:", 1))
	require.ErrorIs(t, binary.Read(bytes.NewReader(wire), binary.LittleEndian, &fixedSize{}), tagcodec.ErrTrailing)
}

// A slice has the same wire as an array of its length: no count, and no bits
// between its elements.
func TestTaggedSlices(t *testing.T) {
	seats := [7]seat{{true, 5, "a"}, {}, {}, {true, 500, "abc"}, {}, {By: 1}, {}}
	skewed := [3]aligned{{A: 1, B: 2}, {A: 3, B: 4}, {A: 5, B: 6}} // the second and third do not start at a byte boundary
	odd := [2]struct {
		A uint8    `bp:"uint,bits=3"`
		B [2]uint8 `bp:"bytes"`
		C uint8    `bp:"uint,bits=5"` // the second element takes fewer bits than the first
	}{{A: 7, C: 1}, {B: [2]uint8{255, 255}}}
	for _, row := range []struct {
		name         string
		array, slice any
		dst          func() any
	}{
		{"variable", seats, seats[:], func() any { return make([]seat, 7) }},
		{"pointer to a slice", seats, ptr(seats[:]), func() any { return ptr(make([]seat, 7)) }},
		{"steady", [3]fixedSize{{Health: 3}, {Alive: true}, {Team: 7}}, []fixedSize{{Health: 3}, {Alive: true}, {Team: 7}}, func() any { return make([]fixedSize, 3) }},
		{"aligned", skewed, skewed[:], func() any { return make([]aligned, 3) }},
		{"aligned and skewed", odd, odd[:], func() any { return reflect.MakeSlice(reflect.TypeOf(odd[:]), 2, 2).Interface() }},
		{"none", [0]seat{}, []seat{}, func() any { return []seat{} }},
		{"pointers", [2]*seat{{true, 5, "a"}, nil}, []*seat{{true, 5, "a"}, nil}, func() any { return make([]*seat, 2) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			want, err := tagcodec.Marshal(row.array)
			require.NoError(t, err)
			got, err := binary.Append([]byte{}, binary.LittleEndian, row.slice)
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Equal(t, len(want), binary.Size(row.slice))

			dst := row.dst()
			n, err := binary.Decode(append(got, 1, 2, 3), binary.LittleEndian, dst)
			require.NoError(t, err)
			require.Equal(t, len(want), n)
			require.Equal(t, row.slice, dst)
		})
	}
}

func ptr[T any](v T) *T { return &v }

// Memory is allocated for the bytes that arrive, not for the length that a
// message claims.
func TestReadHostile(t *testing.T) {
	type blob struct {
		Data []byte `bp:"maxlen=134217727"`
	}
	type many struct {
		Words []struct {
			A uint64
			B string `bp:"maxlen=134217727"`
		} `bp:"maxlen=4194303"`
	}
	for _, data := range []any{&blob{}, &many{}, &[]blob{{}}} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := binary.Read(iotest.OneByteReader(bytes.NewReader([]byte{0xFE, 0xFF, 0xFF, 0x07, 1, 2, 3})), binary.LittleEndian, data)
		runtime.ReadMemStats(&after)
		require.Equal(t, io.ErrUnexpectedEOF, err)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
	}
}

// keeper serializes itself and retains its address, which must not be that of a
// variable on the caller's stack.
type keeper struct {
	Value uint8 `bp:"uint,bits=8"`
	count int
}

var kept []*keeper

func (k *keeper) Serialize(s *bits.Stream) error {
	kept = append(kept, k)
	k.count++
	bits.Bits(s, &k.Value, 8)
	return s.Err()
}

func TestMethodsSeeACopy(t *testing.T) {
	k := keeper{Value: 7, count: 1}
	wire, err := binary.Append(nil, binary.LittleEndian, &k)
	require.NoError(t, err)
	require.Equal(t, []byte{7}, wire)
	_, err = binary.Decode([]byte{9}, binary.LittleEndian, &k)
	require.NoError(t, err)
	require.Equal(t, keeper{9, 2}, k, "what the method does to a destination stays")
	for _, address := range kept {
		require.NotSame(t, &k, address)
	}
}

// All calls are safe for concurrent use, even on the first use of a type.
func TestConcurrent(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for n := range 40 {
				mine := reflect.New(reflect.ArrayOf(n+1, reflect.TypeFor[plain]())).Interface()
				wire, err := binary.Append(nil, binary.BigEndian, mine)
				if err != nil || len(wire) != binary.Size(mine) {
					t.Errorf("%d: %v", i, err)
				}
				seats := make([]seat, n)
				wire, err = binary.Append(nil, binary.LittleEndian, seats)
				if _, failed := binary.Decode(wire, binary.LittleEndian, seats); err != nil || failed != nil {
					t.Errorf("%d: %v %v", i, err, failed)
				}
			}
		}()
	}
	wg.Wait()
}

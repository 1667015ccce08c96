package enginetest

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
	"github.com/gobitpack/bitpack/typecache"
)

// The claim types have large counts. Their maximums are one less than a power
// of 2, so a count of all ones is the maximum.
type (
	claimStructs struct {
		Items []struct {
			On bool
			At [8]uint64 `bp:"if=On"`
		} `bp:"maxlen=0x7fffffff"`
	}
	claimStrings struct {
		Names []string `bp:"maxlen=0xffffff,elem.maxlen=0xffffff"`
	}
	claimBytes struct {
		Data []byte `bp:"bytes,maxlen=0x7fffffff"`
	}
	claimText struct {
		Text string `bp:"maxlen=0x7fffffff"`
	}
	claimWText struct {
		Text string `bp:"wstring,maxlen=0x3ffffff"`
	}
	claimMap struct {
		Entries map[uint32]string `bp:"maxlen=0x7fffffff,elem.maxlen=0xffff"`
	}
	// claimMost needs more bits than an int can count, twice.
	claimMost struct {
		Twice [2]struct {
			First []bool            `bp:"minlen=0x100000,maxlen=0x100000"`
			Most  [][1 << 27]uint64 `bp:"minlen=0x7fffffff,maxlen=0x7fffffff"`
			Next  *uint16
		}
	}
	claimNested struct {
		Cubes [][][]uint16 `bp:"maxlen=0xff,elem.maxlen=0xffff,elem.elem.maxlen=0x7fffffff"`
	}
	claimArrays struct {
		Rows [4][]int8 `bp:"int,min=0,max=1,maxlen=0x7fffffff"`
	}
	claimBinary struct {
		Word word `bp:"binary,maxlen=0x7fffffff"`
	}
	claimTree struct {
		Kids []claimTree `bp:"maxlen=0x7fffffff"`
	}
	// claimSparse may allocate 64 kB of pointers for elements that are all
	// absent.
	claimSparse struct {
		Items []*[8]uint64 `bp:"maxlen=8191,subset=relative"`
	}
	claimPointers struct {
		Items []*claimBytes `bp:"maxlen=0x7fffffff"`
	}
)

// allocated returns the number of bytes that f allocates.
func allocated(f func()) uint64 { return allocatedOver(0, f) }

// allocatedOver is allocated, but it may return any number up to most if f
// allocates at most that many.
func allocatedOver(most uint64, f func()) uint64 {
	least := uint64(math.MaxUint64)
	for range 4 { // repeated, because other goroutines may allocate too
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		if least = min(least, after.TotalAlloc-before.TotalAlloc); least <= most {
			break
		}
	}
	return least
}

// TestClaimsTakeNoMemory decodes messages with the largest possible counts. One
// bit may justify at most one element, of 72 bytes in these types. Sparse
// slices are an exception.
func TestClaimsTakeNoMemory(t *testing.T) {
	for _, v := range []any{
		new(claimStructs), new(claimStrings), new(claimBytes), new(claimText), new(claimWText), new(claimMap),
		new(claimNested), new(claimArrays), new(claimBinary), new(claimTree), new(claimPointers),
		new(claimSparse), new(claimMost),
	} {
		typ := reflect.TypeOf(v).Elem()
		fixed := 8192
		if typ == reflect.TypeFor[claimSparse]() {
			fixed += 1 << 16
		}
		t.Run(typ.Name(), func(t *testing.T) {
			for _, size := range []int{1, 2, 4, 5, 8, 12, 32} {
				for _, tail := range []string{"\x00", "\xff", "\x55"} {
					data := []byte(strings.Repeat("\xff", size) + strings.Repeat(tail, 4))
					var err error
					took := allocated(func() { err = tagcodec.Unmarshal(data, reflect.New(typ).Interface()) })
					require.Error(t, err, "%x", data)
					require.Less(t, took, uint64(fixed+80*8*len(data)), "%x", data)
				}
			}
		})
	}
}

// The minimum size of all elements is checked before the first is decoded.
func TestElementsAreThereBeforeMemory(t *testing.T) {
	var v claimStructs
	err := tagcodec.Unmarshal(words(9, 31, 0, 9), &v)
	require.NoError(t, err)
	require.Len(t, v.Items, 9)

	v = claimStructs{}
	err = tagcodec.Unmarshal(words(10, 31, 0, 9), &v)
	require.ErrorIs(t, err, tagcodec.ErrOverread)
	require.Nil(t, v.Items)
}

// Bits reserved for the elements of one slice cannot justify a slice inside it.
// After the first count 56 bits remain, and the other two cells need 48 of
// them.
func TestBitsBackOneSlice(t *testing.T) {
	type cell struct {
		A uint8
		S []bool `bp:"maxlen=0xffff"`
	}
	type sheet struct {
		Cells []cell `bp:"maxlen=0xff"`
	}
	for n := 1; n < 16; n++ {
		w := bits.NewWriter(make([]byte, 16))
		w.WriteBits(3, 8)
		w.WriteBits(7, 8)
		w.WriteBits(uint64(n), 16)
		w.WriteBits(0, 56)
		var v sheet
		err := tagcodec.Unmarshal(w.Bytes(), &v)
		if n <= 56-48 {
			require.NoError(t, err, n)
			require.Len(t, v.Cells[0].S, n)
			continue
		}
		require.EqualError(t, err, fmt.Sprintf("tagcodec: unmarshal sheet.Cells[0].S at bit 16: read past the end of the data: %d more bits needed, 56 left", n+48))
		require.ErrorIs(t, err, tagcodec.ErrOverread)
	}
}

// A value that contains itself fails at the depth limit.
func TestCycle(t *testing.T) {
	v := &chainedList{}
	v.Next = v
	_, err := tagcodec.Marshal(v)
	require.ErrorIs(t, err, tagcodec.ErrDepth)

	// A cyclic variable is overwritten before it is read.
	data, err := tagcodec.Marshal(&chainedList{1, &chainedList{2, nil}})
	require.NoError(t, err)
	require.NoError(t, tagcodec.Unmarshal(data, v))
	require.Nil(t, v.Next)
}

type reused struct {
	On     bool
	Words  []uint32        `bp:"maxlen=15"`
	Bytes  []byte          `bp:"bytes,maxlen=15"`
	Points []*point        `bp:"maxlen=15"`
	Deep   [][]string      `bp:"maxlen=7,elem.maxlen=7,elem.elem.maxlen=7"`
	Map    map[int8]*point `bp:"maxlen=7"`
	At     *point
	Name   string   `bp:"maxlen=15"`
	Label  [8]byte  `bp:"cstring"`
	If     struct { // written only if On
		N int
		P *int
	} `bp:"if=On"`
	Scores [3]int16 `bp:"if=On"`
}

// Elements beyond the length of a slice must not reappear when the slice grows, even
// if the message ends early. TestUsedThroughFailures compares used variables with new
// ones.
func TestReusedShowsNothing(t *testing.T) {
	v := &reused{Points: []*point{{1, 2}, nil, {3, 4}}}
	secret := v.Points[:3]
	v.Points = v.Points[:1]
	err := tagcodec.Unmarshal(packet(func(w *bits.Writer) {
		w.WriteBits(0, 1+4)
		w.WriteBits(0, 4+7) // no bytes, after the padding
		w.WriteBits(3, 4)
		w.WriteBits(0, 1)
		w.WriteBits(0x3FF<<1|1, 11)
		w.WriteBits(0, 64)
	}), v)
	require.EqualError(t, err, "tagcodec: unmarshal reused.Points[1].X at bit 22: value out of range: 723 is outside [-300, 300]")
	require.Len(t, v.Points, 3)
	require.Nil(t, secret[2])
}

// TestFailedLeavesNothingOutOfRange truncates and corrupts messages of random
// types. It checks the variables after the errors.
func TestFailedLeavesNothingOutOfRange(t *testing.T) {
	for seed := range seeds(t) {
		g, s, pl := randomType(t, seed)
		v := reflect.New(s.typ)
		s.fill(g, v.Elem())
		data, err := tagcodec.Append(nil, v.Interface())
		if err != nil {
			continue
		}
		for range 6 {
			damaged := g.mutated(data)
			v := reflect.New(s.typ)
			if tagcodec.Unmarshal(damaged, v.Interface()) != nil {
				requireInRange(t, pl, v.Elem(), seed)
			}
			if s.fill(g, v.Elem()); tagcodec.Unmarshal(data, v.Interface()) == nil && tagcodec.Unmarshal(damaged, v.Interface()) != nil {
				requireInRange(t, pl, v.Elem(), seed)
			}
		}
	}
}

// requireInRange requires that every value is within its bounds, or is zero
// because nothing was decoded into it.
func requireInRange(t *testing.T, pl *plan.Plan, v reflect.Value, seed uint64) {
	t.Helper()
	values := func(op *plan.Op, v reflect.Value) {
		reference.EachOf(v, false, func(v reflect.Value) error {
			require.True(t, v.IsZero() || inRange(pl, op, v), "seed %d: %s: %v", seed, pl.Fields[op.Field].Path, v)
			return nil
		})
	}
	var ops func(pc int, v reflect.Value)
	ops = func(pc int, v reflect.Value) {
		for ; !reference.Closes(pl, pc, -1); pc++ { // includes conditional ops, whose fields are in range or zero
			op := &pl.Ops[pc]
			switch f := core.FieldAt(pl, op, v); op.Code {
			case plan.CodeString, plan.CodeSlice, plan.CodeMap:
				require.LessOrEqual(t, f.Len(), int(op.Bias+op.Span), "seed %d: %s", seed, pl.Fields[op.Field].Path)
				if op.Code == plan.CodeSlice {
					for i := range f.Len() {
						ops(pc+1, f.Index(i))
					}
				}
			case plan.CodeArray:
				for i := range f.Len() {
					ops(pc+1, f.Index(i))
				}
			case plan.CodePointer:
				if !f.IsNil() {
					ops(pc+1, f.Elem())
				}
			case plan.CodeInt8, plan.CodeInt16, plan.CodeInt32, plan.CodeWord,
				plan.CodeUint8, plan.CodeUint16, plan.CodeUint32, plan.CodeUint64,
				plan.CodeFloat32, plan.CodeFloat64, plan.CodeAngle:
				values(op, f)
			case plan.CodeRunLength:
				pc++
				values(&pl.Ops[pc], f)
				continue
			}
			if op.Code.Block() && op.Code.Encloses() {
				pc = int(op.End) - 1
			}
		}
	}
	ops(0, v)
}

func inRange(pl *plan.Plan, op *plan.Op, v reflect.Value) bool {
	switch {
	case op.Code == plan.CodeFloat32:
		q := &pl.Float32s[op.Aux]
		return float32(v.Float()) >= q.Min && float32(v.Float()) <= math.Nextafter32(q.Min+q.Delta, math.MaxFloat32)
	case op.Code == plan.CodeFloat64:
		q := &pl.Float64s[op.Aux]
		return v.Float() >= q.Min && v.Float() <= math.Nextafter(q.Min+q.Delta, math.MaxFloat64)
	case op.Code == plan.CodeAngle:
		return v.Float() >= 0 && v.Float() < pl.Angles[op.Aux].Period
	case v.CanFloat(), v.Kind() == reflect.Bool:
		return true // any bits are valid
	case v.CanInt():
		least, most := reference.SignedBounds(op)
		return v.Int() >= least && v.Int() <= most
	}
	least, most := reference.UnsignedBounds(op)
	return v.Uint() >= least && v.Uint() <= most
}

// attacked lists the types that FuzzUnmarshal tests.
var attacked = []reflect.Type{
	reflect.TypeFor[moving](), reflect.TypeFor[tree](), reflect.TypeFor[chainedList](), reflect.TypeFor[graph](),
	reflect.TypeFor[scene](), reflect.TypeFor[texts](), reflect.TypeFor[varints](), reflect.TypeFor[relatives](),
	reflect.TypeFor[wides](), reflect.TypeFor[ordered](), reflect.TypeFor[aligned](), reflect.TypeFor[own](),
	reflect.TypeFor[reused](), reflect.TypeFor[unpaid](), reflect.TypeFor[counted](), reflect.TypeFor[claimNested](),
	reflect.TypeFor[claimStrings](), reflect.TypeFor[claimMap](), reflect.TypeFor[claimTree](), reflect.TypeFor[direction](),
	reflect.TypeFor[[3]*point](), reflect.TypeFor[sparse](), reflect.TypeFor[nested](), reflect.TypeFor[optionals](), reflect.TypeFor[guards](), reflect.TypeFor[*point](), reflect.TypeFor[phase](),
	reflect.TypeFor[golombs](), reflect.TypeFor[stretches](),
}

// FuzzUnmarshal decodes into the type chosen by the first byte.
func FuzzUnmarshal(f *testing.F) {
	for i, typ := range attacked {
		f.Add([]byte{byte(i), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
		f.Add([]byte{byte(i), 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF})
		if data, err := tagcodec.Append(nil, reflect.New(typ).Interface()); err == nil {
			f.Add(append([]byte{byte(i)}, data...))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		typ := attacked[int(data[0])%len(attacked)]
		plan, err := typecache.Of(typ)
		require.NoError(t, err)
		c := newChecker(t, typ.String(), typ)
		c.decodeMutated(data[1:])
		v := reflect.New(typ)
		if tagcodec.Unmarshal(data[1:], v.Interface()) != nil {
			requireInRange(t, sealed.PlanOf(plan), v.Elem(), 0)
		}
	})
}

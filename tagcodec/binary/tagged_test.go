package binary_test

import (
	"bytes"
	std "encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/iotest"
	"time"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/binary"
	"github.com/stretchr/testify/require"
)

// messages returns pointers to values of tagged types.
func messages() []any {
	label := func(n int) []item {
		items := make([]item, n)
		for i := range items {
			items[i].Kind = uint8(i % 6)
			if items[i].Kind == 2 {
				items[i].Count = 3
			}
			if items[i].Kind&4 != 0 {
				items[i].Label = "abcdefghij"[:i%11]
			}
		}
		return items
	}
	chain := make([]chained, 300)
	for i := range chain {
		chain[i].ID = int32(i*i) - 1 + int32(i)
		if chain[i].ID&1 != 0 {
			chain[i].Odd = uint8(i)
		}
	}
	chain[0].ID, chain[0].Odd = 0, 0
	var s subsets
	for _, i := range []int{0, 3, 4, 39} {
		s.Bitmap[i] = seat{true, uint16(i), "n"}
	}
	s.Index[1], s.Index[4], s.One[0] = &item{Kind: 1}, &item{Kind: 2, Count: 9}, &item{}
	s.Sentinel[8] = seat{Taken: true}
	for _, i := range []int{0, 1, 4, 17, 100, 299} {
		s.Relative[i] = seat{true, 300, "abc"}
	}
	s.Auto[3] = &item{Kind: 4, Label: "auto"}
	s.Slice = make([]seat, 150)
	s.Slice[149].Taken = true
	all := subsets{Slice: make([]seat, 200)}
	for i := range all.Slice {
		all.Slice[i].Taken = i%5 != 0
	}
	on := conditions{Flag: true, On: 5, Var: -3, ByVar: 4, Golomb: -2, ByGol: 3, Opt: 9, ByOpt: 8, Common: -7, ByComm: [3]uint8{1, 2, 3}, Coded: 200, ByCode: 6,
		Word: -2, ByWord: 1, Rel: -4, ByRel: 1 << 60, One: 4, ByOne: 5, Form: 7, ByForm: 1000}
	on.Nested.A, on.Nested.B, on.Nested.C, on.Nested.D = true, [2]uint8{1, 2}, 3, 4
	many := sequences{Items: []item{}}
	many.Maybe = append(many.Maybe, struct {
		Sent uint8  `bp:"optional"`
		By   uint16 `bp:"if=Sent"`
		Once bool
		Then uint8 `bp:"int,min=1,max=9,if=Once"`
		And  uint8 `bp:"if=Then==5"`
	}{1, 2, true, 5, 6})
	many.Maybe = append(many.Maybe, many.Maybe[0], many.Maybe[0])
	many.Maybe[1].Sent, many.Maybe[1].By, many.Maybe[1].Once, many.Maybe[1].Then, many.Maybe[1].And = 0, 0, false, 0, 0
	many.Maybe = append(many.Maybe, many.Maybe...)
	runs := make([]bool, 1500)
	runs[3], runs[1499] = true, true
	double := scaled{Last: 200}
	double.Place.Rotation, double.Place.Scale = [4]float32{0, 0, 0, 1}, 2
	turn := [4]float32{0.5, 0.5, -0.5, 0.5}
	return []any{
		&fixedSize{100, [2]float32{-100, 99.9}, true, 7, -100},
		&fixedSize{},
		&aligned{A: 5, B: 200},
		&scalars{4, 1.5, -300, 3, -1 << 40, [3]uint16{0, 1000, 65535}, [2]int32{-9, 100_000}, bits.Int128{Lo: 1 << 50, Hi: 3}, 101, 500, []uint16{0, 1, 9, 300, 65535}, 1i, -16},
		&scalars{Rel: 1 << 30, More: 1<<31 - 1, Ids: []uint16{}},
		&texts{"Eve", "héß", bytes.Repeat([]byte{7}, 299), [5]byte{1, 2}, [6]byte{'a', 'b'}, time.Unix(1e9, 5).UTC(), []string{"", "four", "sevenup"}},
		&texts{When: time.Unix(0, 0).UTC(), Raw: []byte{}, Words: []string{}},
		&on,
		&conditions{Off: -8, Common: 5, Coded: 99, Rel: 1 << 20},
		&many,
		&sequences{nil, label(400), chain, map[string]item{"b": {Kind: 1}, "a": {Kind: 5, Label: "x"}}, map[uint8]int16{3: -5, 200: 500}, [3][2]item{{{Kind: 4, Label: "grid"}}},
			[4][9]uint8{1: {5, 5, 7}}, runs, []float32{0, 1, 0}},
		&sequences{Items: []item{}, Chain: []chained{}, Names: map[string]item{}, Scores: map[uint8]int16{}, Runs: []bool{}, Tail: []float32{}},
		&s, &all,
		&dependent{5, 9, 77, true},
		&dependent{8, 9, 77, true},
		&dependent{Base: 5, Next: 300},
		&double,
		&node{Value: 1, Kids: []node{{Kids: []node{}}, {Kids: []node{{Value: -3, Kids: []node{}}}, Next: &node{Kids: []node{}}}}, Item: &item{Kind: 4, Label: "leaf"}},
		&geometry{turn, [2][4]float32{turn, turn}, [3]float64{0, 0, 1}, transform{[3]float32{1, 2, 3}, turn, [3]float32{1, 1, 1}}, 9},
		&geometry{turn, [2][4]float32{turn, turn}, [3]float64{1, 0, 0}, transform{[3]float32{1, 2, 3}, turn, [3]float32{2, 2, 2}}, 9},
		&geometry{turn, [2][4]float32{turn, turn}, [3]float64{1, 0, 0}, transform{[3]float32{1, 2, 3}, turn, [3]float32{2, 3, 4}}, 9},
		&structure{A: 5, B: true, C: 6},
		&events{[3]event{hit{1000}, nil, &chat{"first", &chat{Text: "second"}}}, 3},
		&customs{list{[]uint16{1, 2, 3, 4}}, []list{{[]uint16{}}, {[]uint16{5}}, {make([]uint16, 40)}}, limited{1000, 999}, -1, 77, 17},
	}
}

// fresh returns a destination for a message of the type of m.
func fresh(m any) any {
	v := reflect.New(reflect.TypeOf(m).Elem()).Interface()
	if c, ok := v.(*customs); ok {
		c.Hint.Max = 1000
	}
	return v
}

// onlyBytes is a Reader that returns one byte at a time and counts the bytes.
type onlyBytes struct {
	r    io.Reader
	read int
}

func (o *onlyBytes) Read(p []byte) (int, error) {
	n, err := iotest.OneByteReader(o.r).Read(p)
	o.read += n
	return n, err
}

// Every call uses the wire of tagcodec, and each call reads what the others
// write.
func TestTaggedWire(t *testing.T) {
	for i, m := range messages() {
		t.Run(fmt.Sprintf("%d %T", i, m), func(t *testing.T) {
			want, err := tagcodec.Marshal(m)
			require.NoError(t, err)
			read := fresh(m)
			require.NoError(t, tagcodec.Unmarshal(want, read)) // as precisely as the tags allow

			require.Equal(t, len(want), binary.Size(m))
			got, err := binary.Append([]byte("head"), binary.LittleEndian, m)
			require.NoError(t, err)
			require.Equal(t, "head"+string(want), string(got))
			got, err = binary.Append(nil, binary.LittleEndian, reflect.ValueOf(m).Elem().Interface())
			require.NoError(t, err)
			require.Equal(t, want, got, "a value as its pointer")
			var w bytes.Buffer
			require.NoError(t, binary.Write(&w, binary.LittleEndian, m))
			require.Equal(t, want, w.Bytes())
			buf := bytes.Repeat([]byte{0xA5}, len(want)+9)
			n, err := binary.Encode(buf, binary.LittleEndian, m)
			require.NoError(t, err)
			require.Equal(t, want, buf[:n])
			require.Equal(t, bytes.Repeat([]byte{0xA5}, 9), buf[n:])
			exact := make([]byte, len(want))
			_, err = binary.Encode(exact, binary.LittleEndian, m)
			require.NoError(t, err)
			require.Equal(t, want, exact)
			_, tooSmall := std.Encode(nil, std.LittleEndian, uint8(0))
			_, err = binary.Encode(exact[:len(exact)-1], binary.LittleEndian, m)
			require.Equal(t, tooSmall, err)

			dst := fresh(m)
			n, err = binary.Decode(buf, binary.LittleEndian, dst)
			require.NoError(t, err)
			require.Equal(t, len(want), n)
			require.Equal(t, read, dst)
			_, err = binary.Decode(want[:len(want)-1], binary.LittleEndian, fresh(m))
			require.ErrorIs(t, err, tagcodec.ErrOverread)
		})
	}
}

// Read consumes no byte after the message, whether or not its size is fixed.
func TestReadStopsAtTheEnd(t *testing.T) {
	for i, m := range messages() {
		t.Run(fmt.Sprintf("%d %T", i, m), func(t *testing.T) {
			wire, err := tagcodec.Marshal(m)
			require.NoError(t, err)
			want := fresh(m)
			require.NoError(t, tagcodec.Unmarshal(wire, want))
			for _, wrap := range []func(io.Reader) io.Reader{
				func(r io.Reader) io.Reader { return r }, iotest.OneByteReader, iotest.HalfReader,
			} {
				r := bytes.NewReader(append(bytes.Clone(wire), "\xFF\xFFthe next"...))
				got := fresh(m)
				require.NoError(t, binary.Read(wrap(r), binary.LittleEndian, got))
				require.Equal(t, want, got)
				require.Equal(t, len("\xFF\xFFthe next"), r.Len())
			}
			for n := range wire {
				if n > 40 && n < len(wire)-40 {
					continue
				}
				r := &onlyBytes{r: bytes.NewReader(wire[:n])}
				err := binary.Read(r, binary.LittleEndian, fresh(m))
				if n == 0 {
					require.Equal(t, io.EOF, err)
				} else {
					require.Equal(t, io.ErrUnexpectedEOF, err, "%d of %d bytes", n, len(wire))
				}
				require.Equal(t, n, r.read)
				err = binary.Read(io.MultiReader(bytes.NewReader(wire[:n]), iotest.ErrReader(errDisk)), binary.LittleEndian, fresh(m))
				require.Equal(t, errDisk, err)
			}
		})
	}
}

// Read asks for what must come in one call: the minimum of the message, and after a
// count or a bit what it tells, with the minimum of the rest.
func TestReadsAhead(t *testing.T) {
	type item struct {
		Kind uint8  `bp:"bits=3"`
		Name string `bp:"maxlen=20"`
		At   [2]float32
	}
	type list struct {
		Items []item `bp:"maxlen=100"`
		More  bool
		Big   [4]uint64 `bp:"if=More"`
		Last  uint32
	}
	r := &calls{}
	require.NoError(t, binary.Write(&r.data, binary.LittleEndian, &list{Items: []item{{1, "", [2]float32{}}, {2, "six666", [2]float32{}}, {}}, More: true}))
	size := r.data.Len()
	require.NoError(t, binary.Read(r, binary.LittleEndian, new(list)))
	require.Equal(t, []int{5, 27, 7, 32}, r.sizes, "the message without items, three empty ones, a text, an array")
	require.Equal(t, 71, size)
}

// calls records how much is asked for.
type calls struct {
	data  bytes.Buffer
	sizes []int
}

func (r *calls) Read(p []byte) (int, error) {
	r.sizes = append(r.sizes, len(p))
	return r.data.Read(p)
}

// Read treats a changed message as Decode does: it returns the same value and
// consumes the same bytes, or returns the same error.
func TestReadLikeDecode(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i, m := range messages() {
		t.Run(fmt.Sprintf("%d %T", i, m), func(t *testing.T) {
			wire, err := tagcodec.Marshal(m)
			require.NoError(t, err)
			for range effort.Rounds(t, 125) {
				data := append(bytes.Clone(wire), make([]byte, 50)...)
				for range 1 + r.IntN(4) {
					bit := r.IntN(8 * min(len(data), 40<<r.IntN(8)))
					data[bit/8] ^= 1 << (bit % 8)
				}
				readLikeDecode(t, data, fresh(m), fresh(m))
			}
		})
	}
}

func readLikeDecode(t testing.TB, data []byte, want, got any) {
	t.Helper()
	n, refused := binary.Decode(data, binary.LittleEndian, want)
	r := &onlyBytes{r: bytes.NewReader(data)}
	err := binary.Read(r, binary.LittleEndian, got)
	switch {
	case refused == nil:
		require.NoError(t, err, "%x", data)
		require.Equal(t, n, r.read, "%x", data)
		require.Equal(t, wireOf(t, want), wireOf(t, got), "%x", data) // this tells NaNs apart
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		// The message claims more bytes than there are, or Decode refused it
		// before reaching its end.
		require.Equal(t, len(data), r.read)
	default:
		require.EqualError(t, err, refused.Error(), "%x", data)
	}
}

// A count whose elements take more bits than an int can hold is refused by Read
// and by Decode in the same way, and no more bytes are read.
func TestReadMoreThanAnIntCounts(t *testing.T) {
	type vast struct { // just below a quarter of MaxInt bits, in no memory
		Marks [math.MaxInt / 64]struct {
			_ struct{} `bp:"const,bits=16,value=1"`
		}
	}
	type vasts struct {
		All []vast `bp:"maxlen=7"`
	}
	type manyVasts struct {
		Of []vasts `bp:"maxlen=31"`
	}
	for _, row := range []struct {
		value any
		data  []byte
	}{
		{new(vasts), []byte{7}},
		{new(manyVasts), append([]byte{23 | 4<<5}, make([]byte, 9)...)}, // with 22 counts still to come
	} {
		r := &onlyBytes{r: bytes.NewReader(append(bytes.Clone(row.data), make([]byte, 99)...))}
		err := binary.Read(r, binary.LittleEndian, row.value)
		require.ErrorContains(t, err, fmt.Sprintf("%d more bits needed", math.MaxInt))
		require.Equal(t, len(row.data), r.read)
		_, refused := binary.Decode(row.data, binary.LittleEndian, row.value)
		require.EqualError(t, err, refused.Error())
	}
}

func wireOf(t testing.TB, m any) []byte {
	wire, err := tagcodec.Marshal(m)
	require.NoError(t, err)
	return wire
}

// FuzzRead compares Read with Decode on arbitrary bytes.
func FuzzRead(f *testing.F) {
	all := messages()
	for i, m := range all {
		wire, err := tagcodec.Marshal(m)
		require.NoError(f, err)
		f.Add(uint8(i), wire)
	}
	f.Fuzz(func(t *testing.T, i uint8, data []byte) {
		m := all[int(i)%len(all)]
		readLikeDecode(t, data, fresh(m), fresh(m))
	})
}

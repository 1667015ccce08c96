package binary_test

import (
	"bufio"
	"bytes"
	std "encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/binary"
	"github.com/stretchr/testify/require"
)

// An error names the element of the slice, the path in it, and the bit of the whole
// message. This is so for elements of one run, of one value, and of several blocks.
func TestElementErrors(t *testing.T) {
	type pair struct {
		Pos  [2]uint8 `bp:"int,min=0,max=5"`
		More []item   `bp:"maxlen=3"`
	}
	type single struct {
		A uint16 `bp:"int,min=0,max=300"`
	}
	for _, row := range []struct {
		data any
		want string
	}{
		{[]fixedSize{{}, {Team: 7}, {Health: 101}}, "binary: element 2: marshal fixedSize.Health at bit 82: value out of range: 101 is outside [0, 100]"},
		{[]single{{1}, {2}, {3}, {301}}, "binary: element 3: marshal single.A at bit 27: value out of range: 301 is outside [0, 300]"},
		{[]pair{{}, {Pos: [2]uint8{5, 6}}, {Pos: [2]uint8{7, 0}}}, "binary: element 1: marshal pair.Pos[1] at bit 11: value out of range: 6 is outside [0, 5]"},
		{[]pair{{More: []item{{}}}, {More: []item{{}, {Kind: 6}}}}, "binary: element 1: marshal pair.More[1].Kind at bit 22: value out of range: 6 is outside [0, 5]"},
	} {
		_, err := binary.Append(nil, binary.LittleEndian, row.data)
		require.EqualError(t, err, row.want)
		require.ErrorIs(t, err, tagcodec.ErrRange)
		require.Equal(t, -1, binary.Size(row.data))
		var w bytes.Buffer
		w.Grow(1000)
		require.EqualError(t, binary.Write(&w, binary.LittleEndian, row.data), row.want)
		require.Zero(t, w.Len())
	}
	wire := []byte{0, 6 << 3, 0}
	_, err := binary.Decode(wire, binary.LittleEndian, make([]pair, 2))
	require.EqualError(t, err, "binary: element 1: unmarshal pair.Pos[1] at bit 11: value out of range: 6 is outside [0, 5]")
	require.EqualError(t, binary.Read(bytes.NewReader(wire), binary.LittleEndian, make([]pair, 2)), err.Error())
	_, err = binary.Decode([]byte{1, 0xFF, 0xFF}, binary.LittleEndian, make([]single, 3))
	require.EqualError(t, err, "binary: element 1: unmarshal single.A at bit 9: value out of range: 511 is outside [0, 300]")
	_, err = binary.Decode([]byte{1, 2}, binary.LittleEndian, make([]single, 3))
	require.EqualError(t, err, "binary: element 1: unmarshal single.A at bit 9: read past the end of the data: 9 more bits needed, 7 left")
}

// Encode reports what comes first: the end of the buffer, or the element that is
// invalid.
func TestEncodeTooSmall(t *testing.T) {
	_, tooSmall := std.Encode(nil, std.LittleEndian, uint8(0))
	list := []fixedSize{{}, {}, {Health: 101}} // of 41 bits
	for size := range 30 {
		_, err := binary.Encode(make([]byte, size), binary.LittleEndian, list)
		if 8*size < 82 {
			require.Equal(t, tooSmall, err, "%d bytes", size)
		} else {
			require.ErrorIs(t, err, tagcodec.ErrRange, "%d bytes", size)
		}
		_, err = binary.Encode(make([]byte, size), binary.LittleEndian, list[2])
		require.ErrorIs(t, err, tagcodec.ErrRange)
	}
}

// Encode and Write may overwrite memory that the value refers to.
func TestValueInTheBuffer(t *testing.T) {
	type refers struct {
		Data []byte `bp:"maxlen=20"`
		Last *uint8 `bp:"uint,bits=7"`
		Next *uint8 `bp:"uint,bits=7"`
	}
	type behind struct { // Words overwrite what Last refers to
		Words [2]uint64
		Last  *uint8 `bp:"uint,bits=7"`
	}
	buf := make([]byte, 64)
	for _, v := range []any{&refers{buf[1:20], &buf[2], &buf[3]}, &behind{[2]uint64{1 << 40, 1 << 50}, &buf[4]}} {
		for i := range buf {
			buf[i] = byte(i)
		}
		want, err := tagcodec.Marshal(v)
		require.NoError(t, err)
		n, err := binary.Encode(buf, binary.LittleEndian, v)
		require.NoError(t, err)
		require.Equal(t, want, buf[:n])

		for i := range buf {
			buf[i] = byte(i)
		}
		w := bytes.NewBuffer(buf)
		w.Reset()
		require.NoError(t, binary.Write(w, binary.LittleEndian, v))
		require.Equal(t, want, w.Bytes())
	}
}

// Write appends to Writers that have a buffer what it writes to others.
func TestWriteToBuffers(t *testing.T) {
	for _, m := range messages() {
		want := wireOf(t, m)
		for _, room := range []int{0, 1, 1000, 20000} {
			var w, under bytes.Buffer
			w.Grow(room)
			w.WriteString("head")
			buffered := bufio.NewWriterSize(&under, max(room, 16))
			buffered.WriteString("head")
			require.NoError(t, binary.Write(&w, binary.LittleEndian, m))
			require.NoError(t, binary.Write(buffered, binary.LittleEndian, m))
			require.NoError(t, buffered.Flush())
			require.Equal(t, "head"+string(want), w.String())
			require.Equal(t, "head"+string(want), under.String())
		}
	}
}

// Read returns the same from a Reader with a buffer as from any other: the value,
// the error, and the bytes after the message.
func TestReadFromBuffers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i, m := range messages() {
		t.Run(fmt.Sprintf("%d %T", i, m), func(t *testing.T) {
			wire := wireOf(t, m)
			for round := range 60 {
				data := append(bytes.Clone(wire), "the next"...)
				switch round % 3 {
				case 1:
					data = data[:r.IntN(len(data)+1)]
				case 2:
					data[r.IntN(len(data))] ^= 1 << r.IntN(8)
				}
				plain := bytes.NewReader(data)
				want := fresh(m)
				wantErr := binary.Read(struct{ io.Reader }{plain}, binary.LittleEndian, want)
				part := bufio.NewReaderSize(bytes.NewReader(data), 16)
				part.Peek(1)
				whole := bufio.NewReaderSize(bytes.NewReader(data), len(data)+16)
				whole.Peek(len(data))
				for _, from := range []io.Reader{bytes.NewBuffer(bytes.Clone(data)), bytes.NewReader(data), part, whole} {
					got := fresh(m)
					err := binary.Read(from, binary.LittleEndian, got)
					require.Equal(t, fmt.Sprint(wantErr), fmt.Sprint(err), "%T %x", from, data)
					if err == nil {
						require.Equal(t, wireOf(t, want), wireOf(t, got), "%T %x", from, data)
						require.NoError(t, from.(io.ByteScanner).UnreadByte())
						last, _ := from.(io.ByteScanner).ReadByte()
						require.Equal(t, data[len(data)-plain.Len()-1], last)
					}
					rest, _ := io.ReadAll(from)
					require.Equal(t, string(data[len(data)-plain.Len():]), string(rest), "%T %x", from, data)
				}
			}
		})
	}
}

// Read consumes exactly the bytes of the elements of a slice, wherever within a byte
// each of them starts.
func TestReadSlicesStopsAtTheEnd(t *testing.T) {
	for i, m := range messages() {
		elem := reflect.ValueOf(m).Elem()
		_, custom := m.(*customs)
		for n := 1; n <= 9; n++ {
			all := reflect.MakeSlice(reflect.SliceOf(elem.Type()), n, n)
			for k := range n {
				if custom || k%3 != 1 || binary.Size(reflect.Zero(elem.Type()).Interface()) < 0 { // some zero values are valid and short
					all.Index(k).Set(elem)
				}
			}
			wire, err := binary.Append(nil, binary.LittleEndian, all.Interface())
			require.NoError(t, err, "%d %T", i, m)
			if len(wire) == 0 {
				continue
			}
			r := &frugal{data: append(bytes.Clone(wire), "the next"...)}
			into := reflect.MakeSlice(all.Type(), n, n)
			for k := range n {
				into.Index(k).Set(reflect.ValueOf(fresh(m)).Elem())
			}
			got := into.Interface()
			require.NoError(t, binary.Read(r, binary.LittleEndian, got), "%d elements of %d %T", n, i, m)
			require.Equal(t, len(wire), r.read, "%d elements of %d %T", n, i, m)
			again, err := binary.Append(nil, binary.LittleEndian, got)
			require.NoError(t, err)
			require.Equal(t, wire, again, "%d elements of %d %T", n, i, m)
		}
	}
}

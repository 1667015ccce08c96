// The standard library and reflect allocate, so the counts below do not apply.

//go:build !purego

package binary_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec/binary"
	"github.com/stretchr/testify/require"
)

// Append, Encode, Decode and Size do not allocate, neither for their own work
// nor by making an argument escape from its caller's stack.
func TestAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector takes memory, and makes pools forget")
	}
	const little, big = true, false
	buf := make([]byte, 1<<16)
	var (
		number  = int32(7)
		one     = plain{A: 1}
		many    = make([]plain, 200)
		numbers = make([]int32, 1000)
		named   = make([]myInt32, 10)
		tagged  = fixedSize{Health: 5}
		taggeds = make([]fixedSize, 50)
		seats   = make([]seat, 50)
	)
	append_ := func(little bool, v any) error {
		_, err := binary.Append(buf[:0], order(little), v)
		return err
	}
	encode := func(little bool, v any) error {
		_, err := binary.Encode(buf, order(little), v)
		return err
	}
	decode := func(little bool, v any) error {
		_, err := binary.Decode(buf, order(little), v)
		return err
	}
	size := func(v any) error {
		if binary.Size(v) < 0 {
			return io.ErrShortBuffer
		}
		return nil
	}
	r := bytes.NewReader(nil)
	for _, row := range []struct {
		name string
		call func() error
	}{
		{"Append a number", func() error { return append_(big, number) }},
		{"Append a local number", func() error { v := number; return append_(big, &v) }},
		{"Append numbers", func() error { return append_(big, numbers) }},
		{"Append named numbers", func() error { return append_(big, named) }},
		{"Append a struct", func() error { return append_(little, one) }},
		{"Append a pointer to a struct", func() error { return append_(little, &one) }},
		{"Append a local struct", func() error { v := one; return append_(little, &v) }},
		{"Append structs", func() error { return append_(big, many) }},
		{"Append a tagged struct", func() error { return append_(little, tagged) }},
		{"Append a pointer to a tagged struct", func() error { return append_(little, &tagged) }},
		{"Append a local tagged struct", func() error { v := tagged; return append_(little, &v) }},
		{"Append tagged structs", func() error { return append_(little, taggeds) }},
		{"Append structs of any size", func() error { return append_(little, seats) }},

		{"Encode a number", func() error { return encode(big, number) }},
		{"Encode a struct", func() error { return encode(big, &one) }},
		{"Encode structs", func() error { return encode(little, many) }},
		{"Encode a tagged struct", func() error { return encode(little, &tagged) }},
		{"Encode tagged structs", func() error { return encode(little, taggeds) }},

		{"Decode a number", func() error { clear(buf); return decode(big, &number) }},
		{"Decode a local number", func() error { var v int32; return decode(big, &v) }},
		{"Decode a struct", func() error { return decode(little, &one) }},
		{"Decode a local struct", func() error { var v plain; return decode(little, &v) }},
		{"Decode structs", func() error { return decode(big, many) }},
		{"Decode a tagged struct", func() error { return decode(little, &tagged) }},
		{"Decode a local tagged struct", func() error { var v fixedSize; return decode(little, &v) }},
		{"Decode tagged structs", func() error { return decode(little, taggeds) }},
		{"Decode structs of any size", func() error { return decode(little, seats) }},

		{"Size of a struct", func() error { return size(&one) }},
		{"Size of structs", func() error { return size(many) }},
		{"Size of a tagged struct", func() error { return size(&tagged) }},
		{"Size of structs of any size", func() error { return size(seats) }},

		{"Read structs", func() error { r.Reset(buf); return binary.Read(r, binary.BigEndian, many) }},
		{"Write structs", func() error { return binary.Write(io.Discard, binary.BigEndian, many) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			require.NoError(t, row.call())
			require.Zero(t, testing.AllocsPerRun(100, func() { _ = row.call() }))
		})
	}
}

func order(little bool) binary.ByteOrder {
	if little {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

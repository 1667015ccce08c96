// The standard library and reflect allocate, and the race detector does, so the
// counts below do not apply to such builds.

//go:build !purego && !race

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
	buf := make([]byte, 1<<16)
	zero := func(name string, call func() error) {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, call())
			require.Zero(t, testing.AllocsPerRun(100, func() { _ = call() }))
		})
	}
	check := func(n int, err error) error {
		if n < 0 {
			return io.ErrShortBuffer
		}
		return err
	}
	one, tagged := plain{A: 1}, fixedSize{Health: 5}
	for name, row := range map[string]struct {
		order binary.ByteOrder
		v     any
	}{
		"a number":               {binary.BigEndian, ptr(int32(7))},
		"numbers":                {binary.BigEndian, make([]int32, 1000)},
		"named numbers":          {binary.BigEndian, make([]myInt32, 10)},
		"a struct":               {binary.LittleEndian, &one},
		"structs":                {binary.BigEndian, make([]plain, 200)},
		"a tagged struct":        {binary.LittleEndian, &tagged},
		"tagged structs":         {binary.LittleEndian, make([]fixedSize, 50)},
		"structs of any size":    {binary.LittleEndian, make([]seat, 50)},
		"a pointer to a slice":   {binary.BigEndian, ptr(make([]plain, 9))},
		"a large tagged element": {binary.LittleEndian, &[60]seat{}},
	} {
		clear(buf)
		zero("Append "+name, func() error { _, err := binary.Append(buf[:0], row.order, row.v); return err })
		zero("Encode "+name, func() error { return check(binary.Encode(buf, row.order, row.v)) })
		zero("Decode "+name, func() error { return check(binary.Decode(buf, row.order, row.v)) })
		zero("Size of "+name, func() error { return check(binary.Size(row.v), nil) })
	}
	number, little, big := int32(7), binary.LittleEndian, binary.BigEndian
	zero("Append a value", func() error { _, err := binary.Append(buf[:0], big, number); return err })
	zero("Append a local number", func() error { v := number; _, err := binary.Append(buf[:0], big, &v); return err })
	zero("Append a local struct", func() error { v := one; _, err := binary.Append(buf[:0], little, &v); return err })
	zero("Append a local tagged struct", func() error { v := tagged; _, err := binary.Append(buf[:0], little, &v); return err })
	clear(buf)
	zero("Decode a local number", func() error { var v int32; return check(binary.Decode(buf, big, &v)) })
	zero("Decode a local struct", func() error { var v plain; return check(binary.Decode(buf, little, &v)) })
	zero("Decode a local tagged struct", func() error { var v fixedSize; return check(binary.Decode(buf, little, &v)) })
	r, many := bytes.NewReader(nil), make([]plain, 200)
	zero("Read structs", func() error { r.Reset(buf); return binary.Read(r, big, many) })
	zero("Write structs", func() error { return binary.Write(io.Discard, big, many) })
}

package main

import (
	"io"

	"github.com/gobitpack/bitpack/tagcodec/binary"
)

// after is the same program with another import. It produces the same bytes.
func after(rw io.ReadWriter, in, out []state) error {
	if err := binary.Write(rw, binary.LittleEndian, in); err != nil {
		return err
	}
	return binary.Read(rw, binary.LittleEndian, out)
}

package bad

import (
	"io"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/binary"
)

// Header has the padding of a file format.
type Header struct {
	Size uint32
	_    [4]byte // want: Header._ (field 2): the field is blank and has no tag, and package binary refuses the type, which has tags: keep the place of N bits with _ struct{} `bp:"reserved,bits=N"`, or leave the field out with bp:"-"
	_    [0]func()
	part Part   // want: Header.part: the field is not exported and has no tag, and package binary refuses the type, which has tags: export it, keep the place of N bits with _ struct{} `bp:"reserved,bits=N"`, or leave the field out with bp:"-"
	note []byte `bp:"-"`
	In   [3]Part
	Bits uint8    `bp:"bits=3"`
	_    struct{} `bp:"reserved,bits=5"`
}

// Part has no tags.
type Part struct {
	A uint8
	_ uint8 // want: Part._ (field 2): the field is blank and has no tag, and package binary refuses the type, which has tags: keep the place of N bits with _ struct{} `bp:"reserved,bits=N"`, or leave the field out with bp:"-"
}

// Untagged is as in encoding/binary.
type Untagged struct {
	A uint8
	_ [3]byte
}

// Message is not for package binary.
type Message struct {
	A uint8 `bp:"bits=3"`
	_ uint8
}

func blanks(w io.Writer, u *Untagged, m *Message) error {
	if _, err := tagcodec.Marshal(m); err != nil {
		return err
	}
	if err := binary.Write(w, binary.BigEndian, u); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, []Header{{part: Part{}, note: nil}})
}

var _ = blanks

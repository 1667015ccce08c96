package main

import (
	"io"

	"github.com/gobitpack/bitpack/tagcodec/binary"
)

// tight is state with tags.
type tight struct {
	Tick     uint32
	Player   uint16     `bp:"uint,bits=10"`
	Position [3]float32 `bp:"float,min=-1024,max=1024,res=0.01"`
	AtRest   bool
	Velocity [3]float32 `bp:"float,min=-32,max=32,res=0.1,if=!AtRest"`
	Yaw      float32    `bp:"angle,bits=10"`
	Health   int16      `bp:"int,min=0,max=100"`
	Armor    int16      `bp:"int,min=0,max=100,common=0"`
	Weapon   uint8      `bp:"enum,max=7"`
	Ammo     [2]uint8   `bp:"int,min=0,max=99"`
}

// tagged is the program with tagged structs.
func tagged(rw io.ReadWriter, in, out []tight) error {
	if err := binary.Write(rw, binary.LittleEndian, in); err != nil {
		return err
	}
	return binary.Read(rw, binary.LittleEndian, out)
}

// inMemory avoids the Reader. A message of variable size must be taken from a
// Reader piece by piece.
func inMemory(w io.Writer, in, out []tight) error {
	data, err := binary.Append(nil, binary.LittleEndian, in)
	if err != nil {
		return err
	}
	if _, err := binary.Decode(data, binary.LittleEndian, out); err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

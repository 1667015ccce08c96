package main

import (
	"encoding/binary"
	"io"
)

// state is what the program stores. encoding/binary uses 42 bytes per record.
type state struct {
	Tick     uint32
	Player   uint16
	Position [3]float32
	Velocity [3]float32
	Yaw      float32
	Health   int16
	Armor    int16
	Weapon   uint8
	AtRest   bool
	Ammo     [2]uint8
}

// before is the program before the migration.
func before(rw io.ReadWriter, in, out []state) error {
	if err := binary.Write(rw, binary.LittleEndian, in); err != nil {
		return err
	}
	return binary.Read(rw, binary.LittleEndian, out)
}

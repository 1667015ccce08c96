// Package generated contains types of package values that have code written by bp
// gen, so that a program can measure them with and without it.
package generated

import "github.com/gobitpack/bitpack/bench/values"

//go:generate go run github.com/gobitpack/bitpack/cmd/bp gen -type Small,Packet,Frame,Mixed,Ints,Snapshot,RealPacket,ShipCreate .

type (
	Small      values.Small
	Packet     values.Packet
	Frame      values.Frame
	Mixed      values.Mixed
	Ints       values.Ints
	Snapshot   values.Snapshot
	RealPacket values.RealPacket
	ShipCreate values.ShipCreate
)

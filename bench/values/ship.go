package values

import "math/rand/v2"

// ShipCreate announces a ship, in 28 bytes if it has flags. Lengths, speeds and
// the rotation are integers in units of 1/1024. Its wire is that of the message of
// this name in the examples of schema.
type ShipCreate struct {
	Type     uint8    `bp:"int,min=0,max=5"`
	Position [3]int32 `bp:"int,min=-8388608,max=8388608"`
	Rotation [4]int16 `bp:"int,min=-1024,max=1024"`
	Velocity [3]int32 `bp:"int,min=-2097152,max=2097152"`
	HasFlags bool
	Flags    uint64 `bp:"uint,bits=4,if=HasFlags"`
	Team     uint8  `bp:"int,min=0,max=2"`
	Health   int16  `bp:"int,min=0,max=1000"`
	Thrust   int8   `bp:"int,min=0,max=100"`
}

// SampleShips returns n random ships with flags.
func SampleShips(n int) []ShipCreate {
	random := rand.New(rand.NewPCG(5, 6))
	list := make([]ShipCreate, n)
	for i := range list {
		list[i] = Random[ShipCreate](random)
		list[i].HasFlags = true
	}
	return list
}

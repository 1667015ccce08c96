package values

// Entity has a key.
type Entity struct {
	ID    uint16 `bp:"key"`
	Parts []Part `bp:"maxlen=3"`
}

// Part has a key of its own, inside of an element.
type Part struct {
	Slot uint8 `bp:"key"`
}

// Cell has a key beside that of a struct in it.
type Cell struct {
	Place  struct{ X, Y uint8 }
	Index  uint16 `bp:"key"`
	Entity Entity
}

// Link has two structs with a key.
type Link struct{ From, To Entity }

// Owned has the key of the struct that it embeds.
type Owned struct {
	Entity
	Owner uint8
}

// World has slices of them.
type World struct {
	Entities []Entity `bp:"maxlen=9"`
	Owned    []Owned  `bp:"maxlen=9"`
	Cells    []Cell   `bp:"maxlen=9"` // want: World.Cells[].Entity.ID: option "key" is given to Index as well, and one field identifies an element: keep one, or put both into one integer, such as y*width+x, and key that
	Links    []Link   `bp:"maxlen=9"` // want: World.Links[].To.ID: option "key" is given to From.ID as well, and one field identifies an element: keep one, or put both into one integer, such as y*width+x, and key that
	Fixed    [3]Link
	Grid     [2]struct {
		Links []Link `bp:"maxlen=9"` // want: World.Grid.Links[].To.ID: option "key" is given to From.ID as well, and one field identifies an element: keep one, or put both into one integer, such as y*width+x, and key that
	}
}

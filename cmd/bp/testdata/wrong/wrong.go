// Package wrong has types with wrong tags.
package wrong

// Inner has a wrong tag.
type Inner struct {
	A int32 `bp:"int,min=0"`
}

// Outer contains it.
type Outer struct {
	_     struct{} `bp:"align"`
	Inner []Inner  `bp:"maxlen=3"`
}

// Lone has two misspelled words.
type Lone struct {
	Health int32 `bp:"int,min=0,mx=100"`
	Armor  uint8 `bp:"unit8"`
}

// Package options has codecs with options, and values that are passed to the
// library.
package options

import (
	"fmt"
	"image"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/delta"
	"github.com/gobitpack/bitpack/tagcodec/packet"
)

// Event is a union that only options have members for.
type Event interface{ event() }

type hit struct {
	Damage uint8 `bp:"bits=7"`
}

type jump struct{ High bool }

func (hit) event()   {}
func (*jump) event() {}

// Written has its options in the call.
type Written struct {
	Event Event    `bp:"union"`
	_     struct{} `bp:"check"`
}

// Foreign has a member of another package.
type Foreign struct {
	Any any `bp:"union"`
}

// Moved has them in another option.
type Moved struct {
	X uint8    `bp:"bits=7"`
	_ struct{} `bp:"check"`
}

// Kept has them in a variable.
type Kept struct {
	Event Event `bp:"union"`
}

var written = tagcodec.MustFor[Written](tagcodec.WithMaxDepth(9), tagcodec.WithUnion[Event](hit{Damage: 3}, &jump{}), tagcodec.WithoutChecks())

var foreign = packet.Of[Foreign](tagcodec.WithUnion[any](image.Point{X: 1}))

var moved = delta.MustFor[Moved](delta.WithWindow(window()), delta.WithCodec(tagcodec.WithMaxDepth(window()), tagcodec.WithoutChecks()))

func window() int { return 9 }

var kept = []tagcodec.Option{tagcodec.WithUnion[Event](hit{})}

type (
	value              struct{ A uint8 }
	pointer            struct{ A uint8 }
	pair[T any, U any] struct {
		A T
		B U
	}
	other struct{ A uint8 }
)

// Send uses the types.
func Send(p *pointer, any any, list []value) error {
	_, err := tagcodec.For[Kept](kept...)
	v := list[0]
	_, err1 := tagcodec.Marshal(v)
	err2 := tagcodec.Unmarshal(nil, &p)
	_, err3 := tagcodec.Append(nil, pair[bool, uint8]{})
	_, err4 := tagcodec.Marshal(any)
	type inside struct{ A uint8 }
	_, err5 := tagcodec.Marshal(inside{})
	fmt.Println(written, foreign, moved, other{})
	return fmt.Errorf("%w %w %w %w %w %w", err, err1, err2, err3, err4, err5)
}

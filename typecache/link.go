package typecache

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
)

// linkBits is the width of a network id whose tag does not set bits.
const linkBits = 32

// link plans the network id of the object that a pointer or an interface refers
// to.
func (b *builder) link(t reflect.Type, at *place, o *options) error {
	n, ok, err := o.takeSmall("bits", 1, 64)
	if !ok {
		n = linkBits
	}
	if err == nil {
		err = o.rest(t)
	}
	if err != nil {
		return err
	}
	b.emit(&plan.Op{Code: plan.CodeLink, Bits: uint8(n)}, t, at)
	return nil
}

package tagcodec

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

// The plain interpreter is the oracle of the fast loops. In a build with the
// tag purego it is compared with itself, and the golden bytes of the other
// tests say what is right.

// plainUnmarshal reads all of data into v with the plain interpreter.
func plainUnmarshal(c *config, p *typecache.Plan, v reflect.Value, data []byte) error {
	r := bits.NewReader(data)
	if err := plainRead(c, p, v, r); err != nil {
		return err
	}
	if err := r.Finish(); err != nil {
		return &Error{Op: "unmarshal", Type: p.Type, Path: typename.Of(p.Type), Bit: r.Bit(), Err: err}
	}
	return nil
}

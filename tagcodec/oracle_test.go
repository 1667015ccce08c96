package tagcodec

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

// The reference interpreter is the oracle for the fast loops. With the build
// tag purego it is compared with itself, and only the golden tests check the
// bytes.

// plainUnmarshal decodes all of data into v with the reference interpreter.
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

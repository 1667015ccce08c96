//go:build purego

package tagcodec

import (
	"reflect"

	"github.com/gobitpack/bitpack/typecache"
)

// variable is what a message is made of or read into. It can be set.
type variable = reflect.Value

// variableOf returns the variable that v, which is not nil, points to.
func variableOf[T any](v *T) variable { return reflect.ValueOf(v).Elem() }

// variableTo returns the variable that a pointer refers to. It is missing where
// the pointer is nil.
func variableTo(pointer reflect.Value) variable { return pointer.Elem() }

// variableIn returns a variable of the value that an interface holds, which is
// no pointer.
func variableIn(v *any) variable {
	held := reflect.New(reflect.TypeOf(*v)).Elem()
	held.Set(reflect.ValueOf(*v))
	return held
}

// missing reports whether there is no variable.
func missing(v variable) bool { return !v.IsValid() }

// Without unsafe the plain interpreter is all there is.

func encode(c *config, plan *typecache.Plan, v variable, dst []byte) ([]byte, error) {
	return plainEncode(c, plan, v, dst)
}

// encodeFrom writes the message of v behind some bits of the first byte, into
// the memory of buf if that is enough. It returns the bit behind the message.
func encodeFrom(c *config, plan *typecache.Plan, v variable, buf []byte, phase int) (data []byte, end int, err error) {
	s := streams.Get().(*stream)
	defer s.release()
	s.w.Resume(append(buf[:0], 0), 0, phase)
	if err := plainWrite(c, plan, v, &s.w); err != nil {
		return nil, 0, err
	}
	return s.w.Bytes(), s.w.Bit(), nil
}

func decode(c *config, plan *typecache.Plan, v variable, data []byte, bit int) (int, error) {
	return plainDecode(c, plan, v, data, bit)
}

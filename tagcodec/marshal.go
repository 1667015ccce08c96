package tagcodec

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

// Marshal returns the message of v, a value or a pointer to one. It fails with
// a [*typecache.Error] if the type cannot be encoded as it is tagged, and with
// an [*Error] if the value cannot.
func Marshal(v any) ([]byte, error) {
	plan, base, err := source(v)
	if err != nil {
		return nil, err
	}
	if plan.MaxBits <= 8*shortMessage || plan.MinBits == plan.MaxBits {
		return encodeNew(plan, base, []byte{})
	}
	b := buffers.Get().(*[]byte)
	defer buffers.Put(b)
	out, err := encodeNew(plan, base, (*b)[:0])
	if err != nil {
		return nil, err
	}
	*b = out[:0]
	return slices.Clone(out), nil
}

func encodeNew(plan *typecache.Plan, base variable, buf []byte) ([]byte, error) {
	out, err := encode(&defaults, plan, base, buf)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Append appends the message of v, a value or a pointer to one, to dst, and
// changes nothing behind it in the memory of dst if that is enough. After an
// error it returns dst as it was; the memory behind its length may have changed.
//
// The value must not be in that memory, which the message overwrites. Append
// refuses slices of bytes in it with [ErrArgument]; nothing else is looked at,
// such as what pointers refer to or what a Serialize method writes.
func Append(dst []byte, v any) ([]byte, error) {
	plan, base, err := source(v)
	if err != nil {
		return dst, err
	}
	return encode(&defaults, plan, base, dst)
}

// Unmarshal reads all of data into the variable that v, a non-nil pointer,
// points to. Data that is no message of its type is refused with an [*Error],
// after which the variable holds what was read before the error, and no value
// is outside its range: the package comment says more. Unmarshal reuses the
// memory that the variable has, up to a bound that the package comment states.
// Nothing of what it held before shows. The wire does not tell nil slices and
// maps from empty ones: where none of their elements were sent, nil ones stay
// nil, and others become empty.
func Unmarshal(data []byte, v any) error {
	plan, base, err := destination(v)
	if err != nil {
		return err
	}
	return unmarshal(&defaults, plan, base, data)
}

// UnmarshalFirst is [Unmarshal] of one message from the start of data. It
// returns the bytes after it. The unused bits of the message's last byte may
// have any value.
func UnmarshalFirst(data []byte, v any) (rest []byte, err error) {
	plan, base, err := destination(v)
	if err != nil {
		return data, err
	}
	return unmarshalFirst(&defaults, plan, base, data)
}

// Size returns the length in bytes of the message of v, a value or a pointer
// to one, and the error that [Marshal] would return.
func Size(v any) (bytes int, err error) {
	plan, base, err := source(v)
	if err != nil {
		return 0, err
	}
	return size(&defaults, plan, base)
}

// MaxSize returns the length in bytes of the longest message that a value of
// v's type can have. It is [typecache.Unbounded] for recursive types and for
// types that serialize themselves. It is for limits and reports: memory of that
// size may be more than there is, and [Append] makes a buffer as long as it must
// be.
func MaxSize(v any) (bytes int, err error) {
	t := reflect.TypeOf(v)
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	plan, err := planOf(t)
	if err != nil {
		return 0, err
	}
	return bytesOf(plan.MaxBits), nil
}

// argument is the failure of a call that had nothing to work on.
func argument(op string, t reflect.Type, text string) error {
	path := "nil"
	if t != nil {
		path = typename.Of(t)
	}
	return &Error{Op: op, Type: t, Path: path, Err: fmt.Errorf("%w: %s", ErrArgument, text), misuse: true}
}

// source returns the plan and the address of a value, or of what it points to.
func source(v any) (*typecache.Plan, variable, error) {
	t := reflect.TypeOf(v)
	if t == nil {
		return nil, variable{}, argument("marshal", nil, "there is no value in nil")
	}
	if t.Kind() != reflect.Pointer {
		plan, err := planOf(t)
		return plan, variableIn(&v), err
	}
	base := variableTo(reflect.ValueOf(v))
	if missing(base) {
		return nil, variable{}, argument("marshal", t.Elem(), "a nil pointer has no message")
	}
	plan, err := planOf(t.Elem())
	return plan, base, err
}

// destination returns the plan and the address of what v points to.
func destination(v any) (*typecache.Plan, variable, error) { return destinationOf(nil, v) }

// destinationOf is destination for a part of a message of settings c, or nil.
func destinationOf(c *config, v any) (*typecache.Plan, variable, error) {
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Pointer {
		return nil, variable{}, argument("unmarshal", t, "pass a pointer to the variable to fill")
	}
	base := variableTo(reflect.ValueOf(v))
	if missing(base) {
		return nil, variable{}, argument("unmarshal", t.Elem(), "a nil pointer has no room for a message")
	}
	plan, err := c.plan(t.Elem())
	return plan, base, err
}

package tagcodec

import (
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
)

// Marshal returns the message of v, which is a value or a pointer to one. It
// fails with an error that wraps a [*typecache.Error] if the type or its tags are
// not valid, and with an [*Error] if the value cannot be encoded.
//
// The message contains no checksum and no version. Unmarshal may read damaged
// messages and those of other versions without an error. The package
// documentation says what detects them.
func Marshal(v any) ([]byte, error) {
	pl, base, err := source(v)
	if err != nil {
		return nil, err
	}
	if pl.MaxBits <= 8*core.ShortMessage || pl.MinBits == pl.MaxBits {
		return encodeNew(pl, base, []byte{})
	}
	b := core.Buffers.Get().(*[]byte)
	defer core.Buffers.Put(b)
	out, err := encodeNew(pl, base, (*b)[:0])
	if err != nil {
		return nil, err
	}
	*b = out[:0]
	return slices.Clone(out), nil
}

// encodeNew is engine.Encode with the default settings. It returns nil after an
// error.
func encodeNew(pl *plan.Plan, base engine.Variable, buf []byte) ([]byte, error) {
	out, err := engine.Encode(&defaultSettings, pl, base, buf)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Append appends the message of v, which is a value or a pointer to one, to
// dst. Spare capacity of dst beyond the message is left untouched. After an
// error Append returns dst unchanged, but its spare capacity may have been
// overwritten.
//
// The value must not share memory with the spare capacity of dst, because the
// message overwrites it. Append detects byte slices that do and fails with
// [ErrArgument]. It does not check other values, such as the targets of
// pointers or anything that a Serialize method writes.
func Append(dst []byte, v any) ([]byte, error) {
	pl, base, err := source(v)
	if err != nil {
		return dst, err
	}
	return engine.Encode(&defaultSettings, pl, base, dst)
}

// Unmarshal decodes all of data into the variable that v points to. v must be a
// non-nil pointer. If data is not a valid message, Unmarshal returns an
// [*Error]. The variable then holds what was decoded before the error, and
// every value is within its range; see the package documentation.
//
// Unmarshal reuses the memory of the variable up to a limit given in the
// package documentation, and leaves no old values visible. The wire does not
// distinguish nil slices and maps from empty ones. If a message has no elements
// for them, nil ones stay nil and others become empty.
func Unmarshal(data []byte, v any) error {
	pl, base, err := destination(v)
	if err != nil {
		return err
	}
	return engine.Unmarshal(&defaultSettings, pl, base, data)
}

// UnmarshalFirst is like [Unmarshal] but decodes one message from the start of
// data and returns the bytes after it. The unused bits of the message's last
// byte may have any value.
func UnmarshalFirst(data []byte, v any) (rest []byte, err error) {
	pl, base, err := destination(v)
	if err != nil {
		return data, err
	}
	return engine.UnmarshalFirst(&defaultSettings, pl, base, data)
}

// Size returns the length in bytes of the message of v, which is a value or a
// pointer to one. It fails with the error that [Marshal] would return.
func Size(v any) (bytes int, err error) {
	pl, base, err := source(v)
	if err != nil {
		return 0, err
	}
	return engine.Size(&defaultSettings, pl, base)
}

// MaxSize returns the maximum length in bytes of a message of v's type. It is
// [typecache.Unbounded] for recursive types and for types that serialize
// themselves and have no MaxBits method. Use it for limits and reports, not to
// allocate a buffer: it may exceed the available memory, and [Append] grows its
// buffer as needed.
func MaxSize(v any) (bytes int, err error) {
	t := reflect.TypeOf(v)
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	pl, err := engine.PlanFor(nil, t, "")
	if err != nil {
		return 0, err
	}
	return saturate.Bytes(pl.MaxBits), nil
}

// argumentError returns the error for an invalid argument.
func argumentError(op string, t reflect.Type, text string) error {
	path := "nil"
	if t != nil {
		path = typename.Of(t)
	}
	return &Error{Op: op, Type: t, Path: path, Err: core.Explain(ErrArgument, "%s", text), misuse: true}
}

// source returns the plan and the address of v, or of the value that v points
// to.
func source(v any) (*plan.Plan, engine.Variable, error) {
	t := reflect.TypeOf(v)
	if t == nil {
		return nil, engine.Variable{}, argumentError("marshal", nil, "pass a value or a pointer to one")
	}
	if t.Kind() != reflect.Pointer {
		pl, err := engine.PlanFor(nil, t, "")
		return pl, engine.VariableIn(&v), err
	}
	base := engine.VariableTo(reflect.ValueOf(v))
	if engine.Missing(base) {
		return nil, engine.Variable{}, argumentError("marshal", t.Elem(), "the pointer is nil")
	}
	pl, err := engine.PlanFor(nil, t.Elem(), "")
	return pl, base, err
}

// destination returns the plan and the address of the variable that v points
// to.
func destination(v any) (*plan.Plan, engine.Variable, error) { return destinationOf(nil, v, "") }

// destinationOf is like destination but plans the type by a tag, which may be empty,
// and with the options of c, which may be nil.
func destinationOf(c *core.Settings, v any, tag string) (*plan.Plan, engine.Variable, error) {
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Pointer {
		return nil, engine.Variable{}, argumentError("unmarshal", t, "pass a pointer to the variable to fill")
	}
	base := engine.VariableTo(reflect.ValueOf(v))
	if engine.Missing(base) {
		return nil, engine.Variable{}, argumentError("unmarshal", t.Elem(), "the pointer is nil")
	}
	pl, err := engine.PlanFor(c, t.Elem(), tag)
	return pl, base, err
}

package typecache

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/internal/errtext"
	"github.com/gobitpack/bitpack/internal/typename"
)

// ErrTag is the error that every [Error] wraps.
var ErrTag = errors.New("the type cannot be encoded as it is tagged")

// Error reports a mistake in a type or its tags. The same type always gives the
// same Error. Its text is made from its fields, which are JSON for tools.
//
// Struct is the name of the struct with the field. It is a path if the struct has no
// name, or if it gets the options of a field that holds it.
type Error struct {
	Type       reflect.Type `json:"-"`                    // the type whose plan was requested
	Mistake    Mistake      `json:"mistake"`              // the kind of mistake
	Struct     string       `json:"struct"`               // the struct, or the type itself: "Player"
	Field      string       `json:"field,omitempty"`      // its field, or "" if the type has the mistake: "Health"
	Key        bool         `json:"key,omitempty"`        // the mistake is in the keys of the field, a map
	Option     string       `json:"option,omitempty"`     // the option with the mistake, "kind", or "" if it is in neither
	Value      string       `json:"value,omitempty"`      // the wrong part of its value, the kind, or the name of a key or a method
	Min        string       `json:"min,omitempty"`        // the smallest value that is possible
	Max        string       `json:"max,omitempty"`        // the largest one
	Problem    string       `json:"problem"`              // what is wrong, in words that follow the option
	Known      []string     `json:"known,omitempty"`      // the words that are possible
	Suggestion string       `json:"suggestion,omitempty"` // what to write for the value or, without one, for the option
	Fix        string       `json:"fix,omitempty"`        // how to fix it, in words
}

// Error returns the path and the text.
func (e *Error) Error() string { return "typecache: " + e.Path() + ": " + e.Text() }

// Path returns the struct and the field, such as "Player.Health".
func (e *Error) Path() string {
	path := typename.Join(e.Struct, e.Field)
	if e.Key {
		path += " (key)"
	}
	return path
}

// Text returns what is wrong and how to fix it.
func (e *Error) Text() string {
	text := e.Problem
	switch {
	case e.Option == "kind":
		text = "kind " + strconv.Quote(e.Value) + " " + text
	case e.Option != "":
		text = "option " + strconv.Quote(e.Option) + " " + text
	}
	switch {
	case e.Fix != "":
		text += ": " + e.Fix
	case e.Suggestion != "":
		text += "; did you mean " + strconv.Quote(e.Suggestion) + "?"
	case len(e.Known) > 0:
		text += "; known are " + strings.Join(e.Known, ", ")
	}
	return text
}

// Unwrap returns [ErrTag].
func (e *Error) Unwrap() error { return ErrTag }

// Is reports whether target is the kind of the mistake.
func (e *Error) Is(target error) bool { return target == error(e.Mistake) }

// Mistake is a kind of mistake. It is an error for [errors.Is] alone:
// errors.Is(err, MistakeRange) reports whether err is an [Error] of this kind.
type Mistake string

// The kinds of mistakes.
const (
	MistakeSyntax       Mistake = "syntax"       // a tag is malformed
	MistakeKey          Mistake = "key"          // the key of a tag, Value, is nearly bp
	MistakeUnknown      Mistake = "unknown"      // there is no such kind or option
	MistakeMissing      Mistake = "missing"      // an option is needed
	MistakeConflict     Mistake = "conflict"     // two parts of a tag, or of two tags, exclude each other
	MistakeValue        Mistake = "value"        // the value of an option has another form than it needs
	MistakeRange        Mistake = "range"        // a number is not between Min and Max
	MistakeInapplicable Mistake = "inapplicable" // the kind or the option does not apply to the Go type
	MistakePlace        Mistake = "place"        // the tag, the kind or the option must be at another place
	MistakeReference    Mistake = "reference"    // an option cannot refer to the field that it names, Value
	MistakeHandedOn     Mistake = "handed on"    // a field gets options although it has a tag
	MistakeType         Mistake = "type"         // the Go type has no encoding
	MistakeMethod       Mistake = "method"       // a method would not encode the whole value, or is not called
	MistakeUnion        Mistake = "union"        // no types are registered for a union
	MistakeMemory       Mistake = "memory"       // a small message could claim much memory or work
	MistakeSize         Mistake = "size"         // the plan needs more than MaxOps ops
)

// Error returns the name of the kind.
func (m Mistake) Error() string { return "a mistake in a tag: " + string(m) }

// fail returns an Error without a place. Its problem has a format. It is not copied
// into its many callers.
//
//go:noinline
func fail(m Mistake, option, fix, format string, args ...any) *Error {
	return &Error{Mistake: m, Option: option, Fix: fix, Problem: fmt.Sprintf(format, args...)}
}

// outside returns the error about a value that is not in [lo, hi]. of says what has
// this range, or is "".
//
//go:noinline
func outside(option, fix string, value, lo, hi any, of string) *Error {
	return fail(MistakeRange, option, fix, "must be in [%v, %v]%s, not %v", lo, hi, of, value).with(fmt.Sprint(value)).within(lo, hi)
}

// within sets the bounds.
//
//go:noinline
func (e *Error) within(lo, hi any) *Error {
	e.Min, e.Max = fmt.Sprint(lo), fmt.Sprint(hi)
	return e
}

// badRange returns what package compress says about a range, or nil if err is nil.
func badRange(err error) error {
	if err == nil {
		return nil
	}
	return fail(MistakeRange, "", "", "%s", errtext.Bare(err))
}

// both returns the error about two options that do the same.
func both(option, does, others string) *Error {
	return fail(MistakeConflict, option, "keep one", "%s, as %s", does, others)
}

// with sets the wrong value.
//
//go:noinline
func (e *Error) with(value string) *Error {
	e.Value = value
	return e
}

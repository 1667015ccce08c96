package typecache

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/internal/integer"
)

// options is a parsed tag. Each step of planning removes the options that it
// uses. An option that is left at the end does not apply, and is an error.
type options struct {
	kind string // "" if the Go type decides
	list []option
}

// option is an option of a tag. Its value is empty if it takes none.
type option struct{ name, value string }

// empty reports whether o has neither a kind nor options.
func (o *options) empty() bool { return o.kind == "" && len(o.list) == 0 }

// is reports whether o has one of several kinds. It is not copied into its callers.
//
//go:noinline
func (o *options) is(kinds ...string) bool { return slices.Contains(kinds, o.kind) }

// has reports whether o has an option. It and other methods have many callers, into
// which they would be copied.
//
//go:noinline
func (o *options) has(name string) bool {
	for i := range o.list {
		if o.list[i].name == name {
			return true
		}
	}
	return false
}

// hasAny reports whether o has one of several options.
//
//go:noinline
func (o *options) hasAny(names ...string) bool { return slices.ContainsFunc(names, o.has) }

// mentions reports whether o has an option, with or without a prefix.
//
//go:noinline
func (o *options) mentions(name string) bool {
	for i := range o.list {
		if p := &o.list[i]; p.name == name || strings.HasSuffix(p.name, "."+name) {
			return true
		}
	}
	return false
}

// take removes an option and returns its value. ok is false if o lacks it.
//
//go:noinline
func (o *options) take(name string) (value string, ok bool) {
	for i, p := range o.list {
		if p.name == name {
			switch i { // the list may be shared, so its elements must not change
			case 0:
				o.list = o.list[1:]
			case len(o.list) - 1:
				o.list = o.list[:i:i]
			default:
				o.list = append(o.list[:i:i], o.list[i+1:]...)
			}
			return p.value, true
		}
	}
	return "", false
}

// takePrefixed removes the options with a prefix and returns them without the
// prefix.
func (o *options) takePrefixed(prefix string) (taken options, err error) {
	var rest []option
	for _, p := range o.list {
		name, ok := strings.CutPrefix(p.name, prefix)
		switch {
		case !ok:
			rest = append(rest, p)
		case name == "kind":
			if !isKind(p.value) {
				return taken, fail(MistakeUnknown, p.name, "", "names the kind %q, which is not known", p.value).with(p.value).suggest("", p.value, kinds)
			}
			taken.kind = p.value
		default:
			taken.list = append(taken.list, option{name, p.value})
		}
	}
	o.list = rest
	return taken, nil
}

// merge adds the options of more to o. If both set one, that of more is used.
func (o *options) merge(more *options) {
	if more.kind != "" {
		o.kind = more.kind
	}
	if len(more.list) == 0 {
		return
	}
	list := more.list[:len(more.list):len(more.list)]
	for _, p := range o.list {
		if !more.has(p.name) {
			list = append(list, p)
		}
	}
	o.list = list
}

// takeInt removes an integer option. It accepts the syntax of Go literals.
func (o *options) takeInt(name string) (x integer.Int, ok bool, err error) {
	text, ok := o.take(name)
	if !ok {
		return x, false, nil
	}
	x, valid := integer.Parse(text)
	if !valid {
		return x, true, badValue(name, text, "must be an integer", "")
	}
	return x, true, nil
}

// takeSmall removes an integer option, which must be in [lo, hi].
func (o *options) takeSmall(name string, lo, hi int64) (int64, bool, error) {
	x, ok, err := o.takeInt(name)
	if !ok || err != nil {
		return 0, ok, err
	}
	v, small := x.Int64()
	if !small || v < lo || v > hi {
		return 0, true, outside(name, "", x, lo, hi, "")
	}
	return v, true, nil
}

// takeRange removes min and max. Both are required.
func (o *options) takeRange() (lo, hi integer.Int, err error) {
	lo, ok, err := o.takeInt("min")
	if err != nil || !ok {
		return lo, hi, orMissing(err, "min")
	}
	hi, ok, err = o.takeInt("max")
	switch {
	case err != nil || !ok:
		err = orMissing(err, "max")
	case lo.Cmp(hi) > 0:
		err = fail(MistakeRange, "min", "swap them", "is %v and must not be above max=%v", lo, hi).with(lo.String()).within("", hi)
	}
	return lo, hi, err
}

// badValue returns the error about an option's value that must have another form.
//
//go:noinline
func badValue(option, value, must, fix string) *Error {
	return fail(MistakeValue, option, fix, "%s, not %q", must, value).with(value)
}

// takeFloat removes an option that is a float of size bits, 32 or 64.
func (o *options) takeFloat(name string, size int) (float64, bool, error) {
	text, ok := o.take(name)
	if !ok {
		return 0, false, nil
	}
	x, err := strconv.ParseFloat(text, size)
	if err != nil {
		return 0, true, badValue(name, text, "must be a float"+strconv.Itoa(size), "")
	}
	return x, true, nil
}

// takeRes removes the width of the steps of a float of size bits.
func (o *options) takeRes(size int) (float64, bool, error) {
	x, ok, err := o.takeFloat("res", size)
	if err == nil && ok && !(x > 0) {
		err = fail(MistakeRange, "res", "", "must be a positive number, not %v", x).with(strconv.FormatFloat(x, 'g', -1, size))
	}
	return x, ok, err
}

// orMissing returns err or, if err is nil, the error for a missing option.
//
//go:noinline
func orMissing(err error, name string) error {
	if err != nil {
		return err
	}
	return fail(MistakeMissing, name, "add "+name+"=", "is missing")
}

// rest returns an error that names the first option that no step of planning has
// removed. It returns nil if none is left.
func (o *options) rest(t reflect.Type) error {
	if len(o.list) == 0 {
		return nil
	}
	name, form, fix := o.list[0].name, o.kind+" of "+t.String(), "remove it"
	switch o.kind {
	case t.String():
		form = fmt.Sprintf("kind %q", o.kind)
	case "":
		form = "the plain form of " + t.String()
		if takes := takenBy.of(name); takes != "" {
			fix += ", or name the kind " + takes + " that takes it"
		}
	}
	return fail(MistakeInapplicable, name, fix, "does not apply to %s", form)
}

// takenBy maps an option that only one kind takes to that kind.
var takenBy = table{
	{"frac", "fixed"}, {"k", "expgolomb"}, {"unit", "angle"}, {"base", "relative"}, {"to", "relative"}, {"chain", "relative"}, {"value", "const"}, {"mode", "quat"},
}

// kindShapes describes the types that a kind applies to, for each kind that does
// not apply to scalars.
var kindShapes = table{
	{"quat", "four floats in an array or in a struct of X, Y, Z, W or of V, W"},
	{"unit", "three floats in an array or in a struct of X, Y, Z"},
	{"affine", "a struct of Translation, Rotation and Scale, a [16]float32 or a [4][4]float32"},
	{"union", "an interface"},
	{"link", "a pointer or an interface"},
}

// wrongKind returns the error for a kind that does not apply to type t. takes
// lists the kinds that do apply to it.
func (o *options) wrongKind(t reflect.Type, takes ...string) error {
	fix := "use " + strings.Join(takes, ", ") + " or no kind"
	switch whole := kindShapes.of(o.kind); {
	case whole != "":
		fix = "it is for " + whole
	case t.Kind() == reflect.Bool:
		fix = "remove it, because a bool takes 1 bit"
	case o.kind == "string":
		fix = "remove it, because a number is sent in bits and never as text"
	}
	e := fail(MistakeInapplicable, "kind", fix, "does not apply to %v", t).with(o.kind)
	e.Known = takes
	return e
}

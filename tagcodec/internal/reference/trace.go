package reference

import (
	"reflect"
	"strings"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/streams"
)

// Part is consecutive bits of a message, and what they say about a field. The
// parts of a message have all of its bits, in order.
type Part struct {
	Bit, Bits int
	Path      string
	What      string   // for example "count", or "" for a value
	Value     any      // or nil
	Op        *plan.Op // that has the bits
}

// Explain decodes data from bit into v, which must be settable, and calls part for
// each part of the message up to its end or to where it is refused. It resolves no
// links. It returns the bit after the last part.
func Explain(c *core.Settings, pl *plan.Plan, v reflect.Value, data []byte, bit int, part func(Part)) (int, error) {
	settings := *c
	settings.Linker, settings.SentinelErrors = noObjects{}, false
	s := streams.Get()
	defer s.Free()
	s.R.Reset(data, bit)
	d := decoder{interpreter: interpreter{c: &settings, p: pl, operation: "unmarshal", root: v, depth: c.Depth, reservedBits: c.ReservedBits}, r: &s.R, trace: &tracer{part, bit}}
	stopped := d.ops(0, -1, blockBase{value: v})
	if stopped != nil && stopped.bit > d.trace.end {
		d.traceTo(stopped.op, stopped.bit, stopped.subpath, "", nil)
	}
	return d.trace.end, d.report(stopped)
}

// noObjects is a Linker that knows no objects.
type noObjects struct{}

func (noObjects) ID(any) (uint64, bool)                       { return 0, false }
func (noObjects) Object(uint64) (any, bool)                   { return nil, false }
func (noObjects) Unresolved(uint64, string, core.WaitingLink) {}
func (noObjects) HasWaiting() bool                            { return false }
func (noObjects) HasWaitingFor(core.FieldKey) bool            { return false }
func (noObjects) RemoveWaiting(core.FieldKey)                 {}

// tracer calls part for each part of a message. The parts up to bit end have been
// passed.
type tracer struct {
	part func(Part)
	end  int
}

// traceTo passes the bits up to bit, unless there are none.
func (d *decoder) traceTo(op *plan.Op, bit int, subpath, what string, value any) {
	if from := d.trace.end; bit > from {
		d.trace.end = bit
		d.trace.part(Part{from, bit - from, d.pathTo(op) + subpath, what, value, op})
	}
}

// traceValue passes the bits of value i of an op, or of its only value if i is
// negative.
func (d *decoder) traceValue(op *plan.Op, i int, what string, v reflect.Value) {
	if d.trace == nil || d.r.Err() != nil {
		return
	}
	var subpath strings.Builder
	if t := d.p.Fields[op.Field].Type; i >= 0 && t != nil {
		core.WriteRunIndex(&subpath, t, i)
	}
	var value any
	if v.IsValid() {
		if v = core.Exposed(v); v.CanInterface() {
			value = v.Interface()
		}
	}
	d.traceTo(op, d.r.Bit(), subpath.String(), what, value)
}

// traceInt passes the bits of an integer that is not a value, such as a count.
func (d *decoder) traceInt(op *plan.Op, what string, n int) {
	if d.trace != nil && d.r.Err() == nil {
		d.traceTo(op, d.r.Bit(), "", what, n)
	}
}

// traceText passes bits that are not a value.
func (d *decoder) traceText(op *plan.Op, what string) {
	if d.trace != nil && d.r.Err() == nil {
		d.traceTo(op, d.r.Bit(), "", what, nil)
	}
}

// constantName returns the name of what a CodeConst is.
func constantName(op *plan.Op) string {
	if op.Flags&plan.FlagReserved != 0 {
		return "reserved"
	}
	return "constant"
}

// ValueOf returns the value of an op whose bits are the first of data, or nil if
// they are not valid. An op of several values has one of them there.
func ValueOf(pl *plan.Plan, op *plan.Op, data []byte) any {
	t := pl.Fields[op.Field].Type
	if t == nil {
		return nil
	}
	d := decoder{interpreter: interpreter{c: &core.Settings{}, p: pl, operation: "unmarshal"}, r: bits.NewReader(data)}
	if !op.Code.Scalar() {
		v := reflect.New(t).Elem()
		if d.nonRepeating(op, v) != nil {
			return nil
		}
		return v.Interface()
	}
	v := reflect.New(leaf(t)).Elem()
	if d.scalar(op, v, blockBase{}) != nil {
		return nil
	}
	return v.Interface()
}

// IntegerOf returns x as a value of an op of integers, or nil if the memory of
// the op cannot hold it.
func IntegerOf(pl *plan.Plan, op *plan.Op, x uint64) any {
	t := pl.Fields[op.Field].Type
	if t == nil {
		return nil
	}
	v := reflect.New(leaf(t)).Elem()
	switch {
	case v.CanInt() && !v.OverflowInt(int64(x)):
		v.SetInt(int64(x))
	case v.CanUint() && !v.OverflowUint(x):
		v.SetUint(x)
	default:
		return nil
	}
	return v.Interface()
}

// leaf returns the type of the scalars of a type.
func leaf(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Array || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Complex64:
		return reflect.TypeFor[float32]()
	case reflect.Complex128:
		return reflect.TypeFor[float64]()
	}
	return t
}

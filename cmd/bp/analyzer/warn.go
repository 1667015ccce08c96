package analyzer

import (
	"fmt"
	"go/types"
	"math"
	mathbits "math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/plan/tree"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/typecache"
)

// warning is a kind of warning about a field. Each is given once for a field.
type warning struct {
	field *types.Var
	kind  string
}

// valued is a value of a plan and the fields on the way to it.
type valued struct {
	*tree.Node
	root  types.Type
	steps []step
	scale bool // it is the scale of an affine struct
}

// warnValues warns of values in a type whose code is valid, but hardly what its author
// wants, and reports keys that delta.For refuses. The judge must have checked the type.
func (r *reporter) warnValues(c candidate) {
	if r.judge.plan == nil {
		return
	}
	scaled := 0 // the end of the scale that was met last
	for x := range sealed.PlanOf(r.judge.plan).Tree().All() {
		v := valued{Node: x, root: c.typ, scale: x.Op < scaled}
		if x.Kind == tree.KindScale {
			scaled = x.End
		}
		if v.steps, _ = follow(strip(c.typ), strings.ReplaceAll(x.Path, "[]", "")); len(v.steps) == 0 {
			continue
		}
		if slices.ContainsFunc(v.steps, func(s step) bool { return r.judge.bad.has(s.field) }) {
			continue // what it sends is not known
		}
		switch x.Kind {
		case tree.KindFloat32:
			q := x.Float32
			most := float64(q.Min + q.Delta)
			largest := float32(math.Max(math.Abs(float64(q.Min)), math.Abs(most)))
			r.warnFine(&v, "float32", float64(largest), float64(q.Delta)/float64(q.Steps), float64(largest-math.Nextafter32(largest, 0)))
			r.warnZero(&v, grid{float64(q.Min), most, uint64(q.Steps), 32}, float64(q.Decode(q.Encode(0))))
		case tree.KindFloat64:
			q := x.Float64
			most := q.Min + q.Delta
			largest := math.Max(math.Abs(q.Min), math.Abs(most))
			r.warnFine(&v, "float64", largest, q.Delta/float64(q.Steps), largest-math.Nextafter(largest, 0))
			r.warnZero(&v, grid{q.Min, most, q.Steps, 64}, q.Decode(q.Encode(0)))
		case tree.KindQuat:
			r.warnIdentity(&v)
		case tree.KindSlice:
			r.oneKey(&v)
		default:
			r.warnWide(&v)
		}
	}
}

// oneKey reports a second key of the elements of a slice, at the nearest field of the
// package around them. The library reports two keys in one struct; these are in
// different ones, or in one that the element holds twice.
func (r *reporter) oneKey(v *valued) {
	p := sealed.PlanOf(r.judge.plan)
	keys := p.ElementKeys(v.Op)
	if len(keys) < 2 {
		return
	}
	path := func(key int) string { return p.Fields[p.Ops[key].Field].Path }
	for i := len(v.steps) - 1; i >= 0; i-- {
		if f := v.steps[i].field; f.Pkg() == r.judge.pkg {
			e := &typecache.Error{Mistake: typecache.MistakeConflict, Option: "key"}
			e.Problem, e.Fix = plan.SecondKey(path(keys[0]))
			r.mistake(f.Pos(), display(v.root, v.steps)+"[]."+path(keys[1]), e)
			return
		}
	}
}

// warn adds a warning of a kind at a step, once for each field.
func (r *reporter) warn(v *valued, i int, kind, format string, args ...any) {
	f := v.steps[i].field
	if key := (warning{f, kind}); f.Pkg() == r.judge.pkg && !r.warned[key] {
		r.warned[key] = true
		r.add(f.Pos(), Warning, display(v.root, v.steps[:i+1])+": "+fmt.Sprintf(format, args...))
	}
}

// tagged returns the last step whose tag has one of several options, for the field or
// for its elements, and the option's value, or -1.
func (v *valued) tagged(names ...string) (i int, value string) {
	for i = len(v.steps) - 1; i >= 0; i-- {
		for _, name := range names {
			if value, ok := optionOf(v.steps[i].tag, name); ok {
				return i, value
			}
		}
	}
	return -1, ""
}

// warnFine warns of a res that is finer than the float that holds the values. largest
// is the bound farther from zero, and apart the spacing of floats there.
func (r *reporter) warnFine(v *valued, name string, largest, step, apart float64) {
	i, res := v.tagged("res")
	if !*fineRes || i < 0 || step >= apart*(1-1e-6) { // a range is divided into whole steps, which may be a little smaller than res
		return
	}
	larger := ""
	if name == "float32" {
		larger = ", or a float64"
	}
	r.warn(v, i, "res", "res=%s is finer than a %s, whose values near %s are %s apart: use res=%s%s",
		res, name, short(largest), short(apart), above(apart), larger)
}

// warnWide warns of an int that is sent with all its bits.
func (r *reporter) warnWide(v *valued) {
	if !*wideInt || v.Bits != 64 || v.Kind != tree.KindInt || !v.Full {
		return
	}
	t := v.Type
	for t.Kind() == reflect.Array || t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	k := t.Kind()
	if k != reflect.Int && k != reflect.Uint && k != reflect.Uintptr {
		return
	}
	if i, _ := v.tagged("bits", "common", "huffman"); i >= 0 {
		return
	}
	r.warn(v, len(v.steps)-1, "wide", "%v takes 64 bits: give it min= and max=, varint, or a smaller type, or write bits=64 if it needs all of them", k)
}

// warnIdentity warns of a rotation that does not keep the identity.
func (r *reporter) warnIdentity(v *valued) {
	if !*inexact {
		return
	}
	if i, _ := v.tagged("mode"); i >= 0 { // mode=three
		return
	}
	code, _ := v.Quat.Encode([4]float64{3: 1})
	q, _ := v.Quat.Decode(code)
	if q == [4]float64{3: 1} {
		return
	}
	fix := "add mode=sign where bodies must return to it exactly, or send a bool, and the rotation with if=, or write mode=three if it need not be exact"
	i, _ := v.tagged("bits")
	if i < 0 {
		i = len(v.steps) - 1
	}
	if mentionsKind(v.steps[i].tag, "affine") {
		fix = "leave out bits=, or use a struct whose Rotation has quat,mode=sign, or write mode=three if it need not be exact"
	}
	r.warn(v, i, "identity", "the identity becomes a rotation of %s degrees, because smallest three has no zero: %s", short(360/math.Pi*math.Acos(min(math.Abs(q[3]), 1))), fix)
}

// warnZero warns of a range of floats that has zero between two steps.
func (r *reporter) warnZero(v *valued, g grid, zero float64) {
	if !*inexact || v.scale || g.min > 0 || g.max < 0 || zero == 0 {
		return
	}
	i, _ := v.tagged("min")
	if i < 0 {
		i = len(v.steps) - 1
	}
	tag := v.steps[i].tag
	if _, optional := optionOf(tag, "optional"); optional || listsZero(tag) {
		return
	}
	prefix := prefixOf(tag, "min")
	fix := "add " + prefix + "common=0"
	res, _ := optionOf(tag, "res")
	if better := g.exact(res); better != "" {
		fix = "use " + prefix + strings.ReplaceAll(better, ",", ","+prefix) + ", or " + fix
	}
	r.warn(v, i, "zero", "0 becomes %s, because no step is 0: %s", short(zero), fix)
}

// listsZero reports whether common or huffman in a tag list 0.
func listsZero(tag string) bool {
	for _, name := range []string{"common", "huffman"} {
		list, _ := optionOf(tag, name)
		for entry := range strings.SplitSeq(list, "|") {
			value, _, _ := strings.Cut(entry, ":")
			if f, err := strconv.ParseFloat(value, 64); err == nil && f == 0 {
				return true
			}
		}
	}
	return false
}

// grid is the codes of a float of size bits.
type grid struct {
	min, max float64
	steps    uint64
	size     int
}

// exact returns min, max and res of the nearest grid that has a zero, holds all of
// this one but for a millionth of a step, and takes no more bits, or "". Its steps are no larger than res, or at most
// a twentieth larger than those of g if there is no res.
func (g grid) exact(given string) string {
	step, err := strconv.ParseFloat(given, 64)
	byBits := err != nil
	if byBits {
		step = (g.max - g.min) / float64(g.steps-1) // one step less than there may be, because their number is odd
	}
	for digits := 1; digits <= 9; digits++ {
		res := rounded(step, digits, byBits)
		if res > step*1.05 || res < step*0.9 || !(res > 0) {
			continue
		}
		below, above := math.Ceil(-g.min/res-1e-6), math.Ceil(g.max/res-1e-6)
		for more := range 4 {
			for k := range more + 1 {
				if tag := g.tag(below+float64(k), above+float64(more-k), res); tag != "" {
					return tag
				}
			}
		}
		for more := range 4 {
			if n := max(below, above) + float64(more); n < (below+above)*0.55 {
				if tag := g.tag(n, n, res); tag != "" {
					return tag
				}
			}
		}
	}
	return ""
}

// tag returns the options of a grid of below steps under zero and above steps over it,
// if it has a zero and takes no more bits than g.
func (g grid) tag(below, above, res float64) string {
	lo, hi, by := decimal(-below*res), decimal(above*res), decimal(res)
	number := func(s string) float64 {
		f, _ := strconv.ParseFloat(s, g.size)
		return f
	}
	var width int
	var zero float64
	if g.size == 32 {
		q, err := compress.NewFloat32(float32(number(lo)), float32(number(hi)), float32(number(by)))
		if err != nil {
			return ""
		}
		width, zero = q.Bits(), float64(q.Decode(q.Encode(0)))
	} else {
		q, err := compress.NewFloat64(number(lo), number(hi), number(by))
		if err != nil {
			return ""
		}
		width, zero = q.Bits(), q.Decode(q.Encode(0))
	}
	if zero != 0 || width > mathbits.Len64(g.steps) {
		return ""
	}
	return fmt.Sprintf("min=%s,max=%s,res=%s", lo, hi, by)
}

// decimal formats a number with at most 9 digits.
func decimal(v float64) string {
	if v == 0 {
		return "0"
	}
	return strconv.FormatFloat(v, 'g', 9, 64)
}

// rounded rounds a positive number to a number of digits, up or down.
func rounded(v float64, digits int, up bool) float64 {
	unit := math.Pow10(digits - 1 - int(math.Floor(math.Log10(v))))
	if up {
		return math.Ceil(v*unit-1e-9) / unit
	}
	return math.Floor(v*unit+1e-9) / unit
}

// optionOf returns the value of an option in a tag, for the field or for its elements.
func optionOf(tag, name string) (value string, ok bool) {
	for part := range strings.SplitSeq(bpTag(tag), ",") {
		found, value, _ := strings.Cut(part, "=")
		for strings.HasPrefix(found, "elem.") {
			found = found[len("elem."):]
		}
		if found == name {
			return value, true
		}
	}
	return "", false
}

// prefixOf returns the prefix of an option in a tag, such as "elem.".
func prefixOf(tag, name string) string {
	for part := range strings.SplitSeq(bpTag(tag), ",") {
		found, _, _ := strings.Cut(part, "=")
		if prefix, ok := strings.CutSuffix(found, name); ok && strings.ReplaceAll(prefix, "elem.", "") == "" {
			return prefix
		}
	}
	return ""
}

// short formats a number with few digits.
func short(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// above formats a number with few digits, and rounds up.
func above(v float64) string {
	s := short(v)
	if rounded, err := strconv.ParseFloat(s, 64); err == nil && rounded < v {
		return short(v * 1.0005)
	}
	return s
}

package typecache

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/integer"
	"github.com/gobitpack/bitpack/internal/plan"
)

// condition parses the value of an if option: Field, !Field, Field==K, Field!=K
// or Field&M. It returns the index of the new Cond.
func (b *builder) condition(text string, at *place) (int32, error) {
	if strings.Contains(text, "&&") || strings.Contains(text, "||") {
		return 0, badValue("if", text, "takes one condition", "join them in a bool field before this one")
	}
	name, test, operand := text, plan.NotEqual, ""
	if rest, ok := strings.CutPrefix(text, "!"); ok {
		name, test = rest, plan.Equal
	} else {
		for _, op := range []struct {
			text string
			test plan.Test
		}{{"==", plan.Equal}, {"!=", plan.NotEqual}, {"&", plan.AnyOf}} {
			if left, right, ok := strings.Cut(text, op.text); ok {
				name, test, operand = left, op.test, right
				if operand == "" {
					return 0, fail(MistakeValue, "if", "", "lacks the integer after %q", op.text)
				}
				break
			}
		}
	}
	if strings.ContainsAny(text, "<>") {
		return 0, badValue("if", text, "compares with == and !=", compareBefore)
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return 0, badValue("if", text, "is Field, !Field, Field==K, Field!=K or Field&M, without spaces", "")
	}
	ref, err := b.refer("if", name, at)
	if err != nil {
		return 0, err
	}
	cond := plan.Cond{Ref: ref, Test: test, Within: at.cond}
	if operand != "" {
		if cond.Value, err = b.operand(operand, name, &cond); err != nil {
			return 0, err
		}
	}
	b.plan.Conds = append(b.plan.Conds, cond)
	return int32(len(b.plan.Conds) - 1), nil
}

// operand parses the integer that a field is compared with. It returns an error
// if the field can never equal it or, for AnyOf, never have any of its bits.
func (b *builder) operand(text, name string, c *plan.Cond) (uint64, error) {
	op, absent := b.carrier(&c.Ref)
	x, ok := integer.Parse(text)
	if truth := text == "true"; op.Code == plan.CodeBool && (truth || text == "false") {
		x, ok = integer.Int{}, true
		if truth {
			x = integer.Of(1)
		}
	}
	if !ok {
		return 0, badValue("if", text, "compares with an integer", operandFix(text, op.Code == plan.CodeBool))
	}
	lo, hi := b.bounds(op, int(c.Size), c.Signed)
	absent = absent && x.Sign() == 0
	problem := ""
	switch {
	case c.Test == plan.AnyOf && (x.Sign() <= 0 || lo.Sign() >= 0 && x.TrailingZeroBits() >= hi.BitLen()):
		problem = "tests %s for the bits %s, and it never has one of them"
	case c.Test != plan.AnyOf && (x.Cmp(lo) < 0 || x.Cmp(hi) > 0) && !absent:
		problem = "compares %s with %s, which it can never be"
	case x.BitLen() > int(c.Size)*8:
		problem = "tests %s for the bits %s, and it does not have them all"
	}
	if problem != "" {
		return 0, fail(MistakeRange, "if", "it is in ["+lo.String()+", "+hi.String()+"]", problem, name, text).with(text).within(lo, hi)
	}
	lo64, _ := x.Low128()
	return lo64, nil
}

const compareBefore = "compare in a bool field before this one, and name that"

// operandFix returns the fix of an operand that is no integer.
func operandFix(text string, isBool bool) string {
	if c := []rune(text); len(c) == 3 && c[0] == '\'' && c[2] == '\'' {
		return fmt.Sprintf("write the character as its number, %d", c[1])
	}
	if isBool {
		return "write true or false, or name the bool alone"
	}
	return "write the number itself instead of a constant or a float, or " + compareBefore
}

// carrier returns the op that encodes a field's value, and whether the field may
// be absent, in which case its value is 0.
func (b *builder) carrier(r *plan.Ref) (op *plan.Op, absent bool) {
	if r.Op < 0 { // the bool that a subset encodes
		return &plan.Op{Code: plan.CodeBool, Span: 1}, false
	}
	absent = r.Guard >= 0
	for i := r.Op; ; i++ {
		switch op = &b.plan.Ops[i]; op.Code {
		case plan.CodeOptional:
			absent = true
		case plan.CodeCommon, plan.CodeHuffman:
		default:
			return op, absent
		}
	}
}

// bounds returns the smallest and the largest value of an op that encodes integers of
// a size in bytes.
func (b *builder) bounds(op *plan.Op, size int, signed bool) (lo, hi integer.Int) {
	least, most := bits.Uint128{Lo: op.Bias}, bits.Uint128{Lo: op.Bias + op.Span}
	switch {
	case op.Code == plan.CodeRelative:
		rel := &b.plan.Relatives[op.Aux]
		return integer.Of(rel.Min), integer.Of(rel.Max)
	case op.Code == plan.CodeWord || op.Flags&plan.FlagFullRange != 0:
		return integer.Range(min(int(op.Bits), 8*size), signed)
	case op.Code == plan.CodeWide:
		least = b.plan.Wides[op.Aux].Min
		most = least.Add(b.plan.Wides[op.Aux].Span)
	case !op.Code.Integer():
		return integer.Range(8*size, signed)
	case signed:
		return integer.Of(int64(least.Lo)), integer.Of(int64(most.Lo))
	}
	if signed {
		return integer.OfSigned128(least.Lo, int64(least.Hi)), integer.OfSigned128(most.Lo, int64(most.Hi))
	}
	return integer.OfWords(least.Lo, least.Hi), integer.OfWords(most.Lo, most.Hi)
}

// refer returns a reference to an earlier integer or bool field of the same
// struct, or of a struct that embeds it.
func (b *builder) refer(option, name string, at *place) (plan.Ref, error) {
	if at.scope == nil {
		return plan.Ref{}, fail(MistakePlace, option, "use base= or chain", "cannot refer to a field from the elements of a slice, array, map or pointer")
	}
	for sc := at.scope; sc != nil; sc = sc.outer {
		if f, ok := sc.field(name); ok {
			ref, err := b.find(sc, f, option)
			if err == nil {
				ref.Guard = b.remainingCondition(ref.Guard, at.cond)
			}
			return ref, err
		}
	}
	var names []string
	for sc := at.scope; sc != nil; sc = sc.outer {
		for _, f := range reflect.VisibleFields(sc.typ) {
			if _, err := b.find(sc, f, option); err == nil && f.Name != "_" {
				names = append(names, f.Name)
			}
		}
	}
	e := badReference(option, name, "is not an earlier field", "").suggestField(name, names)
	if len(names) == 0 {
		e.Fix = "it must be an earlier bool or integer field of the same struct"
	}
	return plan.Ref{}, e
}

// badReference returns the error about an option that names a field to which it cannot
// refer.
func badReference(option, name, why, fix string) *Error {
	return fail(MistakeReference, option, fix, "refers to %q, which %s", name, why).with(name)
}

// remainingCondition returns the part of condition c that must still be tested
// where condition known holds. It returns -1 if known is c or is nested within c.
// Dropping known conditions avoids retesting them, which would double at each
// nesting level.
func (b *builder) remainingCondition(c, known int32) int32 {
	for k := known; k >= 0 && c >= 0; k = b.plan.Conds[k].Within {
		if c == k {
			c = -1
		}
	}
	if c < 0 {
		return c
	}
	cond := b.plan.Conds[c]
	within := b.remainingCondition(cond.Within, known)
	if within == cond.Within {
		return c
	}
	cond.Within = within
	b.plan.Conds = append(b.plan.Conds, cond)
	return int32(len(b.plan.Conds) - 1)
}

// field is like [reflect.Type.FieldByName] for the struct, but caches the index
// paths if there are many fields. FieldByName looks at every field on each call.
func (sc *scope) field(name string) (reflect.StructField, bool) {
	const few = 64
	if n := sc.typ.NumField(); sc.paths == nil {
		paths, embeds := map[string][]int(nil), false
		if n > few {
			paths = make(map[string][]int, n)
		}
		for i := range n {
			f := sc.typ.Field(i)
			switch {
			case n > few:
				paths[f.Name] = f.Index
			case f.Name == name:
				return f, true
			}
			embeds = embeds || f.Anonymous
		}
		if embeds {
			paths = make(map[string][]int, n)
			for _, f := range reflect.VisibleFields(sc.typ) {
				paths[f.Name] = f.Index
			}
		}
		sc.paths = paths
	}
	path, ok := sc.paths[name]
	if !ok {
		return reflect.StructField{}, false
	}
	f := sc.typ.FieldByIndex(path)
	f.Index = path
	return f, true
}

// find returns a reference to field f of struct sc for an option. If the option
// cannot refer to f, the error says why.
func (b *builder) find(sc *scope, f reflect.StructField, option string) (ref plan.Ref, err error) {
	off, t := sc.off, sc.typ
	for _, i := range f.Index {
		if t.Kind() == reflect.Pointer {
			return ref, badReference(option, f.Name, "is behind a pointer", "refer to a field of the struct itself")
		}
		step := t.Field(i)
		off += step.Offset
		t = step.Type
	}
	refs := b.refs[sc.first:]
	i, earlier := slices.BinarySearchFunc(refs, off, func(r plan.Ref, off uintptr) int { return cmp.Compare(r.Off, off) })
	switch isBool := t.Kind() == reflect.Bool; {
	case f.Tag.Get("bp") == "-":
		return ref, badReference(option, f.Name, "is left out", "remove its bp:\"-\"")
	case !f.IsExported():
		return ref, badReference(option, f.Name, "is not exported", "export it")
	case option == "to" && !isInteger(t):
		return ref, badReference(option, f.Name, "is of type "+t.String(), "refer to an integer")
	case !isInteger(t) && !isBool:
		return ref, badReference(option, f.Name, "is of type "+t.String(), "refer to a bool or an integer")
	case !earlier:
		return ref, badReference(option, f.Name, "must come before this field", "move it up")
	}
	return refs[i], nil
}

package plan

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
	"slices"
	"strconv"
	"sync"
)

// Generated is generated code for a type. It is used for plans with the same
// [Plan.Fingerprint] only.
type Generated struct {
	Fingerprint string
	Parts       [][2]int // the ops [from, to) that the code leaves to the engine

	// Unions has the members that the code knows of each union, by its index in Elems.
	// A plan with other members does not get the code.
	Unions map[int][]reflect.Type

	// Code is the code itself, and Untyped is a form of it that does not depend on
	// the type. The engines know their types.
	Code, Untyped any

	Aligns bool // the plan pads to byte boundaries

	// Plan is the first plan that the code was attached to, and Plans has a plan for
	// each of the Parts.
	Plan  *Plan
	Plans []*Plan
}

// generated has the generated code of all types, and the plans that were built
// before their code was registered.
var generated struct {
	sync.Mutex
	code  map[reflect.Type]*Generated
	plans map[reflect.Type][]*Plan

	// attach is the method Plan.attach. It is set by Register, so that programs
	// without generated code do not link it.
	attach func(*Plan, *Generated)
}

// Register makes g the generated code of a type. The plans of the type get it,
// whether they are built before or after this call.
func Register(t reflect.Type, g *Generated) {
	generated.Lock()
	defer generated.Unlock()
	if generated.code == nil {
		generated.code = map[reflect.Type]*Generated{}
	}
	generated.code[t] = g
	generated.attach = (*Plan).attach
	for _, p := range generated.plans[t] {
		p.attach(g)
	}
}

// AttachGenerated gives the plan the code that is registered for its type, now or
// later. It is called once for each plan in a cache.
func (p *Plan) AttachGenerated() {
	generated.Lock()
	defer generated.Unlock()
	if g := generated.code[p.Type]; g != nil {
		generated.attach(p, g)
	}
	if generated.plans == nil {
		generated.plans = map[reflect.Type][]*Plan{}
	}
	generated.plans[p.Type] = append(generated.plans[p.Type], p)
}

// attach sets the generated code of the plan if it was made from an equal one.
func (p *Plan) attach(g *Generated) {
	if p.Type.Name() == "" || p.countsTooFar() || p.Fingerprint() != g.Fingerprint {
		return
	}
	if g.Plan != nil && len(g.Parts) > 0 && !p.sameTypes(g.Plan) {
		return
	}
	for i, members := range g.Unions {
		if !slices.Equal(p.Elems[i].Union.Types, members) {
			return
		}
	}
	if g.Plan == nil {
		g.Plan, g.Aligns = p, p.Aligns()
		for _, part := range g.Parts {
			g.Plans = append(g.Plans, p.part(part[0], part[1]))
		}
	}
	p.generated.Store(g)
}

// countsTooFar reports whether a message may have more bits than an int of 32 bits
// counts, on a machine that has no others. Generated code does not check that.
func (p *Plan) countsTooFar() bool { return strconv.IntSize == 32 && p.MaxBits > math.MaxInt32-128 }

// sameTypes reports whether two plans with the same fingerprint are of the same
// types. Members of unions may differ: types that are local to functions can have
// equal names.
func (p *Plan) sameTypes(q *Plan) bool {
	if len(p.Fields) != len(q.Fields) || len(p.Elems) != len(q.Elems) {
		return false
	}
	for i := range p.Fields {
		if p.Fields[i].Type != q.Fields[i].Type {
			return false
		}
	}
	for i := range p.Elems {
		a, b := &p.Elems[i], &q.Elems[i]
		if a.Type != b.Type || (a.Union == nil) != (b.Union == nil) || a.Union != nil && !slices.Equal(a.Union.Types, b.Union.Types) {
			return false
		}
	}
	return true
}

// Generated returns the generated code of the plan, or nil if it is missing or
// stale.
func (p *Plan) Generated() *Generated { return p.generated.Load() }

// part returns the plan of the ops [from, to), which must be within one block.
// Its values have the offsets that they have in that block.
func (p *Plan) part(from, to int) *Plan {
	q := &Plan{
		Type: p.Type, Fields: p.Fields,
		Float32s: p.Float32s, Float64s: p.Float64s, Angles: p.Angles, Wides: p.Wides, Relatives: p.Relatives,
		Vectors: p.Vectors, Conds: p.Conds, Commons: p.Commons, Huffmans: p.Huffmans, Elems: p.Elems,
		Runs: p.Runs, MinBits: p.MinBits, MaxBits: p.MaxBits, Least: p.Least,
		Nesting: p.Nesting, Recursive: p.Recursive,
		Start: from,
	}
	q.Ops = append([]Op(nil), p.Ops...)
	q.Ops[to] = Op{Code: CodeEnd}
	for i := from; i < to; i++ { // a run may go beyond the part
		if run := q.Ops[i].Run; run > 0 && int(p.Runs[run-1].End) > to {
			q.Ops[i].Run = 0
		}
	}
	return q
}

// generatorVersion changes when equal plans get other code.
const generatorVersion = "5"

// Fingerprint identifies everything that generated code depends on: the version
// of the generator, the ops with their tables, and the path and type of each
// field. Unlike the hash, it differs for two fields of one tag that have changed
// places. Offsets in memory are not part of it.
func (p *Plan) Fingerprint() string {
	h := fnv.New128a()
	var b []byte
	text := func(s string) { b = append(append(b, s...), 0) }
	number := func(x uint64) { b = binary.AppendUvarint(b, x) }
	text(generatorVersion)
	typeName := func(t reflect.Type) {
		if t == nil {
			text("")
			return
		}
		if t.PkgPath() != p.Type.PkgPath() { // a test of package main has another path than the program
			text(t.PkgPath())
		}
		text(t.String())
	}
	typeName(p.Type)
	for i := range p.Ops {
		op := &p.Ops[i]
		field := &p.Fields[op.Field]
		text(op.Code.String())
		for _, x := range []uint64{uint64(op.Size), uint64(op.Bits), uint64(op.Flags &^ (FlagWholeRun | FlagVerbatim)), uint64(op.Aux), uint64(op.End),
			uint64(op.Rest), uint64(op.KeepCapacity), uint64(op.Count), op.Bias, op.Span} {
			number(x)
		}
		text(field.Path)
		typeName(field.Type)
	}
	table := func(v ...any) { b = fmt.Appendf(b, "%+v\x00", v) }
	for _, t := range p.Float32s {
		table(t.Min, t.Max, t.Delta, t.Steps)
	}
	for _, t := range p.Float64s {
		table(t.Min, t.Max, t.Delta, t.Steps)
	}
	for _, t := range p.Angles {
		table(t)
	}
	for _, c := range p.Conds {
		table(c.Size, c.Signed, c.Op, c.Guard, c.Test, c.Value, c.Within)
	}
	for _, r := range p.Relatives {
		table(r.Mode, r.Base, r.Min, r.Max, r.To.Size, r.To.Signed, r.To.Op, r.To.Guard)
	}
	for _, list := range p.Commons {
		table(list)
	}
	for i := range p.Elems {
		e := &p.Elems[i]
		typeName(e.Type)
		number(uint64(e.MinBits))
		if s := e.Subset; s != nil {
			table(s.Mode, s.Auto, s.Pointers)
			if !s.Pointers {
				text(e.PresentField())
			}
		}
		if e.Union != nil {
			table(e.Union.Starts, e.Union.MinBits)
			for _, t := range e.Union.Types {
				typeName(t)
			}
		}
	}
	text(strconv.Itoa(p.MinBits))
	text(strconv.Itoa(p.MaxBits))
	h.Write(b)
	return fmt.Sprintf("%x", h.Sum(nil))
}

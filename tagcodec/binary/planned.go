package binary

import (
	"reflect"
	"sync/atomic"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
)

// tagged is what is known of a type with bp tags.
type tagged struct {
	elem reflect.Type

	// known is set once there is a plan. A type that cannot be planned may be
	// later, when the types of its unions are registered.
	known atomic.Pointer[planned]
}

// planned is a plan, and what its ops say about reading from a stream.
type planned struct {
	*typecache.Plan

	// methods says that methods of the user's see the memory of a value.
	methods bool
	// steady says that an element takes the same bits wherever it starts.
	steady bool
	// refs numbers the offsets of integers that later ops depend on.
	refs map[uintptr]int
}

func newTagged(elem reflect.Type) *tagged { return &tagged{elem: elem} }

// plan returns the plan of an element.
func (t *tagged) plan() (*planned, error) {
	if p := t.known.Load(); p != nil {
		return p, nil
	}
	plan, err := typecache.Of(t.elem)
	if err == nil { // tagcodec may know why it cannot run it
		_, err = tagcodec.MaxSize(reflect.Zero(reflect.PointerTo(t.elem)).Interface())
	}
	if err != nil {
		return nil, err
	}
	p := newPlanned(plan)
	t.known.Store(p)
	return p, nil
}

func newPlanned(plan *typecache.Plan) *planned {
	p := &planned{Plan: plan, steady: true, refs: map[uintptr]int{}}
	ref := func(off uintptr) {
		if _, ok := p.refs[off]; !ok {
			p.refs[off] = len(p.refs)
		}
	}
	for i := range plan.Conds {
		ref(plan.Conds[i].Off)
	}
	for i := range plan.Ops {
		op := &plan.Ops[i]
		switch op.Code {
		case typecache.CodeCustom, typecache.CodeBinary, typecache.CodeLink, typecache.CodeUnion:
			p.methods = true
		case typecache.CodeRelative:
			if r := &plan.Relatives[op.Aux]; r.Mode == typecache.ToField {
				ref(r.To.Off)
			} else if r.Mode == typecache.Chain {
				for k := range op.Count {
					ref(op.Off + uintptr(k)*uintptr(op.Size))
				}
			}
		}
		switch op.Code {
		case typecache.CodeAlign, typecache.CodeBytes, typecache.CodeCString, typecache.CodeString,
			typecache.CodeBinary, typecache.CodeCustom:
			p.steady = false
		}
	}
	return p
}

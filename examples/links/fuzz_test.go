package main

import (
	"testing"

	"github.com/gobitpack/bitpack/examples/internal/attack"
	"github.com/gobitpack/bitpack/tagcodec"
)

// registry is a Linker that knows one object of each type. It resolves every
// id that it returns.
type registry struct {
	cat  Cat
	base HomeBase
}

func (r *registry) ID(object any) (uint64, bool) {
	switch object {
	case any(&r.cat):
		return tom, true
	case any(&r.base):
		return base, true
	}
	return 0, false
}

func (r *registry) Object(id uint64) (any, bool) {
	switch id {
	case tom:
		return &r.cat, true
	case base:
		return &r.base, true
	}
	return nil, false
}

func (*registry) Unresolved(tagcodec.Patch) {}

// FuzzTypes decodes arbitrary bytes as the types of this program.
func FuzzTypes(f *testing.F) {
	r := new(registry)
	attack.Fuzz(f,
		attack.Type(cats.With(tagcodec.WithLinker(r)), Cat{"Tux", &r.base, &r.cat}),
		attack.Type(bases, HomeBase{Fish: 12}),
	)
}

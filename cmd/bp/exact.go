package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/cmd/bp/internal/budget"
	"github.com/gobitpack/bitpack/typecache"
)

// vetExact reports wrong tags as the program would, and types that are larger than
// their budgets or the MTU, if it is not 0.
func vetExact(c *command, mtu int) (r reports, err error) {
	all, err := list(c.args)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if err := p.parse(); err != nil {
			return nil, err
		}
		for _, m := range p.mistakes {
			r = append(r, report{at: placeIn(p.files, m.Pos), text: m.Text})
		}
		types := p.messages()
		messages := len(types)
		for name := range p.budgets {
			if !p.generic[name] && !slices.ContainsFunc(types, func(t chosen) bool { return t.Type == name }) {
				types = append(types, chosen{name, "has a budget"})
			}
		}
		if len(types) == 0 {
			continue
		}
		wires, err := p.describe(types)
		if e := (*tagError)(nil); errors.As(err, &e) {
			r = append(r, report{at: e.at, text: e.text})
		} else if err != nil {
			return nil, err
		}
		for i, w := range wires {
			switch {
			case w.Error != nil && w.Error.Mistake == typecache.MistakeUnion:
				fmt.Fprintf(c.stderr, "bp: %s is not vetted, because a union in it has no members that bp sees: it follows options of a codec only where the call has them written out\n", w.Type)
			case w.Error != nil:
				r = append(r, p.wrong(&w))
			default:
				r = append(r, p.sizes(&w, i < messages, mtu)...)
			}
		}
	}
	return r, nil
}

// wrong returns the report of a type that has no plan.
func (p *pkg) wrong(w *wire) report {
	text := w.Error.Path() + ": " + w.Error.Text()
	if w.Error.Mistake == typecache.MistakeUnion {
		text += "; bp follows options of a codec only where the call has them written out"
	}
	return report{at: p.place(w.Type, w.Error.Path()), text: text}
}

// sizes reports a type that is larger than its budget and, if it is a message, one
// that is larger than the MTU.
func (p *pkg) sizes(w *wire, message bool, mtu int) (r reports) {
	limit := func(bits int) int {
		if bits < 0 {
			return typecache.Unbounded
		}
		return bits
	}
	rows := make([]typecache.Row, len(w.Rows))
	for i, in := range w.Rows {
		rows[i] = typecache.Row(in)
		rows[i].MaxBits = limit(in.MaxBits)
	}
	name, _, _ := strings.Cut(w.Type, "[")
	if b, ok := p.budgets[name]; ok {
		if text := budget.Of(b).Excess(limit(w.MaxBits), rows, ""); text != "" {
			r = append(r, report{at: placeIn(p.files, b.Type.Name.Pos()), text: w.Type + ": " + text})
		}
	}
	if message && mtu > 0 {
		if text := budget.MTU(mtu).Excess(limit(w.MaxBits), rows, ""); text != "" {
			r = append(r, report{at: p.place(w.Type, ""), warning: true, text: w.Type + ": " + text})
		}
	}
	return r
}

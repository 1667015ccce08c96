package delta

import (
	"reflect"
	"sort"
	"strings"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
)

// place says where n consecutive rows belong: they are a list of a row of another
// table, or of the same one if the type is recursive.
type place struct {
	first, n   int32
	table, row int32
	list       int32
	path       string // of the list within the snapshot, once it is known
	every      string // without indices
}

// elements records the places of the elements that list k of the rows of some
// spans has in the table in.
func (tr *tracer) elements(t *table, spans []span, k int, in *table) {
	for _, s := range spans {
		for i := range s.n {
			if elems := tr.c.kid(tr.c.image, t, s.at+i, k, in); elems.n > 0 {
				tr.places[in.index] = append(tr.places[in.index], place{first: elems.first, n: elems.n, table: t.index, row: s.at + i, list: int32(k)})
			}
		}
	}
}

// placeOf returns the place of a row, or nil for the snapshot itself.
func (tr *tracer) placeOf(table, row int32) *place {
	all := tr.places[table]
	i := sort.Search(len(all), func(i int) bool { return all[i].first > row }) - 1
	if i < 0 || row >= all[i].first+all[i].n {
		return nil
	}
	return &all[i]
}

// list returns the list of a place.
func (tr *tracer) list(p *place) *list { return &tr.schema.tables[p.table].lists[p.list] }

// root returns the path of the snapshot.
func (tr *tracer) root() string { return typename.Of(tr.schema.plan.Type) }

// path returns the path of a row, like those of package tagcodec. If every is
// set, it is that of every row of the table, without indices.
func (tr *tracer) path(table, row int32, every bool) string {
	return tr.root() + tr.within(table, row, every)
}

// within is path without that of the snapshot.
func (tr *tracer) within(table, row int32, every bool) string {
	p := tr.placeOf(table, row)
	if p == nil {
		return ""
	}
	op := tr.list(p).op
	field := &tr.schema.plan.Fields[op.Field]
	var s strings.Builder
	s.WriteString(tr.pathTo(p, field, every))
	switch scalar := !op.Code.Block(); {
	case every && (scalar || op.Repeats() != 1):
		s.WriteString("[]")
	case scalar:
		core.WriteRunIndex(&s, field.Type, int(row-p.first))
	default:
		tr.writeElement(&s, p, table, row)
	}
	return s.String()
}

// pathTo returns within for the list of a place, which is the field of its row. It
// keeps the path, so that deep values take no more time than others.
func (tr *tracer) pathTo(p *place, field *plan.Field, every bool) string {
	known := &p.path
	if every {
		known = &p.every
	}
	if *known == "" {
		var s strings.Builder
		s.WriteString(tr.within(p.table, p.row, every))
		core.WritePath(&s, field)
		*known = core.ShortPath(s.String())
	}
	return *known
}

// writeElement writes the index or key of a row in its list.
func (tr *tracer) writeElement(s *strings.Builder, p *place, table, row int32) {
	l, i := tr.list(p), int(row-p.first)
	op, in := l.op, tr.schema.tables[table]
	var key any
	if l.kind == keyedList || l.kind == indexList {
		key = tr.keyOf(in, &tr.c.image.tables[table], int(row))
	}
	switch {
	case l.kind == indexList:
		i, _ = key.(int)
	case op.Code == plan.CodeMap && key == nil: // the key is sent as a value
		key = i
	}
	core.WriteElement(s, op, i, func() reflect.Value { return reflect.ValueOf(key) })
}

// fieldPath returns the path of a field of a row.
func (tr *tracer) fieldPath(t *table, row int32, f *field, every bool) string {
	path := tr.path(t.index, row, every)
	if p := tr.placeOf(t.index, row); p != nil && !tr.list(p).op.Code.Block() {
		return path // the row is a number
	}
	fields := tr.schema.plan.Fields
	if f.kind == text {
		return typename.Join(path, fields[t.textOps[f.first].Field].Path)
	}
	first, last := fields[t.cellOps[f.first].Field].Path, fields[t.cellOps[f.first+f.n-1].Field].Path
	if first != last { // numbers of a struct
		first = first[:strings.LastIndexByte(first, '.')]
	}
	return typename.Join(path, first)
}

// cellPath returns the path of the value that has a cell of a row.
func (tr *tracer) cellPath(t *table, row, cell int32) string {
	path := tr.path(t.index, row, false)
	if p := tr.placeOf(t.index, row); p != nil && !tr.list(p).op.Code.Block() {
		return path
	}
	op := t.cellOps[cell]
	f := &tr.schema.plan.Fields[op.Field]
	var s strings.Builder
	s.WriteString(path)
	core.WritePath(&s, f)
	if op.Code.Scalar() && f.Type != nil {
		first, n := t.value(cell)
		core.WriteRunIndex(&s, f.Type, int((first-t.firstOf(cell))/n))
	}
	return s.String()
}

// firstOf returns the first cell of the op that has a cell.
func (t *table) firstOf(cell int32) int32 {
	first := cell
	for first > 0 && t.cellOps[first-1] == t.cellOps[cell] {
		first--
	}
	return first
}

// value returns the first of the cells of the value that has a cell, and their
// number.
func (t *table) value(cell int32) (first, n int32) {
	op := t.cellOps[cell]
	switch first = t.firstOf(cell); {
	case op.Code == plan.CodeWide && op.Bits > 64:
		return cell - (cell-first)%2, 2
	case op.Code == plan.CodeVector:
		for n = 1; int(first+n) < len(t.cells) && t.cellOps[first+n] == op; n++ {
		}
		return first, n
	}
	return cell, 1
}

// meaning returns what a code means: a value, or a text if it is not a value. The
// value of several cells comes with the last of them, from the row that begins at
// data[row]. The others have their code, and so have all if data is nil.
func (tr *tracer) meaning(t *table, at int32, code uint64, data []byte, row int) (what string, value any) {
	op := t.cellOps[at]
	switch op.Code {
	case plan.CodePointer:
		return [2]string{"nil", "not nil"}[min(code, 1)], nil
	case plan.CodeOptional:
		return [2]string{"zero", "not zero"}[min(code, 1)], nil
	case plan.CodeUnion:
		types := tr.schema.plan.Elems[op.Aux].Union.Types
		if code == 0 || code > uint64(len(types)) {
			return "nil", nil
		}
		return "type " + typename.Of(types[code-1]), nil
	case plan.CodeLink:
		return "id", code
	case plan.CodeSlice, plan.CodeMap:
		return "count", int(op.Bias + code)
	case plan.CodeRunLength:
		least, _ := op.Lengths()
		return "count", least + int(code)
	case plan.CodeSubset:
		if t.key == at {
			return "index", int(code)
		}
		return "count", int(op.Bias + code)
	}
	first, n := t.value(at)
	if n == 1 {
		return "", tr.valueOf(t, at, []uint64{code})
	}
	what = "component"
	if data == nil || at < first+n-1 {
		return what, code
	}
	codes := make([]uint64, n)
	for i := range codes {
		codes[i] = t.cells[first+int32(i)].load(data, row)
	}
	return "the value", tr.valueOf(t, first, codes)
}

// valueOf returns the value of the codes of consecutive cells, or nil if they are
// not valid.
func (tr *tracer) valueOf(t *table, first int32, codes []uint64) any {
	op := t.cellOps[first]
	if op.Code == plan.CodeVarint || op.Code == plan.CodeRelative || op.Code.PrefixCoded() {
		return reference.IntegerOf(tr.schema.plan, op, t.cells[first].value(codes[0]))
	}
	var w bitWriter
	for i, code := range codes {
		w.put(code, uint(t.cells[first+int32(i)].width))
	}
	return reference.ValueOf(tr.schema.plan, op, w.finish())
}

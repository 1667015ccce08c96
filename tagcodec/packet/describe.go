package packet

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/gobitpack/bitpack/tagcodec/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

// The description of a protocol lists everything that affects its wire, one
// item per line. After a tab, a line may have a name for human readers. Names
// do not affect the wire and are not part of the protocol id.

// describe returns the description of a protocol.
func describe(c *Config, types []Info) string {
	var s strings.Builder
	end := "no end check"
	if c.EndCheck {
		end = "end check"
	}
	fmt.Fprintf(&s, "bitpack packet %d\napplication %q\nversion %d\nprotection %v\n%s\npackets 1..%d\n",
		Format, c.Application, c.Version, c.Protection, end, c.MaxPackets)
	for i := range types {
		fmt.Fprintf(&s, "type %d\t%s\n", i, typename.Of(types[i].Type))
		describePlan(&s, types[i].Plan)
	}
	return s.String()
}

// describePlan writes the text of a plan, and the path of the field after each
// op.
func describePlan(s *strings.Builder, p *typecache.Plan) {
	lines := strings.SplitAfter(p.Text(), "\n")
	s.WriteString(lines[0])
	walk(p, func(i int, path string, _ int) {
		s.WriteString(strings.TrimSuffix(lines[i+1], "\n"))
		if path != "" {
			s.WriteString("\t" + path)
		}
		s.WriteByte('\n')
	})
}

// wire returns a description without its names.
func wire(description string) string {
	var s strings.Builder
	for line := range strings.Lines(description) {
		before, _, named := strings.Cut(line, "\t")
		s.WriteString(before)
		if named {
			s.WriteByte('\n')
		}
	}
	return s.String()
}

// walk calls f for every op of a plan, with the path of its field within the
// packet and the maximum number of times that the op can run in one packet.
func walk(p *typecache.Plan, f func(i int, path string, times int)) {
	type block struct {
		end   int
		path  string
		times int
	}
	programs := map[int]block{} // those of recursive types and of union members, by start
	root := block{times: 1}
	var open []block
	for i := range p.Ops {
		op := &p.Ops[i]
		for len(open) > 0 && open[len(open)-1].end <= i {
			open = open[:len(open)-1]
		}
		if program, ok := programs[i]; ok && len(open) == 0 {
			root = program
		}
		at := root
		if len(open) > 0 {
			at = open[len(open)-1]
		}
		path := join(at.path, p.Fields[op.Field].Path)
		switch op.Code {
		case typecache.CodeNext, typecache.CodeEnd:
			f(i, "", at.times)
			continue
		case typecache.CodeUnion:
			union := p.Elems[op.Aux].Union
			for k, start := range union.Starts {
				known := programs[int(start)]
				programs[int(start)] = block{path: memberName(union.Types[k]), times: max(known.times, at.times)}
			}
		case typecache.CodeCall:
			programs[int(op.End)] = block{path: typename.Of(p.Fields[op.Field].Type), times: typecache.Unbounded}
		}
		f(i, path, at.times)
		if op.Code.Encloses() {
			inner := block{end: int(op.End), path: at.path, times: at.times}
			if op.Code.Block() {
				inner.path, inner.times = path, times(at.times, repeats(op))
				if inner.path == "" || repeated(op) {
					inner.path += "[]"
				}
			}
			open = append(open, inner)
		}
	}
}

func repeated(op *typecache.Op) bool {
	return op.Code != typecache.CodePointer && op.Code != typecache.CodeMatrix
}

// repeats returns the maximum number of repetitions of a block.
func repeats(op *typecache.Op) int {
	switch {
	case !repeated(op):
		return 1
	case op.Code == typecache.CodeArray, op.Code == typecache.CodeSubset && op.Flags&typecache.Slice == 0:
		return op.Count
	}
	return int(op.Bias + op.Span)
}

func memberName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return typename.Of(t)
}

func join(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "." + name
}

// times returns a*b, or typecache.Unbounded if that is less.
func times(a, b int) int {
	if a != 0 && b > typecache.Unbounded/a {
		return typecache.Unbounded
	}
	return a * b
}

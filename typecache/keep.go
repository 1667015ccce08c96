package typecache

import "math"

// How many bytes of capacity a reader leaves to a slice or a map that is read
// into again, however few elements a message has for it.
const (
	keepEach = 64      // for each
	keepAll  = 1 << 16 // for all together that a value has once
)

// setKeep sets the Keep of slices and maps. Those that a value has once share
// keepAll. Those in arrays, slices and maps, and in the programs of recursive
// types and of unions, may be many, and have keepEach.
func (p *Plan) setKeep() {
	var once []*Op
	for i := 0; p.Ops[i].Code != CodeEnd; {
		op := &p.Ops[i]
		i++
		if p.grows(op) {
			once = append(once, op)
		}
		switch op.Code {
		case CodeArray, CodeSlice, CodeMap, CodeSubset:
			i = int(op.End)
		}
	}
	for i := range p.Ops {
		p.keep(&p.Ops[i], keepEach)
	}
	for _, op := range once {
		p.keep(op, max(keepEach, keepAll/len(once)))
	}
}

// grows reports whether the memory of an op's value is a slice or a map.
func (p *Plan) grows(op *Op) bool {
	switch op.Code {
	case CodeSlice, CodeMap:
		return true
	case CodeSubset, CodeString:
		return op.Flags&Slice != 0
	}
	return false
}

// keep sets the Keep of a slice or a map to the elements that take so many
// bytes.
func (p *Plan) keep(op *Op, bytes int) {
	if !p.grows(op) {
		return
	}
	size := 1
	if op.Code != CodeString {
		size = int(p.Elems[op.Aux].Size)
	}
	op.Keep = math.MaxInt32
	if size > 0 {
		op.Keep = int32(bytes / size)
	}
}

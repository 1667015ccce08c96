package plan

import "math"

// The capacity, in bytes, that a reader keeps in a slice or a map when it reuses
// one, even if the message has fewer elements.
const (
	keepEach = 64      // for each slice or map that may occur many times in a value
	keepAll  = 1 << 16 // divided among those that occur at most once in a value
)

// SetKeepCapacities sets the KeepCapacity of slices and maps. Those that occur at
// most once in a value share keepAll. Those within arrays, slices, maps, subsets,
// recursive types and members of unions may occur many times, and get keepEach.
func (p *Plan) SetKeepCapacities() {
	for i := range p.Ops {
		p.setKeepCapacity(&p.Ops[i], keepEach)
	}
	once := 0
	for _, counting := range []bool{true, false} {
		for i := 0; p.Ops[i].Code != CodeEnd; {
			op := &p.Ops[i]
			i++
			switch {
			case !p.grows(op):
			case counting:
				once++
			default:
				p.setKeepCapacity(op, max(keepEach, keepAll/once))
			}
			switch op.Code {
			case CodeArray, CodeSlice, CodeMap, CodeSubset:
				i = int(op.End)
			}
		}
	}
}

// grows reports whether the value of op is a slice or a map in memory.
func (p *Plan) grows(op *Op) bool {
	switch op.Code {
	case CodeSlice, CodeMap:
		return true
	case CodeSubset, CodeString, CodeRunLength:
		return op.Flags&FlagSlice != 0
	}
	return false
}

// setKeepCapacity sets the KeepCapacity of a slice or a map to the number of
// elements that fit into the given number of bytes. For other ops it does nothing.
func (p *Plan) setKeepCapacity(op *Op, bytes int) {
	if !p.grows(op) {
		return
	}
	size := 1
	if op.Code != CodeString {
		size = int(p.Elems[op.Aux].Size)
	}
	op.KeepCapacity = math.MaxInt32
	if size > 0 {
		op.KeepCapacity = int32(bytes / size)
	}
}

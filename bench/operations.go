package bench

import (
	"fmt"

	"github.com/gobitpack/bitpack/bench/values"
	"github.com/gobitpack/bitpack/tagcodec"
)

// Operation is one of the main benchmarks of bitpack alone: a direction of a
// codec for a type.
type Operation struct {
	Name   string // type/direction
	Bytes  int    // that are written or read
	Allocs int    // that each takes, and no more
	// Run does it n times. It takes no memory but what the operation takes.
	Run func(n int)
}

// Operations returns the main benchmarks: the writing and the reading of the
// packet of 133 bytes, of 24 mixed scalars, of 1000 integers, of 900 bodies and
// of the small struct.
func Operations() []Operation {
	var list []Operation
	add := func(ops []Operation) { list = append(list, ops...) }
	add(operations("packet", 0, values.SamplePacket()))
	add(operations("mixed", 0, values.SampleMixed()))
	add(operations("ints", 0, values.SampleInts()))
	add(operations("snapshot", 0, values.SampleSnapshot()))
	// A text that differs from the one before is new memory.
	add(operations("small", 2, values.SampleSmalls(2)...))
	return list
}

// operations are those of a codec on some values in turns, with the allocations
// that a read takes.
func operations[T any](name string, allocs int, list ...T) []Operation {
	codec := tagcodec.MustFor[T]()
	messages := make([][]byte, len(list))
	for i := range list {
		data, err := codec.Append(nil, &list[i])
		if err != nil {
			panic(err)
		}
		messages[i] = data
	}
	buf := make([]byte, 0, codec.MaxSize())
	var into T
	return []Operation{
		{name + "/write", len(messages[0]), 0, func(n int) {
			for i := range n {
				if _, err := codec.Append(buf, &list[i%len(list)]); err != nil {
					panic(err)
				}
			}
		}},
		{name + "/read", len(messages[0]), allocs, func(n int) {
			for i := range n {
				if err := codec.Unmarshal(messages[i%len(list)], &into); err != nil {
					panic(err)
				}
			}
		}},
	}
}

// FindOperation returns an operation by its name.
func FindOperation(name string) (Operation, error) {
	for _, op := range Operations() {
		if op.Name == name {
			return op, nil
		}
	}
	return Operation{}, fmt.Errorf("there is no operation %q", name)
}

package bench

import (
	"fmt"

	"github.com/gobitpack/bitpack/bench/values"
	"github.com/gobitpack/bitpack/tagcodec"
)

// Operation is one of bitpack's main benchmarks: writing or reading values of
// one type.
type Operation struct {
	Name   string // "type/direction"
	Bytes  int    // length of the message
	Allocs int    // largest number of allocations per operation
	// Run runs the operation n times. It allocates nothing else.
	Run func(n int)
}

// Operations returns the main benchmarks: writing and reading of the 133-byte
// packet, 24 mixed scalars, 1000 integers, 900 bodies and the small struct.
func Operations() []Operation {
	var list []Operation
	add := func(ops []Operation) { list = append(list, ops...) }
	add(operations("packet", 0, values.SamplePacket()))
	add(operations("mixed", 0, values.SampleMixed()))
	add(operations("ints", 0, values.SampleInts()))
	add(operations("snapshot", 0, values.SampleSnapshot()))
	// A string that differs from the previous one is allocated.
	add(operations("small", 2, values.SampleSmalls(2)...))
	return list
}

// operations returns the operations of a codec that cycles through list. allocs
// is the number of allocations per read.
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

// FindOperation returns the operation with the given name.
func FindOperation(name string) (Operation, error) {
	for _, op := range Operations() {
		if op.Name == name {
			return op, nil
		}
	}
	return Operation{}, fmt.Errorf("there is no operation %q", name)
}

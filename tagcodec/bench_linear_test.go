package tagcodec_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
)

// linear benchmarks Append and Unmarshal of v, a pointer to n items, and
// reports the time per item.
func linear(b *testing.B, name string, n int, v any) {
	each := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/each")
	}
	data, err := tagcodec.Marshal(v)
	if err != nil {
		b.Fatal(err)
	}
	b.Run(fmt.Sprintf("%s/write/%d", name, n), func(b *testing.B) {
		buf := make([]byte, 0, len(data)+8)
		for b.Loop() {
			if _, err := tagcodec.Append(buf, v); err != nil {
				b.Fatal(err)
			}
		}
		each(b)
	})
	b.Run(fmt.Sprintf("%s/read/%d", name, n), func(b *testing.B) {
		for b.Loop() {
			if err := tagcodec.Unmarshal(data, v); err != nil {
				b.Fatal(err)
			}
		}
		each(b)
	})
}

// manyFields returns a pointer to a struct of n fields that repeat the types
// and tags of list.
func manyFields(n int, list ...reflect.StructField) any {
	fields := make([]reflect.StructField, n)
	for i := range fields {
		fields[i] = list[i%len(list)]
		if i >= len(list) {
			fields[i].Name = fmt.Sprint(fields[i].Name, i)
		}
	}
	return reflect.New(reflect.StructOf(fields)).Interface()
}

func field[T any](name string, tag reflect.StructTag) reflect.StructField {
	return reflect.StructField{Name: name, Type: reflect.TypeFor[T](), Tag: tag}
}

// BenchmarkFields measures the cost per field for structs of 1 to 10,000
// fields.
func BenchmarkFields(b *testing.B) {
	for n := 1; n <= 10000; n *= 10 {
		linear(b, "ints", n, manyFields(n, field[int32]("A", `bp:"int,min=-500,max=500"`)))
	}
	for n := 1; n <= 10000; n *= 10 {
		linear(b, "mixed", n, manyFields(n,
			field[bool]("A", ``),
			field[int16]("B", `bp:"int,min=-500,max=500"`),
			field[float32]("C", `bp:"float,min=-10,max=10,res=0.01"`),
			field[string]("D", `bp:"maxlen=16"`),
			field[uint32]("E", `bp:"varint,if=A"`),
			field[uint64]("F", `bp:"if=!A"`),
			field[*int8]("G", ``),
			field[[]uint8]("H", `bp:"maxlen=16"`),
		))
	}
}

// BenchmarkElements measures the cost per element for slices of 1 to 10,000
// elements.
func BenchmarkElements(b *testing.B) {
	for n := 1; n <= 10000; n *= 10 {
		linear(b, "ints", n, &struct {
			V []int32 `bp:"int,min=-500,max=500,maxlen=10000"`
		}{make([]int32, n)})
	}
	for n := 1; n <= 10000; n *= 10 {
		bodies := make([]body, n)
		for i := range bodies {
			bodies[i] = body{Orientation: [4]float32{3: 1}, AtRest: i%4 != 0}
		}
		linear(b, "structs", n, &struct {
			V []body `bp:"maxlen=10000"`
		}{bodies})
	}
	for n := 1; n <= 10000; n *= 10 {
		m := make(map[int32]uint8)
		for i := range n {
			m[int32(i)] = uint8(i)
		}
		linear(b, "map", n, &struct {
			V map[int32]uint8 `bp:"maxlen=10000"`
		}{m})
	}
	for n := 1; n <= 10000; n *= 10 {
		present := make([]*int8, n)
		for i := 0; i < n; i += 2 {
			present[i] = new(int8)
		}
		linear(b, "subset", n, &struct {
			V []*int8 `bp:"subset=bitmap,maxlen=10000"`
		}{present})
	}
}

// BenchmarkCachedTypes measures Append and Unmarshal, which look up the plan of
// a type, when the cache holds the plans of 1 to 10,000 types.
func BenchmarkCachedTypes(b *testing.B) {
	kept := 0
	for n := 1; n <= 10000; n *= 10 {
		for ; kept < n; kept++ {
			v := manyFields(1, field[uint16](fmt.Sprint("Of", kept, "Types"), ``))
			if _, err := tagcodec.Marshal(v); err != nil {
				b.Fatal(err)
			}
		}
		linear(b, fmt.Sprint(n), 1, manyFields(1, field[uint16]("Of0Types", ``)))
	}
}

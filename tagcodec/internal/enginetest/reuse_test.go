package enginetest

import (
	"reflect"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
)

// retained returns the bytes of memory reachable from v. It includes the whole
// capacity of slices, and the targets of elements beyond their length.
func retained(v reflect.Value) (bytes int) {
	switch v.Kind() {
	case reflect.Slice:
		bytes = v.Cap() * int(v.Type().Elem().Size())
		all := v.Slice(0, v.Cap())
		for i := range all.Len() {
			bytes += retained(all.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			bytes += retained(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			bytes += retained(v.Field(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			bytes = int(v.Type().Elem().Size()) + retained(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() {
			bytes = int(v.Elem().Type().Size()) + retained(v.Elem())
		}
	case reflect.String:
		bytes = v.Len()
	}
	return bytes
}

type (
	reusedList struct {
		Rows [][]uint64 `bp:"maxlen=1000,elem.maxlen=1000,elem.elem.kind=varint"`
	}
	reusedBytes struct {
		Rows [][]byte `bp:"maxlen=1000,elem.maxlen=8191"`
	}
	reusedPointers struct {
		Rows []*reusedList `bp:"maxlen=1000"`
	}
	reusedSubset struct {
		Rows []*reusedRow `bp:"maxlen=1000,subset=bitmap"`
	}
	reusedBy struct {
		Rows []struct {
			On    bool
			Words []uint32 `bp:"maxlen=1000,elem.kind=varint"`
		} `bp:"maxlen=1000,subset=bitmap,by=On"`
	}
	reusedRow struct {
		Words []uint32 `bp:"maxlen=1000,elem.kind=varint"`
	}
	reusedUnions struct {
		Rows []reusedAny `bp:"union,maxlen=1000"`
	}
	reusedAny  any
	reusedTree struct {
		Words []uint32     `bp:"maxlen=1000,elem.kind=varint"`
		Kids  []reusedTree `bp:"maxlen=1000"`
	}
	reusedFields struct {
		Rows [40][]uint32 `bp:"maxlen=1000,elem.kind=varint"`
		More [40]struct {
			Rows [][]uint32 `bp:"maxlen=1000,elem.maxlen=1000,elem.elem.kind=varint"`
		}
	}
)

// reusedRows returns functions that make messages of about 1100 bytes. In each
// message, a different element has a long slice.
func reusedRows() map[string]func(i, rows int) any {
	const long = 1000
	words, wide, texts := make([]uint32, long), make([]uint64, long), make([]byte, long)
	return map[string]func(i, rows int) any{
		"slices": func(i, rows int) any {
			v := reusedList{Rows: make([][]uint64, rows)}
			v.Rows[i] = wide
			return &v
		},
		"bytes": func(i, rows int) any {
			v := reusedBytes{Rows: make([][]byte, rows)}
			v.Rows[i] = texts
			return &v
		},
		"pointers": func(i, rows int) any {
			v := reusedPointers{Rows: make([]*reusedList, rows)}
			for k := range v.Rows {
				v.Rows[k] = new(reusedList)
			}
			v.Rows[i].Rows = [][]uint64{nil, wide}
			return &v
		},
		"a subset of pointers": func(i, rows int) any {
			v := reusedSubset{Rows: make([]*reusedRow, rows)}
			for k := range v.Rows {
				v.Rows[k] = new(reusedRow)
			}
			v.Rows[i].Words = words
			return &v
		},
		"a subset of structs": func(i, rows int) any {
			var v reusedBy
			v.Rows = append(v.Rows, make([]struct {
				On    bool
				Words []uint32 `bp:"maxlen=1000,elem.kind=varint"`
			}, rows)...)
			for k := range v.Rows {
				v.Rows[k].On = true
			}
			v.Rows[i].Words = words
			return &v
		},
		"unions": func(i, rows int) any {
			v := reusedUnions{Rows: make([]reusedAny, rows)}
			for k := range v.Rows {
				v.Rows[k] = new(reusedRow)
			}
			v.Rows[i] = &reusedRow{words}
			return &v
		},
		"a recursive type": func(i, rows int) any {
			var v reusedTree
			at := &v
			for range 2 {
				at.Kids = make([]reusedTree, rows/2)
				at = &at.Kids[i/2]
			}
			at.Words = words
			return &v
		},
		"an array": func(i, _ int) any {
			var v reusedFields
			v.Rows[i%40] = words[:500]
			v.More[i%40].Rows = [][]uint32{9: words[:500]}
			return &v
		},
	}
}

func init() { tagcodec.RegisterUnion[reusedAny](&reusedRow{}) }

// readers lists the ways to decode a message: the engine of the build, and the
// reference interpreter.
func readers() map[string]func(pl *plan.Plan, v reflect.Value, data []byte) error {
	return map[string]func(pl *plan.Plan, v reflect.Value, data []byte) error{
		"Unmarshal": func(_ *plan.Plan, v reflect.Value, data []byte) error {
			return tagcodec.Unmarshal(data, v.Addr().Interface())
		},
		"reference": func(pl *plan.Plan, v reflect.Value, data []byte) error {
			return referenceUnmarshal(standard, pl, v, data)
		},
	}
}

// After many messages, a variable retains no more memory than a few messages
// need.
func TestReuseIsBounded(t *testing.T) {
	const rows = 60
	for name, message := range reusedRows() {
		for reader, read := range readers() {
			t.Run(name+", "+reader, func(t *testing.T) {
				typ := reflect.TypeOf(message(0, rows)).Elem()
				plan, err := engine.PlanOf(typ)
				require.NoError(t, err)
				reused, one := reflect.New(typ).Elem(), 0
				check := func(data []byte, want any) {
					fresh := reflect.New(typ).Elem()
					wrong := read(plan, fresh, data)
					require.Equal(t, want == nil, wrong != nil)
					one = max(one, retained(fresh))
					wrong = read(plan, reused, data)
					require.Equal(t, want == nil, wrong != nil)
					if want != nil { // nil means that any content is allowed
						again, err := tagcodec.Marshal(reused.Addr().Interface())
						require.NoError(t, err)
						require.Equal(t, data, again)
					}
				}
				for i := range rows {
					v := message(i, rows)
					data, err := tagcodec.Marshal(v)
					require.NoError(t, err)
					check(data, v)
				}
				require.Less(t, retained(reused), 5*one, "messages that are accepted")

				// The last elements come first, and the data after a long one
				// is refused.
				for i := rows - 3; i >= 0; i -= 4 {
					data, err := tagcodec.Marshal(message(i, rows))
					require.NoError(t, err)
					before, err := tagcodec.Marshal(message(i, i+2))
					require.NoError(t, err)
					if len(before) < len(data) {
						copy(data[len(before):], "\xff\xff\xff\xff")
						check(data, nil)
					}
				}
				require.Less(t, retained(reused), 5*one, "messages that are refused")
			})
		}
	}
}

// The memory of maps must be bounded too, which only heap statistics show.
func TestReuseOfMapsIsBounded(t *testing.T) {
	type value struct {
		Rows []map[uint16]uint8 `bp:"maxlen=255,elem.maxlen=1000"`
	}
	const rows, long = 100, 1000
	for reader, read := range readers() {
		t.Run(reader, func(t *testing.T) {
			plan, err := engine.PlanOf(reflect.TypeFor[value]())
			require.NoError(t, err)
			reused := new(value)
			alive := func() uint64 {
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				return m.HeapAlloc
			}
			before := alive()
			for i := range rows {
				v := value{Rows: make([]map[uint16]uint8, rows)}
				// A map that shrinks gradually must not retain its capacity
				// either.
				for n := long; n > 0 && i >= 0; n /= 3 {
					v.Rows[i] = make(map[uint16]uint8, n)
					for k := range n {
						v.Rows[i][uint16(k)] = 1
					}
					i--
				}
				data, err := tagcodec.Marshal(&v)
				require.NoError(t, err)
				require.NoError(t, read(plan, reflect.ValueOf(reused).Elem(), data))
				require.Len(t, reused.Rows, rows)
			}
			require.Less(t, alive(), before+1<<20) // a map of 1000 takes 20 kB
			runtime.KeepAlive(reused)
		})
	}
}

// A slice that is replaced because of its capacity becomes empty and not nil,
// just like a slice that keeps its memory.
func TestReuseReplaces(t *testing.T) {
	w := bits.NewAppendWriter(nil)
	w.WriteBits(0, 10)
	empty := w.Bytes()
	for reader, read := range readers() {
		t.Run(reader, func(t *testing.T) {
			plan, err := engine.PlanOf(reflect.TypeFor[reusedList]())
			require.NoError(t, err)
			require.Positive(t, plan.Ops[0].KeepCapacity)
			v := reusedList{Rows: make([][]uint64, 1, 1<<16)}
			require.NoError(t, read(plan, reflect.ValueOf(&v).Elem(), empty))
			require.NotNil(t, v.Rows)
			require.Zero(t, cap(v.Rows))
			v.Rows = nil
			require.NoError(t, read(plan, reflect.ValueOf(&v).Elem(), empty))
			require.Nil(t, v.Rows)
		})
	}
}

package enginetest

import (
	"bytes"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

const goroutines = 64

// together runs f in many goroutines that start at the same time.
func together(f func(g int)) {
	var group sync.WaitGroup
	start := make(chan struct{})
	for g := range goroutines {
		group.Go(func() {
			<-start
			f(g)
		})
	}
	close(start)
	group.Wait()
}

// A codec gives many goroutines the same bytes, values and errors as one,
// although they share pooled memory.
func TestOneCodecManyGoroutines(t *testing.T) {
	for _, codec := range []*tagcodec.Codec[leftover]{tagcodec.MustFor[leftover](), tagcodec.MustFor[leftover](tagcodec.WithBriefErrors())} {
		// Compute the expected results in one goroutine.
		type result struct {
			value leftover
			err   string
		}
		decode := func(data []byte) (r result) {
			if err := codec.Unmarshal(data, &r.value); err != nil {
				r.err = err.Error()
			}
			return r
		}
		held, sent := leftovers()
		var messages [][]byte
		for _, v := range []*leftover{held, sent, {}} {
			data, err := codec.Append(nil, v)
			require.NoError(t, err)
			messages = append(messages, data)
			for n := 0; n < len(data); n += 7 {
				damaged := bytes.Clone(data)
				damaged[n] ^= 0x10
				messages = append(messages, data[:n], damaged)
			}
		}
		var want []result
		refused := 0
		for _, data := range messages {
			want = append(want, decode(data))
			if want[len(want)-1].err != "" {
				refused++
			}
		}
		require.Greater(t, refused, len(messages)/2)
		together(func(g int) {
			var used leftover
			var buf []byte
			for i := range messages {
				k := (i + g) % len(messages)
				got := decode(messages[k])
				if !reflect.DeepEqual(want[k], got) {
					t.Errorf("message %d: %+v, and not %+v", k, got, want[k])
				}
				if got.err != "" {
					_ = codec.Unmarshal(messages[k], &used)
					continue
				}
				if rest, err := codec.UnmarshalFirst(append(bytes.Clone(messages[k]), 1), &used); err != nil || len(rest) != 1 {
					t.Errorf("message %d: %d bytes left, %v", k, len(rest), err)
				}
				var err error
				if buf, err = codec.Append(buf[:0], &used); err != nil || !bytes.Equal(buf, messages[k]) {
					t.Errorf("message %d: %x, %v, and not %x", k, buf, err, messages[k])
				}
				if n, err := codec.Size(&got.value); err != nil || n != len(messages[k]) {
					t.Errorf("message %d: a size of %d, %v", k, n, err)
				}
				used.Level = 301
				if out, err := codec.Append(buf[:0], &used); err == nil || len(out) != 0 {
					t.Errorf("message %d: a level of 301 is written", k)
				}
			}
		})
	}
}

// Goroutines marshal new types at the same time. Some of the types are invalid.
func TestFirstUseOfManyTypes(t *testing.T) {
	var types []reflect.Type
	for i := range 40 {
		tag := reflect.StructTag(fmt.Sprintf(`bp:"int,min=%d,max=%d"`, -i, 1000-i))
		if i%8 == 7 {
			tag = `bp:"int,min=1,max=0"`
		}
		part := reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: reflect.TypeFor[[3]int32](), Tag: tag},
			{Name: "First", Type: reflect.TypeFor[bool]()},
		})
		types = append(types, reflect.StructOf([]reflect.StructField{
			{Name: "Parts", Type: reflect.SliceOf(part), Tag: `bp:"maxlen=7"`},
			{Name: "ByName", Type: reflect.MapOf(reflect.TypeFor[string](), part), Tag: `bp:"maxlen=7,key.maxlen=7"`},
		}))
	}
	value := func(typ reflect.Type) reflect.Value {
		v := reflect.New(typ).Elem()
		v.Field(0).Set(reflect.MakeSlice(v.Field(0).Type(), 2, 2))
		v.Field(1).Set(reflect.MakeMap(v.Field(1).Type()))
		v.Field(1).SetMapIndex(reflect.ValueOf("key"), v.Field(0).Index(1))
		return v
	}
	var results [goroutines][][]byte
	var texts [goroutines][]string
	together(func(g int) {
		results[g], texts[g] = make([][]byte, len(types)), make([]string, len(types))
		for i := range types {
			k := (i + g*7) % len(types)
			v := value(types[k])
			data, err := tagcodec.Marshal(v.Interface())
			if err != nil {
				texts[g][k] = err.Error()
				continue
			}
			results[g][k] = data
			back := reflect.New(types[k])
			if err := tagcodec.Unmarshal(data, back.Interface()); err != nil || !reflect.DeepEqual(v.Interface(), back.Elem().Interface()) {
				t.Errorf("%v: %v, %v", types[k], back.Elem(), err)
			}
		}
	})
	for i, typ := range types {
		data, err := tagcodec.Marshal(value(typ).Interface())
		require.Equal(t, i%8 == 7, err != nil, "%v", typ)
		for g := range goroutines {
			require.Equal(t, data, results[g][i])
			if err != nil {
				require.Equal(t, err.Error(), texts[g][i])
			}
		}
	}
}

package delta

import (
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/gobitpack/bitpack/compress"
)

type xyz struct {
	X int16 `bp:"int,min=-16384,max=16383,pred=lin"`
	Y int16 `bp:"int,min=-16384,max=16383,pred=lin"`
	Z int16 `bp:"int,min=0,max=8191,pred=lin"`
}
type cube struct {
	Orientation [4]float32 `bp:"quat,bits=9,pred=lin"`
	Position    xyz
	Interacting bool
}
type cubes struct{ Cubes [901]cube }

func slurp(t testing.TB, name string) []int32 {
	f, err := os.Open("/work/shared/data/" + name)
	if err != nil {
		t.Skip(err)
	}
	z, _ := gzip.NewReader(f)
	b, _ := io.ReadAll(z)
	v := make([]int32, len(b)/4)
	for i := range v {
		v[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

type car struct {
	Sleeping bool
	Vel      [3]int32   `bp:"int,bits=20"`
	Spin     [3]float32 `bp:"float,min=-6.5536,max=6.5535,bits=17"`
	Pos      struct {
		X int32 `bp:"int,bits=20,pred=vel:Vel"`
	}
}

func TestScratchCubes(t *testing.T) {
	v := slurp(t, "cubes_main.i32.gz")
	c := MustFor[cubes]()
	q, _ := compress.NewQuat(9)
	var images []*Image
	n := 2837
	for f := range n {
		var s cubes
		for e := range 901 {
			o := v[(f*901+e)*8:]
			x, ok := q.Decode32(uint64(o[0]) | uint64(o[1])<<2 | uint64(o[2])<<11 | uint64(o[3])<<20)
			if !ok {
				t.Fatal("code")
			}
			s.Cubes[e] = cube{x, xyz{int16(o[4]), int16(o[5]), int16(o[6])}, o[7] != 0}
		}
		m, err := c.Quantize(&s, nil)
		if err != nil {
			t.Fatal(err)
		}
		images = append(images, m)
		if f == 10 {
			rows := &m.tables[1]
			tb := c.schema.tables[1]
			for e := range 901 {
				for k, cl := range tb.cells {
					want := v[(f*901+e)*8+k]
					if got := int64(cl.load(rows.data, (e+1)*tb.stride)) + int64(cl.bias); got != int64(want) {
						t.Fatal(e, k, got, want)
					}
				}
			}
		}
	}
	total, count := 0, 0
	var buf []byte
	var enc, dec time.Duration
	for f := 6; f < n; f++ {
		refs := Refs{Tick: uint64(f), Base: Ref{uint64(f - 6), images[f-6]}}
		for i, d := range []int{2, 6} {
			if f-6-d >= 0 {
				refs.Older[i] = Ref{uint64(f - 6 - d), images[f-6-d]}
			}
		}
		t0 := time.Now()
		var err error
		buf, err = c.Append(buf[:0], images[f], refs)
		enc += time.Since(t0)
		if err != nil {
			t.Fatal(err)
		}
		total += len(buf)
		count++
		t0 = time.Now()
		back, err := c.Read(buf, refs, nil)
		dec += time.Since(t0)
		if err != nil {
			t.Fatal(f, err)
		}
		for e := 1; e <= 901; e++ {
			if !back.tables[1].equal(c.schema.tables[1], e, &images[f].tables[1], e) {
				t.Fatal(f, e)
			}
		}
		back.Release()
	}
	fmt.Printf("cubes %.2f bytes, enc %v dec %v\n", float64(total)/float64(count), enc/time.Duration(count), dec/time.Duration(count))
}

package enginetest

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
)

// TestExplain explains messages of random types, whole and mutated. The parts
// must follow each other from the first bit, end where the message ends or at a
// refused value, and the error must be that of Unmarshal.
func TestExplain(t *testing.T) {
	values, refused := 0, 0
	c := settingsWith(tagcodec.WithLinker(&harbour{}))
	for seed := range uint64(effort.Rounds(t, 40)) {
		g, s, pl := randomType(t, seed)
		name := fmt.Sprintf("seed %d: %v", seed, s.typ)
		explain := func(data []byte) (parts []reference.Part, err error) {
			end := 0
			err = engine.Explain(&c, pl, reflect.New(s.typ).Elem(), data, func(p reference.Part) {
				require.Equal(t, end, p.Bit, name)
				require.Positive(t, p.Bits, name)
				end += p.Bits
				parts = append(parts, p)
			})
			require.LessOrEqual(t, end, 8*len(data), name)
			v := reflect.New(s.typ)
			if want := engine.Unmarshal(&c, pl, engine.VariableTo(v), data); !errors.Is(want, tagcodec.ErrLink) { // it resolves no links
				sameError(t, want, err, name)
			}
			if err == nil {
				require.Equal(t, len(data), (end+7)/8, name)
			}
			return parts, err
		}
		for range 4 {
			v := reflect.New(s.typ)
			s.fill(g, v.Elem())
			data, err := engine.Encode(&c, pl, engine.VariableTo(v), nil)
			if err != nil {
				continue
			}
			_, err = explain(data)
			require.NoError(t, err, name)
			values++
			for range 4 {
				if _, err := explain(g.mutated(data)); err != nil {
					refused++
				}
			}
		}
	}
	require.Greater(t, values, 100*effort.Factor())
	require.Greater(t, refused, values)
}

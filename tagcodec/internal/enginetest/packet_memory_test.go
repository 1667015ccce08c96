package enginetest

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
)

// memoryPerBit returns the number of bytes that a bit of a message may cost, and
// the number that a message of any length may cost. Each bit belongs to the
// shortest form of at most one element, which may be allocated twice: map entries
// and union members are copied.
func memoryPerBit(p *plan.Plan) (perBit, fixed int) {
	fixed = 16384 + int(p.Type.Size())
	each := func(t reflect.Type, minBits int) {
		perBit = max(perBit, int(t.Size())/max(minBits, 1)+1)
	}
	for i := range p.Elems {
		e := &p.Elems[i]
		if each(e.Type, e.MinBits); e.Union != nil {
			for k, t := range e.Union.Types {
				each(t, e.Union.MinBits[k])
			}
		}
		if e.Subset != nil {
			fixed += 1 << 16
		}
	}
	return 2*perBit + 256, fixed // 256 for the frames of a recursive value
}

// corpus returns the inputs stored in testdata for a fuzz target. Each input is
// a byte slice.
func corpus(t *testing.T, target string) (list [][]byte) {
	files, err := filepath.Glob(filepath.Join("testdata", "fuzz", target, "*"))
	require.NoError(t, err)
	require.NotEmpty(t, files, target)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if quoted, ok := strings.CutPrefix(strings.TrimSpace(line), "[]byte("); ok {
				data, err := strconv.Unquote(strings.TrimSuffix(quoted, ")"))
				require.NoError(t, err, name)
				list = append(list, []byte(data))
			}
		}
	}
	return list
}

// requireMemory decodes data and requires that no more memory is allocated than
// its bits justify.
func requireMemory(t *testing.T, p *plan.Plan, data []byte) {
	t.Helper()
	c := settingsWith(tagcodec.WithLinker(&harbour{}), tagcodec.WithSentinelErrors())
	perBit, fixed := memoryPerBit(p)
	for _, each := range coders {
		var err error
		most := uint64(fixed + 8*len(data)*perBit)
		took := allocatedOver(most, func() { err = each.unmarshal(&c, p, reflect.New(p.Type), data) })
		require.LessOrEqual(t, took, most, "%v: %v: %x: %v", p.Type, each, data[:min(len(data), 64)], err)
	}
}

// TestMemoryOfCorpus decodes the stored inputs of the fuzz targets, and messages of
// the attacked types that claim as much as they can.
func TestMemoryOfCorpus(t *testing.T) {
	inputs := corpus(t, "FuzzUnmarshal")
	for i := range attacked {
		for _, fill := range []string{"\x00", "\xFF", "\x55", "\x01"} {
			for _, n := range []int{0, 1, 8, 64, 1200} {
				inputs = append(inputs, []byte(string(rune(i))+strings.Repeat(fill, n)))
			}
		}
	}
	for _, data := range inputs {
		if len(data) > 0 {
			p, err := typecache.Of(attacked[int(data[0])%len(attacked)])
			require.NoError(t, err)
			requireMemory(t, sealed.PlanOf(p), data[1:])
		}
	}
	for _, data := range corpus(t, "FuzzRandomType") {
		if len(data) >= 2 {
			_, _, p := randomType(t, uint64(binary.LittleEndian.Uint16(data)&0xFFF))
			requireMemory(t, p, data[2:])
		}
	}
}

package delta

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/tagcodec"
)

// explain explains a delta.
func (s *subject) explain(data []byte, refs *Refs) (*tagcodec.Explanation, *Image) {
	var e tagcodec.Explanation
	var image *Image
	k := s.coder()
	defer s.release(k)
	k.trace = newTracer(&e, k, 0)
	image, e.Err = s.decodeWith(k, data, refs, 0)
	k.trace.finish()
	return &e, image
}

// checkParts checks that the parts of a message follow each other from the first
// bit, and end where it ends unless it is refused.
func checkParts(t testing.TB, data []byte, e *tagcodec.Explanation) {
	end := 0
	for _, p := range e.Parts {
		if p.Bit != end || p.Bits <= 0 || p.Path == "" {
			t.Fatalf("%+v does not begin at bit %d, or has no bits or path, of %v", p, end, e)
		}
		end += p.Bits
	}
	if end > 8*len(data) || e.Err == nil && (end+7)/8 != len(data) {
		t.Fatalf("the parts end at bit %d of %d bytes: %v", end, len(data), e)
	}
}

// at returns the value of a path from v.
func at(t *testing.T, v reflect.Value, path string) any {
	for path != "" {
		for v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		end := len(path)
		if i := strings.IndexAny(path[1:], ".["); i >= 0 {
			end = 1 + i
		}
		name := strings.TrimSuffix(path[1:end], "]")
		switch path = path[end:]; {
		case v.Kind() == reflect.Struct:
			v = v.FieldByName(name)
		case v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String:
			text, err := strconv.Unquote(name)
			require.NoError(t, err)
			v = v.MapIndex(reflect.ValueOf(text))
		case v.Kind() == reflect.Map:
			key, err := strconv.Atoi(name)
			require.NoError(t, err)
			v = v.MapIndex(reflect.ValueOf(key).Convert(v.Type().Key()))
		case name == "real":
			return float32(real(v.Complex()))
		case name == "imag":
			return float32(imag(v.Complex()))
		default:
			i, err := strconv.Atoi(name)
			require.NoError(t, err)
			v = v.Index(i)
		}
		require.True(t, v.IsValid(), "%s of %s", name, path)
	}
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v.Interface()
}

// TestExplainRandomTypes explains deltas of random types. The parts must follow each
// other from the first bit and end where the message ends. Each value must be that
// of its path in the snapshot. TestHostile explains damaged deltas.
func TestExplainRandomTypes(t *testing.T) {
	deltas, values := 0, 0
	for seed := range uint64(effort.Rounds(t, 20)) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 7))}
		x := newVictim(t, g)
		if x == nil {
			continue
		}
		for i, data := range x.messages {
			if data[0]&1 == 1 {
				continue // a whole message
			}
			e, image := x.explain(data, &x.refs[i])
			require.NoError(t, e.Err, "seed %d %v", seed, x.typ)
			checkParts(t, data, e)
			packed, err := image.pack(new(bits.Writer), []byte{})
			require.NoError(t, err)
			state := reflect.New(x.typ)
			require.NoError(t, tagcodec.Unmarshal(packed, state.Interface()))
			for _, p := range e.Parts {
				require.NotContains(t, p.What, "<nil>")
				require.False(t, p.What == "" && p.Value == nil)
				if p.Value != nil && (p.What == "" || p.What == "now" || strings.HasSuffix(p.What, ", now") || strings.HasSuffix(p.What, "now the value")) {
					got := at(t, state, p.Path[len(x.typ.String()):])
					if text, ok := got.([9]byte); ok { // a cstring
						got = strings.TrimRight(string(text[:]), "\x00")
					}
					require.Equal(t, fmt.Sprint(got), fmt.Sprint(p.Value), "seed %d %v", seed, p)
					values++
				}
			}
			deltas++
		}
	}
	t.Log(deltas, "deltas,", values, "values")
	require.Greater(t, values, 10*deltas)
}

// TestExplainReceiver checks that explaining changes nothing that a Receiver
// knows, and which error it returns.
func TestExplainReceiver(t *testing.T) {
	type state struct {
		N    uint32 `bp:"pred=lin"`
		Text string `bp:"maxlen=20"`
	}
	c := MustFor[state]()
	s, r := c.NewSender(), c.NewReceiver()
	read := func(data []byte) error {
		known := slices.Clone(r.read)
		e := r.Explain(data)
		require.True(t, slices.Equal(known, r.read))
		require.Zero(t, r.refs)
		var v state
		tick, err := r.Read(data, &v)
		if require.Equal(t, err, e.Err); err == nil {
			checkParts(t, data, e)
			require.Equal(t, "state", e.Parts[0].Path)
			require.Equal(t, tick, e.Parts[0].Value)
			s.Ack(tick)
		}
		return err
	}
	var messages [][]byte
	send := func(tick uint64, v state) []byte {
		image, err := c.Quantize(&v, nil)
		require.NoError(t, err)
		data, err := s.Append(nil, tick, image)
		require.NoError(t, err)
		messages = append(messages, data)
		return data
	}
	for tick := range uint64(5) {
		require.NoError(t, read(send(tick, state{N: uint32(100 * tick)})))
	}
	require.Equal(t, "the usual references, ticks", r.Explain(messages[4]).Parts[1].What)
	require.Equal(t, []uint64{3, 2, 1}, r.Explain(messages[4]).Parts[1].Value)

	late := send(5, state{N: 7})
	require.NoError(t, read(send(6, state{N: 9})))
	require.ErrorIs(t, read(late), ErrLate)
	require.ErrorIs(t, read(late), ErrRepeated)
	e := r.Explain(late)
	checkParts(t, late, &tagcodec.Explanation{Parts: e.Parts}) // they are complete

	other := c.NewReceiver()
	e = other.Explain(late)
	require.ErrorIs(t, e.Err, ErrBaseline)
	require.Equal(t, 16, e.Parts[0].Bits)
	for i := range late {
		e := r.Explain(late[:i])
		require.Error(t, e.Err)
		checkParts(t, late[:i], e)
	}

	send(500, state{})
	far := send(504, state{N: 3})
	require.Equal(t, "no base: a complete snapshot", r.Explain(far).Parts[2].What)
	require.NoError(t, read(far))
	require.ErrorIs(t, read(messages[2]), ErrStale)
}

// TestExplainWhole explains a message that is not a delta.
func TestExplainWhole(t *testing.T) {
	type noise struct{ Words [9]uint64 }
	c := MustFor[noise]()
	var v noise
	g := rand.New(rand.NewPCG(1, 1))
	for i := range v.Words {
		v.Words[i] = g.Uint64()
	}
	image, err := c.Quantize(&v, nil)
	require.NoError(t, err)
	data, err := c.Append(nil, image, Refs{})
	require.NoError(t, err)
	e := c.Explain(data, Refs{})
	require.NoError(t, e.Err)
	checkParts(t, data, e)
	require.Len(t, e.Parts, 2+9)
	require.Equal(t, tagcodec.Part{Bit: 0, Bits: 1, Path: "noise", What: "a whole message", Code: 1}, e.Parts[0])
	require.Equal(t, tagcodec.Part{Bit: 1, Bits: 7, Path: "noise", What: "padding"}, e.Parts[1])
	require.Equal(t, tagcodec.Part{Bit: 8 + 64*8, Bits: 64, Path: "noise.Words[8]", Value: v.Words[8], Code: v.Words[8]}, e.Parts[10])
	for i := range data {
		e := c.Explain(data[:i], Refs{})
		_, err := c.Read(data[:i], Refs{}, nil)
		require.Equal(t, err, e.Err)
		checkParts(t, data[:i], e)
	}
	e = c.Explain(data, Refs{Tick: 1, Base: Ref{1, image}})
	require.ErrorIs(t, e.Err, ErrArgument)
	require.Empty(t, e.Parts)
}

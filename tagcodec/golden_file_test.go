package tagcodec_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
)

// goldenFile has results that every machine must reproduce: the hash of each
// type, the message of each value, and the decoded value with every bit of its
// floats. It also has messages with one bit changed. For each it gives the
// reason for the refusal or, if it is accepted, the first bytes of the SHA-256
// of the decoded value.
const goldenFile = "testdata/wire.txt"

var updateGolden = flag.Bool("update", false, "write the golden file anew")

func TestGoldenFile(t *testing.T) {
	var got bytes.Buffer
	for _, row := range goldenTypes {
		row.write(t, &got)
	}
	if *updateGolden {
		require.NoError(t, os.WriteFile(goldenFile, got.Bytes(), 0o666))
	}
	want, err := os.ReadFile(goldenFile)
	require.NoError(t, err)
	wanted, lines := strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")
	require.Len(t, lines, len(wanted), "the file has other types or values: write it anew with -update")
	for i := range wanted { // compared line by line, because a diff of two such large files is useless
		require.Equal(t, wanted[i], lines[i], "%s:%d: this machine differs from others", goldenFile, i+1)
	}
}

// goldenType is a type in the golden file.
type goldenType struct {
	typ   reflect.Type
	plan  *plan.Plan
	write func(*testing.T, *bytes.Buffer)
}

var goldenTypes = []goldenType{
	goldenOf((*goldenPlain).fill), goldenOf((*goldenNative).fill), goldenOf((*goldenIntegers).fill), goldenOf((*goldenFloats).fill), goldenOf((*goldenRelative).fill),
	goldenOf((*goldenTexts).fill), goldenOf((*goldenSequences).fill), goldenOf((*goldenPresence).fill), goldenOf((*goldenSubsets).fill),
	goldenOf((*goldenGeometry).fill), goldenOf((*goldenObjects).fill), goldenOf((*goldenStructure).fill), goldenOf((*goldenEntropy).fill),
}

const (
	goldenValues = 6 // per type
	goldenFaults = 4 // messages with a changed bit, per value
)

func goldenOf[T any](fill func(*T, *source)) goldenType {
	codec := tagcodec.MustFor[T](goldenOptions...)
	typ := reflect.TypeFor[T]()
	name, faults := strings.TrimPrefix(typ.Name(), "golden"), goldenFaults
	if name == "Native" {
		faults = 0
	}
	return goldenType{typ, sealed.PlanOf(codec.Plan()), func(t *testing.T, out *bytes.Buffer) {
		fmt.Fprintf(out, "%s hash %x\n", name, codec.Hash())
		for i := range goldenValues {
			s := newSource(name, i)
			var v, back T
			fill(&v, s)
			data, err := codec.Append(nil, &v)
			require.NoError(t, err, "%s %d", name, i)
			require.NoError(t, codec.Unmarshal(data, &back), "%s %d", name, i)
			fmt.Fprintf(out, "%s %d %x %s\n", name, i, data, shown(&back))
			// If the encoding is not canonical, the decoded value may have
			// another message.
			again, err := codec.Append(nil, &back)
			require.NoError(t, err, "%s %d", name, i)
			if !bytes.Equal(again, data) {
				fmt.Fprintf(out, "%s %d again %x\n", name, i, again)
			}
			for range faults {
				bit := s.integer(0, int64(8*len(data)-1))
				faulty := slices.Clone(data)
				faulty[bit/8] ^= 1 << (bit % 8)
				var v T
				if err := codec.Unmarshal(faulty, &v); err != nil {
					fmt.Fprintf(out, "%s %d bit %d refused: %s\n", name, i, bit, refusedFor(t, err))
				} else {
					fmt.Fprintf(out, "%s %d bit %d read: %.8x\n", name, i, bit, sha256.Sum256([]byte(shown(&v))))
				}
			}
		}
	}}
}

// refusedFor describes where and why a message was refused.
func refusedFor(t *testing.T, err error) string {
	var e *tagcodec.Error
	require.ErrorAs(t, err, &e)
	for _, reason := range []error{
		tagcodec.ErrRange, tagcodec.ErrLength, tagcodec.ErrText, tagcodec.ErrCheck, tagcodec.ErrPadding, tagcodec.ErrOverread,
		tagcodec.ErrTrailing, tagcodec.ErrNotCanonical, tagcodec.ErrOrder, tagcodec.ErrLink,
	} {
		if errors.Is(err, reason) {
			return fmt.Sprintf("%s at bit %d: %v", e.Path, e.Bit, reason)
		}
	}
	return fmt.Sprintf("%s at bit %d", e.Path, e.Bit)
}

// shown formats a variable as text, with floats as bits.
func shown(v any) string {
	var s strings.Builder
	show(&s, reflect.ValueOf(v).Elem())
	return s.String()
}

func show(s *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		fmt.Fprint(s, v.Bool())
	case reflect.Float32: // a conversion to float64 may change a NaN
		fmt.Fprintf(s, "%08x", math.Float32bits(*(v.Addr().Interface().(*float32))))
	case reflect.Float64:
		fmt.Fprintf(s, "%016x", math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		fmt.Fprintf(s, "%016x+%016xi", math.Float64bits(real(v.Complex())), math.Float64bits(imag(v.Complex())))
	case reflect.String:
		fmt.Fprintf(s, "%+q", v.String())
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			s.WriteString("nil")
			return
		}
		if v = v.Elem(); !v.CanAddr() { // in an interface
			fmt.Fprintf(s, "%v ", v.Type())
			inner := reflect.New(v.Type()).Elem()
			inner.Set(v)
			v = inner
		}
		show(s, v)
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			fmt.Fprintf(s, "%x", v.Bytes())
			return
		}
		s.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				s.WriteByte(' ')
			}
			show(s, v.Index(i))
		}
		s.WriteByte(']')
	case reflect.Map:
		var entries []string
		for key, value := range v.Seq2() {
			entry := reflect.New(value.Type()).Elem()
			entry.Set(value)
			entries = append(entries, fmt.Sprintf("%+q:", fmt.Sprint(key))+shown(entry.Addr().Interface()))
		}
		slices.Sort(entries)
		fmt.Fprint(s, entries)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			s.WriteString(v.Interface().(time.Time).Format(time.RFC3339Nano))
			return
		}
		s.WriteByte('{')
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Name != "_" {
				if s.String()[s.Len()-1] != '{' {
					s.WriteByte(' ')
				}
				show(s, v.Field(i))
			}
		}
		s.WriteByte('}')
	default:
		fmt.Fprint(s, v) // an integer
	}
}

// source generates values from integers only, because float arithmetic may
// differ between machines.
type source struct{ *rand.PCG }

func newSource(name string, i int) *source {
	seed := uint64(i)
	for _, b := range []byte(name) {
		seed = seed*257 + uint64(b)
	}
	return &source{rand.NewPCG(seed, 0)}
}

func (s *source) raw() uint64 { return s.Uint64() }

// integer returns an integer in [lo, hi].
func (s *source) integer(lo, hi int64) int64 { return lo + int64(s.raw()%(uint64(hi-lo)+1)) }

// one returns true with probability 1/in.
func (s *source) one(in int64) bool { return s.integer(1, in) == 1 }

// float64 returns an exact multiple of 2^-20 in [lo, hi].
func (s *source) float64(lo, hi int64) float64 { return float64(s.integer(lo<<20, hi<<20)) / (1 << 20) }

func (s *source) float32(lo, hi int64) float32 { return float32(s.float64(lo, hi)) }

func (s *source) floats(list []float32, lo, hi int64) {
	for i := range list {
		list[i] = s.float32(lo, hi)
	}
}

func (s *source) bytes(most int64) []byte {
	b := make([]byte, s.integer(0, most))
	for i := range b {
		b[i] = byte(s.raw() >> 56)
	}
	return b
}

// text returns text of at most most bytes.
func (s *source) text(most int) string {
	const letters = "abcdefghijklmnopqrstuvwxyz é世\U0001F680"
	text, runes := "", []rune(letters)
	for range s.integer(0, int64(most)) {
		if r := string(runes[s.integer(0, int64(len(runes)-1))]); len(text)+len(r) <= most {
			text += r
		}
	}
	return text
}

// matrix returns a column-major matrix made of a translation, a rotation about
// an axis and a scale. The rotations come from right triangles with integer
// sides, so no element is rounded more than once.
func (s *source) matrix() (m [16]float32) {
	triangle := [...][3]int64{{1, 0, 1}, {3, 4, 5}, {-5, 12, 13}, {8, -15, 17}, {-20, -21, 29}}[s.integer(0, 4)]
	scale := [...]int64{1, 1, 2, 3}[s.integer(0, 3)]
	cos, sin := float32(float64(triangle[0]*scale)/float64(triangle[2])), float32(float64(triangle[1]*scale)/float64(triangle[2]))
	axis := int(s.integer(0, 2))
	x, y := (axis+1)%3, (axis+2)%3
	m[5*axis], m[5*x], m[5*y], m[4*x+y], m[4*y+x] = float32(scale), cos, cos, sin, -sin
	s.floats(m[12:15], -90, 90)
	m[15] = 1
	return m
}

// The types in the golden file have every kind and option named by
// docs/TAGS.md, and their plans have every code.
func TestGoldenFileIsComplete(t *testing.T) {
	tags, codes := map[string]bool{}, map[plan.Code]bool{}
	for _, row := range goldenTypes {
		words(tags, tagsOf(row.typ, map[reflect.Type]bool{}))
		for i := range row.plan.Ops {
			codes[row.plan.Ops[i].Code] = true
		}
	}
	for code := range plan.NumCodes {
		require.True(t, codes[plan.Code(code)], "no op %v", plan.Code(code))
	}

	page, err := os.ReadFile("../docs/TAGS.md")
	require.NoError(t, err)
	documented := map[string]bool{}
	for _, tag := range regexp.MustCompile("(?m)^\\| `([^`]*)` \\| `|`bp:\"([^\"]*)\"`").FindAllStringSubmatch(string(page), -1) {
		words(documented, tag[1]+tag[2])
	}
	require.Greater(t, len(documented), 40)
	for _, hint := range []string{"pred", "key", "step"} { // they are for package delta and change no bytes
		delete(documented, hint)
	}
	for word := range documented {
		require.True(t, tags[word], "no tag with %s", word)
	}
}

// words adds the kinds and option names of a tag to set, and values that are
// names.
func words(set map[string]bool, tag string) {
	for part := range strings.SplitSeq(tag, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch set[name] = true; name {
		case "subset", "mode", "unit":
			set[part] = true
		case "if":
			set["if "+regexp.MustCompile("[A-Za-z0-9]+").ReplaceAllString(value, "x")] = true
		}
	}
}

// tagsOf returns all tags within a type.
func tagsOf(t reflect.Type, seen map[reflect.Type]bool) (tags string) {
	if seen[t] {
		return ""
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return tagsOf(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			tags += f.Tag.Get("bp") + "," + tagsOf(f.Type, seen) + ","
		}
	}
	return tags
}

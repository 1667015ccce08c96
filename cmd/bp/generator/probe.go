package generator

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/typecache"
)

// Refused is the suffix of the file with the [Result] that has the error about the type
// that was refused last. A package variable that is a codec of such a type ends the
// program before the test runs.
const Refused = ".refused"

func init() {
	if name := os.Getenv("BITPACK_PROBE"); name != "" {
		plan.Refused = func(err error) { _ = write(name+Refused, resultOf(err)) }
	}
}

// Result is the result of [File].
type Result struct {
	Source string
	Notes  []string
	Error  string           // or ""
	Type   string           // the type that has no plan, if that is the error
	Wrong  *typecache.Error // the error, or nil
}

func resultOf(err error) (r Result) {
	if err != nil {
		r.Error = err.Error()
	}
	if errors.As(err, &r.Wrong) {
		r.Type = r.Wrong.Type.Name()
	}
	return r
}

// Probe calls [File] and writes the [Result]. The test that bp gen adds calls it. The
// user's package may declare any predeclared name, so that the test itself needs none.
func Probe(t interface{ Fatal(...any) }, pkgPath, pkgName string, types []reflect.Type, taken, members Names) {
	source, notes, err := File(pkgPath, pkgName, types, taken, members)
	result := resultOf(err)
	result.Source, result.Notes = string(source), notes
	Write(t, result)
}

// Write writes the result of a test that bp adds as JSON to the file that the environment
// variable BITPACK_PROBE names.
func Write(t interface{ Fatal(...any) }, result any) {
	if err := write(os.Getenv("BITPACK_PROBE"), result); err != nil {
		t.Fatal(err)
	}
}

func write(name string, result any) error {
	data, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o600)
}

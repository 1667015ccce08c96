package generator

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/typecache"
)

// out returns the name of the file for the result of a probe, a test that bp adds to the
// user's package, or "" in other programs.
func out() string { return os.Getenv("BITPACK_PROBE") }

// Refused is the suffix of the file that has the [Refusal] of the type that was refused
// last. A package variable that is a codec of such a type ends the program before the
// probe runs.
const Refused = ".refused"

func init() {
	if name := out(); name != "" {
		plan.Refused = func(err error) {
			if r := refusalOf(err); r.Wrong != nil {
				data, _ := json.Marshal(r)
				_ = os.WriteFile(name+Refused, data, 0o600)
			}
		}
	}
}

// Refusal is the error about a type that has no plan.
type Refusal struct {
	Type  string           // the type that was asked for
	Wrong *typecache.Error // or nil
}

func refusalOf(err error) (r Refusal) {
	if errors.As(err, &r.Wrong) {
		r.Type = r.Wrong.Type.Name()
	}
	return r
}

// Result is the result of [File].
type Result struct {
	Source  string
	Notes   []string
	Error   string // or ""
	Refusal        // if that is the error
}

// Probe calls [File] and writes the [Result]. The test that bp gen adds calls it. The
// user's package may declare any predeclared name, so that the test itself needs none.
func Probe(t interface{ Fatal(...any) }, pkgPath, pkgName string, types []reflect.Type, taken, members Names) {
	source, notes, err := File(pkgPath, pkgName, types, taken, members)
	result := Result{Source: string(source), Notes: notes, Refusal: refusalOf(err)}
	if err != nil {
		result.Error = err.Error()
	}
	Write(t, result)
}

// Write writes the result of a probe as JSON to the file that the environment variable
// BITPACK_PROBE names.
func Write(t interface{ Fatal(...any) }, result any) {
	data, err := json.Marshal(result)
	if err == nil {
		err = os.WriteFile(out(), data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

package generator

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"

	"github.com/gobitpack/bitpack/typecache"
)

// Result is the result of [File].
type Result struct {
	Source string
	Notes  []string
	Error  string // or ""
	Type   string // the type that has a wrong tag, if that is the error
	Path   string // the path of the field that has it
}

// Probe calls [File] and writes the [Result] as JSON to the file that the
// environment variable BITPACK_PROBE names. bp gen adds a test that calls it to the
// user's package, which may declare any predeclared name, so that the test itself
// needs none.
func Probe(t interface{ Fatal(...any) }, pkgPath, pkgName string, types []reflect.Type, taken, members Names) {
	source, notes, err := File(pkgPath, pkgName, types, taken, members)
	result := Result{Source: string(source), Notes: notes}
	if wrong := (*typecache.Error)(nil); errors.As(err, &wrong) {
		result.Type, result.Path, result.Error = wrong.Type.Name(), wrong.Path, wrong.Msg
	} else if err != nil {
		result.Error = err.Error()
	}
	data, err := json.Marshal(result)
	if err == nil {
		err = os.WriteFile(os.Getenv("BITPACK_PROBE"), data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

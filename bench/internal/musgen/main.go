// Command musgen generates the mus-go code for the values. Its argument is the
// name of the package to write into the current directory. With -unsafe, the
// decoded strings share the memory of the message.
package main

import (
	"flag"
	"log"
	"os"
	"reflect"

	"github.com/gobitpack/bitpack/bench/values"
	musgen "github.com/mus-format/musgen-go/mus"
	generate "github.com/mus-format/musgen-go/options/generate"
	structs "github.com/mus-format/musgen-go/options/struct"
	types "github.com/mus-format/musgen-go/options/type"
)

func main() {
	log.SetFlags(0)
	unsafe := flag.Bool("unsafe", false, "write unsafe code")
	flag.Parse()
	code, err := write(flag.Arg(0), *unsafe)
	if err == nil {
		err = os.WriteFile("values.gen.go", code, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// write returns the code. Numbers are varints, except those whose values use
// all of their bits, which are shorter in raw form.
func write(name string, unsafe bool) ([]byte, error) {
	options := []generate.SetOption{
		generate.WithPkgPath("github.com/gobitpack/bitpack/bench/internal/" + name),
		generate.WithPackage(name),
		generate.WithImport("github.com/gobitpack/bitpack/bench/values"),
	}
	for _, t := range []reflect.Type{reflect.TypeFor[values.Body](), reflect.TypeFor[values.Object]()} {
		options = append(options, generate.WithSerName(t, t.Name()))
	}
	if unsafe {
		options = append(options, generate.WithUnsafe())
	}
	g, err := musgen.NewCodeGenerator(options...)
	if err != nil {
		return nil, err
	}
	raw := types.WithNumEncoding(types.Raw)
	plain, rawField, rawElements := structs.WithField(), structs.WithField(raw), structs.WithField(types.WithElem(raw))
	for _, s := range []struct {
		t      reflect.Type
		fields []structs.SetOption
	}{
		{reflect.TypeFor[values.Small](), []structs.SetOption{
			plain, plain, plain, plain, rawField, rawField,
		}},
		{reflect.TypeFor[values.Packet](), []structs.SetOption{
			rawField, rawElements, rawElements, plain, rawField, rawElements, plain, rawElements, rawElements,
		}},
		{reflect.TypeFor[values.Body](), []structs.SetOption{
			plain, plain, plain, plain, rawField, plain, plain, plain, rawField, rawField, plain,
		}},
		{reflect.TypeFor[values.Object](), []structs.SetOption{rawField, plain}},
		{reflect.TypeFor[values.Frame](), nil},
	} {
		if err := g.AddStruct(s.t, s.fields...); err != nil {
			return nil, err
		}
	}
	return g.Generate()
}

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/cmd/bp/generator"
	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
	"github.com/gobitpack/bitpack/typecache"
)

// wire is what the library says about a type.
type wire struct {
	Type    string `json:"type"`
	Rule    string `json:"rule,omitempty"`
	Plan    string `json:"plan,omitempty"`
	Hash    string `json:"hash,omitempty"`
	MinBits int    `json:"minBits"`
	MaxBits int    `json:"maxBits"` // -1 if there is no limit

	// BytesPerBit is that of [typecache.Plan], or -1 if there is no limit.
	BytesPerBit int `json:"bytesPerBit"`

	Text  []string         `json:"text,omitempty"`
	Rows  []row            `json:"rows,omitempty"`
	Error *typecache.Error `json:"error,omitempty"`
}

// row is a [typecache.Row]. Its MaxBits is -1 if there is no limit.
type row struct {
	Start    int    `json:"start"`
	Depth    int    `json:"depth"`
	Path     string `json:"path"`
	Type     string `json:"type"`
	Wire     string `json:"wire"`
	MinBits  int    `json:"minBits"`
	MaxBits  int    `json:"maxBits"`
	Elements int    `json:"elements"`
	Part     bool   `json:"part,omitempty"`
}

// probeFile is the name of the test file that bp adds to a package.
const probeFile = "bitpack_probe_test.go"

// askTest is a test in that file, around a body that writes its result.
const askTest = `
func TestBitpackProbe(t *bp_testing.T) {%s}
`

// describeTypes makes the plans outside the test, whose variables would hide types of
// the same names.
const describeTypes = `
var bp_messages = []func() (*bp_typecache.Plan, error){%s}
`

// The plan of a type, and that of a codec with options.
const (
	describePlain   = "\n\tfunc() (*bp_typecache.Plan, error) { return bp_typecache.Of(bp_reflect.TypeFor[%s]()) },"
	describeOptions = `
	func() (*bp_typecache.Plan, error) {
		codec, err := bp_tagcodec.For[%s](%s)
		if err != nil {
			return nil, err
		}
		return codec.Plan(), nil
	},`
)

const describeBody = `
	type wire struct {
		Plan, Hash                    string
		MinBits, MaxBits, BytesPerBit int
		Text                          []string
		Rows                          []bp_typecache.Row
		Error                         *bp_typecache.Error
	}
	var all []wire
	for _, plan := range bp_messages {
		p, err := plan()
		if err != nil {
			var w wire
			bp_errors.As(err, &w.Error)
			all = append(all, w)
			continue
		}
		limit := func(n int) int {
			if n == bp_typecache.Unbounded {
				return -1
			}
			return n
		}
		hash, rows := p.Hash(), p.Rows()
		for i := range rows {
			rows[i].MaxBits = limit(rows[i].MaxBits)
		}
		all = append(all, wire{Plan: p.String(), Hash: bp_hex.EncodeToString(hash[:]), MinBits: p.MinBits(), MaxBits: limit(p.MaxBits()), BytesPerBit: limit(p.BytesPerBit()), Rows: rows,
			Text: bp_strings.Split(bp_strings.TrimSpace(p.TextWithPaths()), "\n")})
	}
	bp_generator.Write(t, all)
`

// describe returns the wires of types.
func (p *pkg) describe(types []chosen) ([]wire, error) {
	if len(types) == 0 {
		return nil, fmt.Errorf("%s has no message types: name them with -type", p.ImportPath)
	}
	var plans strings.Builder
	imports := []string{"encoding/hex", "errors", "strings", library.Path + "/typecache"}
	for _, t := range types {
		if args, needs := p.calls[t.Type].arguments(); args != "" {
			fmt.Fprintf(&plans, describeOptions, t.Type, args)
			imports = append(imports, needs...)
		} else {
			fmt.Fprintf(&plans, describePlain, t.Type)
			imports = append(imports, "reflect")
		}
	}
	data, err := p.ask(nil, fmt.Sprintf(describeTypes, plans.String()+"\n"), describeBody, imports...)
	if err != nil {
		return nil, err
	}
	var all []wire
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	if len(all) != len(types) {
		return nil, fmt.Errorf("%s: the test of bp has described %d types in place of %d", p.ImportPath, len(all), len(types))
	}
	for i := range all {
		all[i].Type, all[i].Rule = types[i].Type, types[i].Rule
	}
	return all, nil
}

const explainCodec = `
func bp_codec() (*bp_tagcodec.Codec[%[1]s], error) { return bp_tagcodec.For[%[1]s](%[2]s) }
`

const explainBody = `
	data, err := bp_os.ReadFile(bp_os.Getenv("BITPACK_PROBE") + ".in")
	if err != nil {
		t.Fatal(err)
	}
	codec, err := bp_codec()
	if err != nil {
		t.Fatal(err)
	}
	type part struct {
		Bit   int    "json:\"bit\""
		Bits  int    "json:\"bits\""
		Path  string "json:\"path\""
		What  string "json:\"what,omitempty\""
		Value string "json:\"value,omitempty\""
		Code  uint64 "json:\"code\""
	}
	var out struct {
		Table string
		Error string "json:\"error,omitempty\""
		Parts []part "json:\"parts\""
	}
	e := codec.Explain(data)
	out.Table = e.String()
	if e.Err != nil {
		out.Error = e.Err.Error()
	}
	for _, p := range e.Parts {
		value := ""
		if p.Value != nil {
			value = bp_fmt.Sprint(p.Value)
		}
		out.Parts = append(out.Parts, part{p.Bit, p.Bits, p.Path, p.What, value, p.Code})
	}
	bp_generator.Write(t, out)
`

// explanation is what the library says about a packet.
type explanation struct {
	Table string          `json:"-"`
	Error string          `json:"error,omitempty"`
	Parts json.RawMessage `json:"parts"`
}

// explain takes a packet of a type apart.
func (p *pkg) explain(typ string, packet []byte) (e explanation, err error) {
	args, imports := p.calls[typ].arguments()
	data, err := p.ask(packet, fmt.Sprintf(explainCodec, typ, args), explainBody, append(imports, "fmt", "os", library.Path+"/tagcodec")...)
	if err != nil {
		return e, err
	}
	var table struct{ Table string }
	if err := errors.Join(json.Unmarshal(data, &table), json.Unmarshal(data, &e)); err != nil {
		return e, err
	}
	e.Table = table.Table
	return e, nil
}

// ask runs a body in a test of the package, next to declarations, and returns the JSON
// of its result. Both refer to imports by their base name after bp_, or by the name
// that an import has before its path and a space.
func (p *pkg) ask(input []byte, decls, body string, imports ...string) ([]byte, error) {
	return p.probe(input, decls+fmt.Sprintf(askTest, body), append(imports, "testing", library.Path+"/cmd/bp/generator")...)
}

// probe runs a test of the package and returns what it writes to the file that the
// environment variable BITPACK_PROBE names. It finds input in a file of that name with
// the suffix .in. Only the build sees the test. It does not see the package's own
// tests, and the files that bp gen has written only if the package does not build
// without it.
func (p *pkg) probe(input []byte, code string, imports ...string) ([]byte, error) {
	if err := p.sameVersion(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "bp")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)

	var source strings.Builder
	fmt.Fprintf(&source, "package %s\n\nimport (\n", p.Name)
	slices.Sort(imports)
	for _, from := range slices.Compact(imports) {
		name, from, named := strings.Cut(from, " ")
		if !named {
			name, from = "bp_"+path.Base(name), name
		}
		fmt.Fprintf(&source, "\t%s %q\n", name, from)
	}
	source.WriteString(")\n" + code)
	test := filepath.Join(dir, probeFile)
	replace := overlay{filepath.Join(p.Dir, probeFile): test}
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		replace[filepath.Join(p.Dir, name)] = ""
	}
	out := filepath.Join(dir, "out")
	for name, data := range map[string][]byte{test: []byte(source.String()), out + ".in": input} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			return nil, err
		}
	}
	for _, name := range p.generated {
		replace[name] = ""
	}
	printed, err := p.goTest(dir, replace, out)
	if bytes.Contains(printed, []byte("[build failed]")) && len(p.generated) > 0 {
		for _, name := range p.generated {
			if !strings.HasSuffix(name, "_test.go") {
				delete(replace, name)
			}
		}
		with, withErr := p.goTest(dir, replace, out)
		if withErr == nil || !bytes.Contains(with, []byte("[build failed]")) {
			printed, err = with, withErr
		} else if names := p.needs(printed); names != "" {
			return nil, fmt.Errorf("%s does not build without its generated code, because it uses %s, nor with it: "+
				"remove the use, run bp gen, and only then use it again\n%s", p.ImportPath, names, bytes.TrimSpace(with))
		}
	}
	if data, readErr := os.ReadFile(out); err == nil && readErr == nil {
		return data, nil
	}
	var refused generator.Result
	if data, err := os.ReadFile(out + generator.Refused); err == nil && json.Unmarshal(data, &refused) == nil && bytes.Contains(printed, []byte(refused.Wrong.Text())) {
		return nil, p.tagError(&refused)
	}
	if m := undeclared.FindSubmatch(printed); m != nil {
		return nil, fmt.Errorf("%s does not declare %s", p.ImportPath, m[1])
	}
	if bytes.Contains(printed, []byte("-mod=vendor")) && bytes.Contains(printed, []byte("providing package "+library.Path+"/")) {
		return nil, fmt.Errorf("the vendor directory lacks packages that bp needs: run \"go get -tool %s/cmd/bp\" and \"go mod vendor\"", library.Path)
	}
	return nil, fmt.Errorf("%s does not build or run:\n%s", p.ImportPath, bytes.TrimSpace(printed))
}

// undeclared matches what the compiler says about a name that only the test of bp
// uses, such as a type that -type names.
var undeclared = regexp.MustCompile(regexp.QuoteMeta(probeFile) + `:[\d:]+ undefined: ([\pL_][\pL\pN_]*)`)

// undefined matches what the compiler says about a name.
var undefined = regexp.MustCompile(`undefined: ([\pL_][\pL\pN_]*)`)

// needs returns the names of generated code that are missing, by what the compiler
// has printed, or "".
func (p *pkg) needs(printed []byte) string {
	var names []string
	for _, m := range undefined.FindAllSubmatch(printed, -1) {
		name := string(m[1])
		for _, generated := range p.generated {
			declares := regexp.MustCompile(`(?m)^(func |\t|var |const |type )` + name + `\b`)
			if data, err := os.ReadFile(generated); err == nil && declares.Match(data) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, ", ")
}

// goTest runs the test of bp with an overlay, and returns what it prints.
func (p *pkg) goTest(dir string, replace overlay, out string) ([]byte, error) {
	file, err := replace.write(dir)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "test", "-overlay", file, "-run", "^TestBitpackProbe$", "-count=1", "-vet=off", ".")
	cmd.Dir = p.Dir
	cmd.Env = append(os.Environ(), "BITPACK_PROBE="+out)
	return cmd.CombinedOutput()
}

// tagError is a wrong tag of a type that leaves nothing else to report. It may end
// the program while it starts, because a package variable is a codec of the type.
type tagError struct {
	typ  string
	at   token.Position
	text string
}

// tagError returns the error about a type that has no plan.
func (p *pkg) tagError(r *generator.Result) *tagError {
	e := p.wrong(&wire{Type: r.Type, Error: r.Wrong})
	return &tagError{r.Type, e.at, e.text}
}

func (e *tagError) Error() string { return e.at.String() + ": " + e.text }

// sameVersion refuses a package whose version of the library is not that of bp.
// Versions of a working copy are not compared.
func (p *pkg) sameVersion() error {
	cmd := exec.Command("go", "list", "-m", "-f", "{{if .Replace}}{{else}}{{.Version}}{{end}}", library.Path)
	cmd.Dir = p.Dir
	theirs, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s does not use %s", p.ImportPath, library.Path)
	}
	version, own := strings.TrimSpace(string(theirs)), ownVersion()
	if version != "" && own != devel && version != own {
		return fmt.Errorf("bp is of version %s, and %s uses %s of the library: run \"go tool bp\", or install bp of that version", own, p.ImportPath, version)
	}
	return nil
}

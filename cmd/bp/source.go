package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/cmd/bp/internal/budget"
	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
	"github.com/gobitpack/bitpack/cmd/bp/internal/stale"
)

// pkg is a package of the user, as the go command lists it.
type pkg struct {
	Dir          string
	ImportPath   string
	Name         string
	GoFiles      []string
	CgoFiles     []string
	TestGoFiles  []string
	XTestGoFiles []string
	Module       *struct{ Path, Version string }
	Error        *struct{ Err string }

	generated []string // the files that bp gen has written

	files    *token.FileSet
	structs  map[string]*ast.StructType // the package's types whose declaration is a struct
	types    map[string]ast.Expr        // all of the package's types that have no type parameters
	names    map[string]token.Pos       // where types are declared
	generic  map[string]bool
	aliases  map[string]ast.Expr      // the types that aliases name
	calls    map[string]call          // the types that a function of the library gets
	members  []ast.Expr               // of unions
	budgets  map[string]budget.Budget // the budgets of types, by name
	mistakes []budget.Mistake
	source   *stale.Source

	constraints map[string][]string // the build constraints of files
}

// list returns the packages that patterns name. Without patterns it is the one in
// the current directory. The files that bp gen has written are not read, so they
// may have mistakes.
func list(patterns []string) ([]*pkg, error) {
	all, err := goList(patterns, "")
	if err != nil {
		return nil, err
	}
	bad := overlay{}
	for _, p := range all {
		for _, name := range p.generated {
			if p.Error != nil {
				bad[name] = ""
			}
		}
	}
	if len(bad) > 0 {
		dir, err := os.MkdirTemp("", "bp")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		file, err := bad.write(dir)
		if err != nil {
			return nil, err
		}
		if all, err = goList(patterns, file); err != nil {
			return nil, err
		}
	}
	for _, p := range all {
		if p.Error != nil {
			return nil, errors.New(p.Error.Err)
		}
	}
	return all, nil
}

// goList runs go list with a file of overlays, if its name is not "".
func goList(patterns []string, overlay string) ([]*pkg, error) {
	args := []string{"list", "-e", "-json=Dir,ImportPath,Name,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Module,Error"}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.Command("go", append(append(args, "--"), patterns...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go list: %v\n%s", err, strings.TrimSpace(stderr.String()))
	}
	var all []*pkg
	for d := json.NewDecoder(&stdout); ; {
		p := new(pkg)
		switch err := d.Decode(p); {
		case err == io.EOF:
			return all, nil
		case err != nil:
			return nil, err
		}
		if p.Dir != "" {
			p.generated = library.GeneratedFiles(p.Dir)
		}
		for _, names := range []*[]string{&p.GoFiles, &p.TestGoFiles, &p.XTestGoFiles} {
			*names = slices.DeleteFunc(*names, func(name string) bool { return slices.Contains(p.generated, filepath.Join(p.Dir, name)) })
		}
		all = append(all, p)
	}
}

// overlay maps files to those that the build sees in their place, or to "" if it
// does not see them.
type overlay map[string]string

// write writes the overlay for the go command into a directory.
func (o overlay) write(dir string) (file string, err error) {
	data, err := json.Marshal(map[string]any{"Replace": o})
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, data, 0o600)
}

// one returns the one package that the arguments of a verb name.
func one(args []string) (*pkg, error) {
	all, err := list(args)
	switch {
	case err != nil:
		return nil, err
	case len(all) != 1:
		return nil, fmt.Errorf("%s names %d packages: name one", strings.Join(args, " "), len(all))
	}
	return all[0], all[0].parse()
}

// parse reads the package's source.
func (p *pkg) parse() error {
	p.files = token.NewFileSet()
	p.structs, p.types, p.generic, p.calls = map[string]*ast.StructType{}, map[string]ast.Expr{}, map[string]bool{}, map[string]call{}
	p.names, p.budgets, p.aliases = map[string]token.Pos{}, map[string]budget.Budget{}, map[string]ast.Expr{}
	p.constraints = map[string][]string{}
	var parsed []*ast.File
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		file, err := parser.ParseFile(p.files, filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		parsed = append(parsed, file)
		p.constraints[filepath.Join(p.Dir, name)] = p.constraintsOf(name, file)
		budgets, mistakes := budget.Find(file)
		p.mistakes = append(p.mistakes, mistakes...)
		for _, decl := range file.Decls {
			if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.TYPE {
				for _, spec := range d.Specs {
					t := spec.(*ast.TypeSpec)
					p.declare(t)
					if i := slices.IndexFunc(budgets, func(b budget.Budget) bool { return b.Type == t }); i >= 0 {
						p.budgets[t.Name.Name] = budgets[i]
					}
				}
			}
		}
	}
	p.findCalls(parsed)
	p.source = stale.New(p.files, parsed)
	return nil
}

// declare records a type.
func (p *pkg) declare(t *ast.TypeSpec) {
	p.names[t.Name.Name] = t.Name.Pos()
	if t.TypeParams != nil {
		p.generic[t.Name.Name] = true
		return
	}
	p.types[t.Name.Name] = t.Type
	if t.Assign.IsValid() {
		p.aliases[t.Name.Name] = t.Type
	}
	if s, ok := t.Type.(*ast.StructType); ok {
		p.structs[t.Name.Name] = s
	}
}

// resolved returns the type of the package that an alias names, or the name itself.
func (p *pkg) resolved(name string) string {
	for range p.aliases { // no more often: the compiler reports aliases in a circle
		if target := p.aliases[name]; target != nil && p.reaches(target) {
			name = p.text(target)
		}
	}
	return name
}

// place returns the place in the source of the field that the path of an error
// about a type names, such as "Player.Items[3].Kind", as far as it can be followed.
// Without a field it is the place of the type.
func (p *pkg) place(typ, fieldPath string) token.Position {
	name, _, _ := strings.Cut(typ, "[")
	at := p.names[name]
	owner, rest, _ := strings.Cut(fieldPath, ".")
	s := p.structs[owner]
	if s == nil {
		s = p.structs[typ]
	}
	for _, name := range strings.Split(rest, ".") {
		name, _, _ = strings.Cut(name, "[")
		if s == nil || name == "" {
			break
		}
		field := fieldOf(s, name)
		if field == nil {
			break
		}
		at, s = field.Pos(), p.structOf(field.Type)
	}
	if at == token.NoPos {
		return token.Position{Filename: p.ImportPath}
	}
	return placeIn(p.files, at)
}

// fieldOf returns the field with a name, or "_ (field N)", or nil.
func fieldOf(s *ast.StructType, name string) *ast.Field {
	n := 0
	for _, f := range s.Fields.List {
		for _, id := range f.Names {
			if n++; id.Name == name || name == fmt.Sprintf("_ (field %d)", n) {
				return f
			}
		}
		if len(f.Names) == 0 {
			n++
		}
	}
	return nil
}

// structOf returns the struct of the package that a type is, points to, or
// consists of, or nil.
func (p *pkg) structOf(t ast.Expr) *ast.StructType {
	switch t := t.(type) {
	case *ast.Ident:
		return p.structs[t.Name]
	case *ast.StructType:
		return t
	case *ast.StarExpr:
		return p.structOf(t.X)
	case *ast.ArrayType:
		return p.structOf(t.Elt)
	case *ast.MapType:
		return p.structOf(t.Value)
	}
	return nil
}

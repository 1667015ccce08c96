package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/cmd/bp/internal/budget"
	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
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
	decls    map[string]ast.Node        // the declarations of types and constants
	local    map[string]bool            // the names of types inside functions
	generic  map[string]bool
	aliases  map[string]ast.Expr      // the types that aliases name
	calls    map[string]call          // the types that a function of the library gets
	unions   map[string][]ast.Expr    // the members of unions, by the name of the interface
	budgets  map[string]budget.Budget // the budgets of types, by name
	mistakes []budget.Mistake

	constraints map[string][]string // the build constraints of files

	// For options: see options.go.
	info    *types.Info                  // of the source, without what it imports
	self    *types.Package               // the package
	effects map[string]map[string]effect // of functions of the library, by the path of their package
	foreign []string                     // the paths of packages that options need
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
	p.decls, p.local, p.unions = map[string]ast.Node{}, map[string]bool{}, map[string][]ast.Expr{}
	p.budgets, p.aliases = map[string]budget.Budget{}, map[string]ast.Expr{}
	p.constraints, p.effects = map[string][]string{}, map[string]map[string]effect{}
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
			d, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					p.declare(spec)
					if i := slices.IndexFunc(budgets, func(b budget.Budget) bool { return b.Type == spec }); i >= 0 {
						p.budgets[spec.Name.Name] = budgets[i]
					}
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						p.decls[name.Name] = spec
					}
				}
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if d, ok := n.(*ast.DeclStmt); ok {
				for _, spec := range d.Decl.(*ast.GenDecl).Specs {
					if t, ok := spec.(*ast.TypeSpec); ok {
						p.local[t.Name.Name] = true
					}
				}
			}
			return true
		})
	}
	p.findCalls(parsed)
	return nil
}

// declare records a type.
func (p *pkg) declare(t *ast.TypeSpec) {
	p.decls[t.Name.Name] = t
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

// places returns where the types and constants are declared that a type consists of.
func (p *pkg) places(typ string) (all []token.Pos) {
	seen := map[string]bool{}
	var visit func(ast.Node)
	visit = func(n ast.Node) {
		for name := range mentioned(n) {
			if d := p.decls[name]; d != nil && !seen[name] {
				seen[name] = true
				all = append(all, d.Pos())
				visit(d)
				for _, member := range p.unions[name] {
					visit(member)
				}
			}
		}
	}
	if e, err := parser.ParseExpr(typ); err == nil {
		visit(e)
	}
	return all
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
	at := token.NoPos
	if d := p.decls[name]; d != nil {
		at = d.Pos()
	}
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

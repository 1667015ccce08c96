package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/cmd/bp/generator"
	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
)

// codeFile is a file that bp gen writes.
type codeFile struct {
	name  string   // with its directory
	types []chosen // for a file that exists, those that it lists

	old, text string // what the file has, and what it should have
	exists    bool
	notes     []string // about types without code
}

// codeFiles returns the files that bp gen has written into the package.
func (p *pkg) codeFiles() (all []*codeFile, err error) {
	for _, name := range p.generated {
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		f := &codeFile{name: name, old: strings.ReplaceAll(string(data), "\r\n", "\n"), exists: true} // as git may check it out
		for _, e := range listedTypes(parseHead(p.files, name, data)) {
			t, err := parseType(e.typ)
			if err != nil {
				at := placeIn(p.files, e.pos)
				return nil, fmt.Errorf("%s:%d: %w, or remove the line and run bp gen", at.Filename, at.Line, err)
			}
			f.types = append(f.types, chosen{t.text, "in " + filepath.Base(name)})
		}
		f.types = p.distinct(f.types)
		all = append(all, f)
	}
	return all, nil
}

// distinct returns types without repetitions, with the names of the types of this
// package in place of their aliases.
func (p *pkg) distinct(types []chosen) (all []chosen) {
	for _, t := range types {
		t.Type = p.resolved(t.Type)
		if !slices.ContainsFunc(all, func(other chosen) bool { return other.Type == t.Type }) {
			all = append(all, t)
		}
	}
	return all
}

// generatedTypes returns the types of the flag -type, which the package declares.
func (p *pkg) generatedTypes(names string) ([]chosen, error) {
	all, err := p.named(names)
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		if p.missing(t.Type) {
			return nil, fmt.Errorf("-type %s: %s does not declare this type: it must be in a file that is built here and is not a test", t.Type, p.ImportPath)
		}
	}
	return all, nil
}

// toGenerate returns the files that bp gen writes: out, with the types that names
// lists, or if both are "", the files that the package has. Without names, a file
// keeps its types, and a new one has the message types that no other file has.
func (p *pkg) toGenerate(names, out string) ([]*codeFile, error) {
	all, err := p.codeFiles()
	if err != nil {
		return nil, err
	}
	listed := map[string]string{} // the file of each type
	if names == "" && out == "" && len(all) > 0 {
		for _, f := range all {
			if err := p.keep(f, all, listed); err != nil {
				return nil, err
			}
		}
		p.noteNew(all[0], listed)
		return all, nil
	}
	file, err := p.codeFile(out)
	if err != nil {
		return nil, err
	}
	f := &codeFile{name: file}
	if i := slices.IndexFunc(all, func(f *codeFile) bool { return f.name == file }); i >= 0 {
		f = all[i]
		all = slices.Delete(all, i, i+1)
	} else if data, err := os.ReadFile(file); err == nil && len(data) > 0 {
		return nil, fmt.Errorf("%s is not a file that bp gen has written: remove it, or choose another one with -o", relative(file))
	}
	for _, other := range all {
		for _, t := range other.types {
			listed[t.Type] = other.name
		}
	}
	if names != "" {
		if f.types, err = p.generatedTypes(names); err != nil {
			return nil, err
		}
	}
	if err := p.keep(f, all, listed); err != nil {
		return nil, err
	}
	if names == "" && f.exists {
		p.noteNew(f, listed)
	}
	return []*codeFile{f}, nil
}

// codeFile returns the name of the file that the flag -o names.
func (p *pkg) codeFile(out string) (string, error) {
	if out == "" {
		out = library.GeneratedFile
	}
	if filepath.Base(out) != out || !strings.HasSuffix(out, ".go") {
		return "", fmt.Errorf("-o %s: it needs the name of a Go file, without a directory: the file belongs to the package", out)
	}
	if out[0] == '_' || out[0] == '.' {
		return "", fmt.Errorf("-o %s: the go command ignores files of this name: choose one that begins with a letter", out)
	}
	return filepath.Join(p.Dir, out), nil
}

// keep removes the types of a file that are gone, and adds the message types of
// the package if none is left. It refuses types that another file has, and records
// those of this one.
func (p *pkg) keep(f *codeFile, all []*codeFile, listed map[string]string) error {
	f.types = slices.DeleteFunc(f.types, func(t chosen) bool {
		gone := t.Rule != "named" && p.missing(t.Type)
		if gone {
			f.notes = append(f.notes, t.Type+" is gone, and so is its code")
		}
		return gone
	})
	if len(f.types) == 0 {
		for _, other := range all {
			for _, t := range other.types {
				if other != f && listed[t.Type] == "" {
					listed[t.Type] = other.name
				}
			}
		}
		f.types = slices.DeleteFunc(p.messages(), func(t chosen) bool { return listed[t.Type] != "" })
	}
	switch {
	case len(f.types) == 0 && f.exists:
		return fmt.Errorf("%s has no types left, and %s has no message types for it: remove the file, or name types with -type", relative(f.name), p.ImportPath)
	case len(f.types) == 0 && len(listed) > 0:
		return fmt.Errorf("%s: the other generated files have all message types of the package: name others with -type", relative(f.name))
	case len(f.types) == 0:
		return fmt.Errorf("%s has no message types: name them with -type", p.ImportPath)
	}
	for _, t := range f.types {
		if other := listed[t.Type]; other != "" && other != f.name {
			return fmt.Errorf("%s has code in %s already: a type has its code in one file, so leave it out of -type, or run bp gen -o %s with the other types first",
				t.Type, relative(other), filepath.Base(other))
		}
		listed[t.Type] = f.name
	}
	return nil
}

// noteNew adds a note for each message type without code.
func (p *pkg) noteNew(f *codeFile, listed map[string]string) {
	for _, t := range p.messages() {
		if listed[t.Type] == "" {
			f.notes = append(f.notes, fmt.Sprintf("%s has no generated code (%s): name it with -type, and all other types of the file", t.Type, t.Rule))
		}
	}
}

// generate sets the text of a file.
func (p *pkg) generate(f *codeFile) error {
	var list strings.Builder
	for _, t := range f.types {
		fmt.Fprintf(&list, "\n\tbp_reflect.TypeFor[%s](),", t.Type)
	}
	data, err := p.probe(nil, fmt.Sprintf(genTest, p.ImportPath, p.Name, list.String()+"\n", quoted(p.declared()), quoted(p.nameable(f))),
		"reflect", "testing", library.Path+"/cmd/bp/generator")
	if err != nil {
		return err
	}
	var result generator.Result
	if err := json.Unmarshal(data, &result); err != nil {
		return err
	}
	switch {
	case result.Wrong != nil:
		return p.tagError(&result)
	case result.Error != "":
		return fmt.Errorf("%s: %s", p.ImportPath, result.Error)
	}
	f.notes = append(f.notes, result.Notes...)
	clause := "\npackage " + p.Name + "\n\n"
	f.text = strings.Replace(result.Source, clause, clause+typeList(f.types)+"\n", 1)
	p.constrain(f)
	return nil
}

// nameable returns the types of the package that a file may name as members of unions.
// A union may have members that bp does not see in the source. So a type in a function
// must not have the same name, and a build constraint must be one that the file gets.
func (p *pkg) nameable(f *codeFile) (names []string) {
	var reached []token.Pos
	for _, t := range f.types {
		reached = append(reached, p.places(t.Type)...)
	}
	for name, d := range p.decls {
		_, isType := d.(*ast.TypeSpec)
		constrained := len(p.constraints[p.files.Position(d.Pos()).Filename]) > 0
		if isType && !p.local[name] && (!constrained || slices.Contains(reached, d.Pos())) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// quoted returns the elements of a list of strings in Go.
func quoted(list []string) string {
	text := fmt.Sprintf("%q", list)
	return strings.ReplaceAll(text[1:len(text)-1], "\" \"", "\", \"")
}

// upToDate reports whether the file has the text that it should have.
func (f *codeFile) upToDate() bool { return f.exists && f.old == f.text }

// print prints the notes of the file and, for the flag -check, whether it is stale.
func (f *codeFile) print(c *command, check bool) {
	for _, note := range f.notes {
		fmt.Fprintln(c.stderr, "bp gen:", note)
	}
	if check && !f.upToDate() {
		fmt.Fprint(c.stdout, f.stale(c))
	}
}

// MarshalJSON returns what the flag -json prints.
func (f *codeFile) MarshalJSON() ([]byte, error) {
	shown := struct {
		File     string       `json:"file"`
		UpToDate bool         `json:"upToDate"`
		Changes  []typeChange `json:"changes,omitempty"`
		Notes    []string     `json:"notes,omitempty"`
	}{relative(f.name), f.upToDate(), nil, f.notes}
	if !shown.UpToDate {
		shown.Changes = f.changes()
	}
	return json.Marshal(shown)
}

// command returns the command that writes the file, with the arguments of c.
func (f *codeFile) command(c *command) string {
	words := []string{"bp gen"}
	if c.verb.name == "gen" {
		c.flags.Visit(func(set *flag.Flag) {
			switch value := set.Value.String(); {
			case set.Name != "o" && set.Name != "type":
			case strings.ContainsAny(value, " []"):
				words = append(words, fmt.Sprintf("-%s %q", set.Name, value))
			default:
				words = append(words, "-"+set.Name, value)
			}
		})
	}
	return strings.Join(append(words, c.args...), " ")
}

// typeChange is a type whose generated code differs.
type typeChange struct {
	Type   string `json:"type"`
	Change string `json:"change"` // new, gone or changed
}

// registered matches the statement that registers the code of a type.
var registered = regexp.MustCompile(`(?m)^\tbitpackCode([\pL\pN_]+)\.Register\("([0-9a-f]*)"`)

// changes returns the types whose fields have changed since the file was written.
func (f *codeFile) changes() (all []typeChange) {
	before, now := versions(f.old), versions(f.text)
	for _, t := range f.types {
		switch was, ok := before[t.Type]; {
		case !ok:
			all = append(all, typeChange{t.Type, "new"})
		case was != now[t.Type]:
			all = append(all, typeChange{t.Type, "changed"})
		}
		delete(before, t.Type)
	}
	for _, t := range slices.Sorted(maps.Keys(before)) {
		all = append(all, typeChange{t, "gone"})
	}
	return all
}

// versions returns the fingerprint of each type in the text of a file, or "" for a
// type without code.
func versions(text string) map[string]string {
	all := map[string]string{}
	for _, e := range listedTypes(parseHead(token.NewFileSet(), "", []byte(text))) {
		all[e.typ] = ""
	}
	for _, m := range registered.FindAllStringSubmatch(text, -1) {
		all[m[1]] = m[2]
	}
	return all
}

// stale says that the file is not up to date, and what has changed.
func (f *codeFile) stale(c *command) string {
	text := fmt.Sprintf("%s is not up to date: run %s\n", relative(f.name), f.command(c))
	if !f.exists {
		return text
	}
	words := map[string][]string{}
	types := f.changes()
	for _, t := range types {
		words[t.Change] = append(words[t.Change], t.Type)
	}
	for _, change := range []string{changeWire, changeNew, changeGone} {
		if list := words[change]; list != nil {
			text += "  " + change + ": " + strings.Join(list, ", ") + "\n"
		}
	}
	if len(types) == 0 {
		text += "  another version of bp has written it, or it was edited\n"
	}
	return text
}

// Package budget reads the //bp:max directives of types, and describes what
// makes a type too large.
package budget

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
	"github.com/gobitpack/bitpack/typecache"
)

// Budget is the largest size that a //bp:max directive allows a type.
type Budget struct {
	Type  *ast.TypeSpec
	Bytes int
}

// Mistake is a directive that says nothing.
type Mistake struct {
	Pos  token.Pos
	Text string
}

// prefix begins the directives of bp. maxDirective is that of a budget.
const (
	prefix       = "//bp:"
	maxDirective = prefix + "max"
)

// spaced is a directive with a space, which makes it a comment.
var spaced = regexp.MustCompile(`^//\s+bp:max\s+\d+\s*$`)

// Find returns the budgets in a file, and the directives in it that are wrong.
// The file must have been parsed with comments.
func Find(file *ast.File) (all []Budget, mistakes []Mistake) {
	types := map[*ast.Comment]*ast.TypeSpec{} // of the doc comments
	ast.Inspect(file, func(n ast.Node) bool {
		d, ok := n.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE {
			return true
		}
		for _, s := range d.Specs {
			spec, doc := s.(*ast.TypeSpec), s.(*ast.TypeSpec).Doc
			if !d.Lparen.IsValid() {
				doc = d.Doc
			}
			for i := 0; doc != nil && i < len(doc.List); i++ {
				types[doc.List[i]] = spec
			}
		}
		return true
	})
	budgeted := map[*ast.TypeSpec]bool{}
	for _, group := range file.Comments {
		for _, c := range group.List {
			spec := types[c]
			n, mistake := parse(c.Text, spec != nil)
			if n > 0 && budgeted[spec] {
				mistake = "the type has two budgets: keep one"
			}
			switch {
			case mistake != "":
				mistakes = append(mistakes, Mistake{c.Pos(), mistake})
			case n > 0:
				budgeted[spec] = true
				all = append(all, Budget{spec, n})
			}
		}
	}
	return all, mistakes
}

// parse returns the number of bytes in a comment, or 0 if it is no budget.
func parse(comment string, ofType bool) (bytes int, mistake string) {
	directive, arg, _ := strings.Cut(comment, " ")
	switch {
	case ofType && spaced.MatchString(comment):
		return 0, "a directive has no space after the slashes: write " + maxDirective + " " + strings.Fields(comment)[2]
	case !strings.HasPrefix(comment, prefix):
		return 0, ""
	case directive != maxDirective:
		if slices.Contains(library.Directives, strings.TrimPrefix(directive, prefix)) {
			return 0, ""
		}
		return 0, fmt.Sprintf("the directive %s is not known: known are %s%s", directive, prefix, strings.Join(library.Directives, ", "+prefix))
	case !ofType:
		return 0, maxDirective + " is not in the doc comment of a type: put it right before the type, without an empty line"
	}
	n, err := strconv.Atoi(strings.TrimSpace(arg))
	if err != nil || n < 1 {
		return 0, fmt.Sprintf("%s needs one positive number of bytes, as in %s 120, and has %q", maxDirective, maxDirective, arg)
	}
	return n, ""
}

// Limit is a limit that a type exceeds.
type Limit struct {
	Bytes int
	Name  string // what sets the limit
	Fix   string // what to do apart from making the type smaller
}

// Of returns the limit of a directive.
func Of(b Budget) Limit { return Limit{b.Bytes, maxDirective, "raise the budget"} }

// MTU returns the limit of the flag -mtu.
func MTU(n int) Limit { return Limit{n, "-mtu", "send it in fragments"} }

// Excess describes a type whose messages may be larger than a limit, or returns "".
// The rows are those of the type's plan, and maxBits is its largest size. If some
// is not empty, it names parts of the type that are not counted.
func (l Limit) Excess(maxBits int, rows []typecache.Row, some string) string {
	bytes := maxBits/8 + (maxBits%8+7)/8
	if bytes <= l.Bytes {
		return ""
	}
	size := fmt.Sprintf("up to %d bytes", bytes)
	switch {
	case maxBits == typecache.Unbounded:
		size = "no largest size"
	case some != "":
		size += " without " + some
	}
	text := fmt.Sprintf("%s, and %s allows %d", size, l.Name, l.Bytes)
	if list := largest(rows); list != "" {
		text += "; the largest fields are " + list
	}
	return text + ": lower their limits, or " + l.Fix
}

// largest lists the fields with the most bits, three or fewer.
func largest(rows []typecache.Row) string {
	type field struct {
		name string
		bits int
	}
	var all []field
	for _, r := range rows {
		if r.Depth > 0 || r.Part || r.Path == "" {
			continue
		}
		name := r.Path
		if i := strings.IndexAny(name, ".["); i > 0 {
			name = name[:i]
		}
		i := slices.IndexFunc(all, func(f field) bool { return f.name == name })
		if i < 0 {
			i = len(all)
			all = append(all, field{name: name})
		}
		if r.MaxBits > typecache.Unbounded-all[i].bits {
			all[i].bits = typecache.Unbounded
		} else {
			all[i].bits += r.MaxBits
		}
	}
	slices.SortStableFunc(all, func(a, b field) int { return cmp.Compare(b.bits, a.bits) })
	var list []string
	for _, f := range all[:min(len(all), 3)] {
		switch {
		case f.bits == typecache.Unbounded:
			list = append(list, f.name+" (no limit)")
		case f.bits > 0:
			list = append(list, fmt.Sprintf("%s (%d bits)", f.name, f.bits))
		}
	}
	return strings.Join(list, ", ")
}

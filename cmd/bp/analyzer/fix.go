package analyzer

import (
	"cmp"
	"go/ast"
	"go/token"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gobitpack/bitpack/typecache"
)

// Mistakes in the syntax of tags.
var (
	comma    = regexp.MustCompile(`",\s*(\w+:")`)
	looseKey = regexp.MustCompile(`(?i)\bbp\s*:\s*"`)
)

// fixes returns the fix of a mistake in the tag of the field at a position, or nothing.
func (r *reporter) fixes(pos token.Pos, e *typecache.Error) []analysis.SuggestedFix {
	if r.tags == nil {
		r.findTags()
	}
	lit := r.tags[pos]
	if lit == nil {
		return nil
	}
	old, err := strconv.Unquote(lit.Value)
	if err != nil {
		return nil
	}
	tag, does := fixTag(old, e)
	if tag == old {
		return nil
	}
	text := strconv.Quote(tag)
	if lit.Value[0] == '`' && strconv.CanBackquote(tag) {
		text = "`" + tag + "`"
	}
	return []analysis.SuggestedFix{{Message: does, TextEdits: []analysis.TextEdit{{Pos: lit.Pos(), End: lit.End(), NewText: []byte(text)}}}}
}

// findTags finds the tags of the fields in the source. Those in generated files
// are not for fixing.
func (r *reporter) findTags() {
	r.tags = map[token.Pos]*ast.BasicLit{}
	for _, file := range r.pass.Files {
		if ast.IsGenerated(file) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			f, ok := n.(*ast.Field)
			if !ok || f.Tag == nil {
				return true
			}
			for _, name := range f.Names {
				r.tags[name.Pos()] = f.Tag
			}
			if f.Names == nil {
				r.tags[embeddedName(f.Type).Pos()] = f.Tag
			}
			return true
		})
	}
}

// embeddedName returns the name of an embedded field.
func embeddedName(t ast.Expr) ast.Expr {
	switch t := t.(type) {
	case *ast.StarExpr:
		return embeddedName(t.X)
	case *ast.SelectorExpr:
		return t.Sel
	case *ast.IndexExpr:
		return embeddedName(t.X)
	case *ast.IndexListExpr:
		return embeddedName(t.X)
	}
	return t
}

// fixTag returns a tag without a mistake in it, and what that does. The tag stays as it
// is if nothing is suggested, or nothing that helps.
func fixTag(tag string, e *typecache.Error) (fixed, does string) {
	switch {
	case e.Mistake == typecache.MistakeSyntax:
		fixed = comma.ReplaceAllString(looseKey.ReplaceAllString(tag, `bp:"`), `" $1`)
	case e.Suggestion == "":
		return tag, ""
	case e.Mistake == typecache.MistakeKey:
		fixed = regexp.MustCompile(`(^|\s)`+e.Value+`:"`).ReplaceAllString(tag, "${1}"+e.Suggestion+`:"`)
	default:
		return replaceParts(tag, e), "write " + e.Suggestion + " in place of " + cmp.Or(e.Value, e.Option)
	}
	if _, ok := reflect.StructTag(fixed).Lookup("bp"); !ok {
		return tag, ""
	}
	return fixed, `write the key as bp:"`
}

// replaceParts writes a suggestion into the bp tag in a tag: in place of a kind, a word in
// the value of an option or, if no value is wrong, the name of the option.
func replaceParts(tag string, e *typecache.Error) string {
	old, ok := reflect.StructTag(tag).Lookup("bp")
	if !ok {
		return tag
	}
	word := regexp.MustCompile(`(^|[^\pL\pN_])` + regexp.QuoteMeta(e.Value) + `($|[^\pL\pN_])`)
	parts := strings.Split(old, ",")
	for i, part := range parts {
		name, value, set := strings.Cut(part, "=")
		switch {
		case e.Option == "kind" && name == e.Value, name == e.Option && e.Value == "":
			name = e.Suggestion
		case strings.HasSuffix("."+name, "."+e.Option):
			value = word.ReplaceAllString(value, "${1}"+e.Suggestion+"${2}")
		}
		if parts[i] = name; set {
			parts[i] += "=" + value
		}
	}
	return strings.Replace(tag, "bp:"+strconv.Quote(old), "bp:"+strconv.Quote(strings.Join(parts, ",")), 1)
}

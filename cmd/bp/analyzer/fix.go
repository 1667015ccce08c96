package analyzer

import (
	"go/ast"
	"go/token"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// The messages of the library that propose a fix.
var (
	notKnown = regexp.MustCompile(`^(kind|option) ("(?:[^"\\]|\\.)*") is not known; did you mean "([^"]+)"\?$`)
	notField = regexp.MustCompile(`^option "([^"]+)" (?:refers to|names the velocity|names) "?([\pL\pN_]+)"?, which .*; did you mean "([^"]+)"\?$`)
	notKey   = regexp.MustCompile("^the key \"(\\w+)\" is nearly bp, ")
	notTag   = regexp.MustCompile("^bad syntax for struct tag ")
	notSpace = regexp.MustCompile("^the key .* is not bp: separate tags by spaces alone$")
	comma    = regexp.MustCompile(`",\s*(\w+:")`)
	looseKey = regexp.MustCompile(`(?i)\bbp\s*:\s*"`)
)

// fixes returns the fix that a message of the library proposes for the tag of the
// field at a position, or nothing.
func (r *reporter) fixes(pos token.Pos, msg string) []analysis.SuggestedFix {
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
	tag, does := fixTag(old, msg)
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

// fixTag returns a tag as a message about it proposes, and what that does. The tag
// stays as it is if the message proposes nothing, or nothing that helps.
func fixTag(tag, msg string) (fixed, does string) {
	if m := notKnown.FindStringSubmatch(msg); m != nil {
		wrong, err := strconv.Unquote(m[2])
		if err != nil {
			return tag, ""
		}
		return replaceParts(tag, func(name, value string) (string, string) {
			switch {
			case name == wrong:
				name = m[3]
			case m[1] == "kind" && value == wrong && strings.HasSuffix(name, ".kind"):
				value = m[3]
			}
			return name, value
		}), "write " + m[3] + " in place of " + wrong
	}
	if m := notField.FindStringSubmatch(msg); m != nil {
		if !surely(m[2], m[3]) {
			return tag, ""
		}
		word := regexp.MustCompile(`(^|[^\pL\pN_])` + m[2] + `($|[^\pL\pN_])`)
		return replaceParts(tag, func(name, value string) (string, string) {
			if name == m[1] {
				value = word.ReplaceAllString(value, "${1}"+m[3]+"${2}")
			}
			return name, value
		}), "write " + m[3] + " in place of " + m[2]
	}
	switch m := notKey.FindStringSubmatch(msg); {
	case m != nil && m[1] != "pb": // which may be a tag of another library
		fixed = regexp.MustCompile(`(^|\s)`+m[1]+`:"`).ReplaceAllString(tag, `${1}bp:"`)
	case notTag.MatchString(msg):
		fixed = looseKey.ReplaceAllString(tag, `bp:"`)
	case notSpace.MatchString(msg):
		fixed = comma.ReplaceAllString(tag, `" $1`)
	default:
		return tag, ""
	}
	if _, ok := reflect.StructTag(fixed).Lookup("bp"); !ok {
		return tag, ""
	}
	return fixed, `write the key as bp:"`
}

// surely reports whether the name of a field is a misspelling of another, and not
// that of a field that has been forgotten: short words are near to others.
func surely(wrong, right string) bool {
	return strings.EqualFold(wrong, right) || len(wrong) > len(right) || len(right) > 4
}

// replaceParts changes the parts of the bp tag in a tag. An option without a value
// keeps none.
func replaceParts(tag string, change func(name, value string) (string, string)) string {
	old, ok := reflect.StructTag(tag).Lookup("bp")
	if !ok {
		return tag
	}
	parts := strings.Split(old, ",")
	for i, part := range parts {
		name, value, set := strings.Cut(part, "=")
		name, value = change(name, value)
		if parts[i] = name; set {
			parts[i] += "=" + value
		}
	}
	return strings.Replace(tag, "bp:"+strconv.Quote(old), "bp:"+strconv.Quote(strings.Join(parts, ",")), 1)
}

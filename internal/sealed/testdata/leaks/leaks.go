// Package leaks has names that lead to Type, and names that do not.
package leaks

// Type stands for a type of a package under internal.
type Type struct{}

type embedded struct{ Field Type }

func (embedded) method() Type { return Type{} }

type caller struct{}

// Call is promoted.
func (caller) Call() Type { return Type{} }

type plain struct{}

// Names that lead to Type.
type (
	LeakAlias                 = Type
	LeakPointer               *Type
	LeakField                 struct{ A []Type }
	LeakInner                 struct{ A struct{ B map[string]*Type } }
	LeakKey                   map[Type]bool
	LeakEmbedded              struct{ Type }
	LeakPromoted              struct{ *embedded }
	LeakMethod                struct{ caller }
	LeakInterface             interface{ Method(Type) }
	LeakEmbeds                interface{ LeakInterface }
	LeakConstraint[T ~[]Type] struct{}
	LeakUnion                 interface{ int | Type }
	LeakArgument              struct{ A Box[Type] }
	LeakFunc                  func(...func() chan Type)
)

// Methods, functions and variables that do.
type LeakOwn struct{}

func (*LeakOwn) Method() (int, [2]Type) { return 0, [2]Type{} }

func LeakResult() LeakOwn { return LeakOwn{} }

func LeakParam[T interface{ Method(Type) }]() {}

var LeakVariable Type

// Names that do not.
type (
	Box[T any] struct{ A T }
	Field      struct{ a Type }
	Hidden     struct {
		plain
		b embedded
	}
	Methods         interface{ method() Type }
	Underlying      hidden
	UnderlyingIface sealed
	hidden          struct{ a *Type }
	sealed          interface{ method(Type) }
)

func (Box[T]) method(Type) {}

func Function(int) Field { return Field{} }

var variable Type

// Package typecache turns the struct tags of a type into a [Plan], which says
// what each field puts on the wire, in order.
//
//	type Player struct {
//		Health int32 `bp:"int,min=0,max=100"`
//		Alive  bool
//	}
//
//	plan, err := typecache.Of(reflect.TypeFor[Player]())
//
// [Of] parses the tags, checks every option against the Go type of its field,
// and caches the plan. It reports a mistake as an [*Error], whose fields are its
// kind, the struct, the field, the option, the bounds and the fix. Keys that are
// nearly bp are mistakes too. The tags of types that serialize themselves are also
// checked.
//
// Programs that only send messages do not need this package: package tagcodec
// gets the plans and executes them. It is for programs and tools that inspect a
// wire format without sending anything:
//
//   - [Plan.String] formats the fields and their bits as a table for people.
//   - [Plan.MinBits] and [Plan.MaxBits] bound the size of every message of the
//     type.
//   - [Plan.Hash] and [Plan.Text] depend on the wire format alone. Use them for
//     a protocol id, or to test that the format has not changed.
//   - [Plan.Noncanonical] lists the features that let two different messages decode
//     to the same value.
//   - [MaxOps] is the largest number of ops in a plan, which bounds the time and
//     the memory to build it.
//
// # Stability
//
// The wire format of a tagged type stays the same, and so do its hash and its
// text. All three are the same on every machine. The texts of errors and of
// [Plan.String] are for people and may be reworded. Tools use the fields of an
// [Error] instead. A plan consists of ops, which are internal to this module and may
// change in any version.
package typecache

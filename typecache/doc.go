// Package typecache turns the struct tags of a type into a [Plan]: a flat list
// of ops that says what each field puts on the wire, in order.
//
//	type Player struct {
//		Health int32 `bp:"int,min=0,max=100"`
//		Alive  bool
//	}
//
//	plan, err := typecache.Of(reflect.TypeFor[Player]())
//
// [Of] parses the tags, checks every option against the Go type of its field,
// and caches the plan. It reports a mistake as an [*Error] that names the
// struct, the field, the option and the fix. Keys that are nearly bp are
// mistakes too. The tags of types that serialize themselves are also checked.
// A plan is data: it holds no functions and never changes, so it can be
// printed, compared, measured and hashed.
//
// Programs that only send messages do not need this package: package tagcodec
// gets the plans and runs them. It is for tools that inspect a wire format
// without sending anything, and for programs that run plans themselves:
//
//   - [Plan.String] formats the fields and their bits as a table for people.
//   - MinBits and MaxBits bound the size of every message of the type.
//   - [Plan.Hash] and [Plan.Text] depend on the wire format alone. Use them for
//     a protocol id, or to test that the format has not changed.
//   - [Plan.Open] lists the features that let two different messages decode to
//     the same value.
//   - [MaxOps] is the largest number of ops in a plan.
//   - [Plan.Ops] and the tables they index are the compiled type, for a loop
//     that runs it or a tool that reads it.
//
// # Stability
//
// The wire format of a tagged type stays the same, and so do its hash and its
// text. All three are the same on every machine. The texts of errors and of
// [Plan.String] are for people and may be reworded. The ops serve the loops of
// tagcodec: any version of the module may add a code, a flag, a table or a kind
// of [Run].
package typecache

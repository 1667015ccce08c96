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
// and keeps the plan. What is wrong is an [*Error] that names the struct, the
// field, the option and the fix. That includes keys that are nearly bp, and the
// tags of types that serialize themselves. A plan is data: it holds no functions, runs
// nothing and never changes, so that it can be printed, compared, measured and
// hashed.
//
// Programs that send messages need none of this: package tagcodec asks for the
// plans and runs them. The package is for those that look at a wire without
// sending anything, and for those that run plans themselves:
//
//   - [Plan.String] is a table of the fields with their bits, for a person.
//   - MinBits and MaxBits bound every message of the type, for a budget.
//   - [Plan.Hash] and [Plan.Text] are of the wire and of nothing else, for a
//     protocol id, or a test that the wire is still the same.
//   - [Plan.Open] lists what two messages may say in different ways.
//   - [MaxOps] bounds a plan: a type that needs more is refused.
//   - [Plan.Ops] and the tables behind them are the program, for a loop that
//     runs it, or a tool that reads it.
//
// # What stays the same
//
// The wire of a tagged type does, and with it its hash and its text, on every
// machine. The texts of errors and of [Plan.String] are for people and may be
// worded better. The ops are made for the loops of tagcodec: a new code, flag,
// table or kind of [Run] may come with any version of the module.
package typecache

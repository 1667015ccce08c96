// Package plan has the compiled form of a tagged type, as the engines and tools
// of this module see it. Package typecache makes plans from struct tags, and its
// Plan is an opaque view of the [Plan] in this package.
//
// A [Plan] is immutable data. It consists of:
//
//   - Ops: the steps of a serialize loop. The [Code] of an [Op] says what it does.
//     An op that encloses others is followed by them, up to its End.
//   - Blocks: the ops between an opening op, such as a CodeSlice, and its
//     CodeNext. They encode one element, and their offsets count from its base.
//   - Fields: the paths, types and tags of the values, for errors and tools.
//   - Tables: quantizers, conditions, listed values and elements. Op.Aux is an
//     index into the table that belongs to the code.
//   - Runs: sequences of ops that one tight loop may execute together. See [Run].
//
// A code has a name and traits, in codes.go. Switches over the codes measure ops,
// because the linker would keep a table of functions in every program. Nothing
// compares codes by their order. docs/ARCHITECTURE.md lists what a new code needs.
//
// The builder in typecache appends the ops. Then [Plan.Measure] computes the
// sizes, [Plan.SetKeepCapacities] sets how much memory a reader keeps, and
// [Plan.FindRuns] finds the runs.
//
// [Plan.Tree] returns the plan as a tree that is free of ops and of any language.
// Everything that describes or prints a plan reads it. Its normal form, [Plan.Text],
// is defined in docs/WIRE.md. Types with equal texts have the same wire format.
// [Plan.Hash] is the SHA-256 of the text.
package plan

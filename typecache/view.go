package typecache

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
)

// Plan is the compiled form of a type. It is immutable and safe for concurrent
// use. Its methods describe the wire format. Its ops are internal to the module.
type Plan view

// view is what a Plan is to the other packages of this module, which convert
// between *Plan and *plan.View.
//
// They and the caches keep a *plan.Plan. A *Plan in a sync.Map or a sync.Pool might
// reach fmt, so the linker would keep its method String, and everything that the
// method calls, in every program.
type view = plan.View

// Unbounded is the largest size of a message if there is no limit.
const Unbounded = plan.Unbounded

// data returns the ops and tables of the plan.
func (p *Plan) data() *plan.Plan { return (*view)(p).Plan() }

// viewOf returns the view of a plan, unless there is an error.
func viewOf(data *plan.Plan, err error) (*Plan, error) {
	if err != nil {
		return nil, err
	}
	return (*Plan)(data.View()), nil
}

// Type returns the type that the plan is for.
func (p *Plan) Type() reflect.Type { return p.data().Type }

// MinBits returns the smallest size of a message in bits. It may be too low if
// the type contains alignment or subset indices, whose size depends on the value.
func (p *Plan) MinBits() int { return p.data().MinBits }

// MaxBits returns the largest size of a message in bits. It may be too high if
// the type contains alignment. It is [Unbounded] for recursive types and for
// types that serialize themselves and have no MaxBits method.
func (p *Plan) MaxBits() int { return p.data().MaxBits }

// BytesPerBit returns the largest number of bytes that one bit of a message can
// make Unmarshal allocate: a message of n bits claims at most n times as many,
// besides what methods of its types allocate. It is 0 for a type whose values hold
// no slices, maps, pointers and interfaces, and [Unbounded] if a message without
// bits allocates. Types whose messages claim more than 256 bytes for each bit, and
// 1 MiB besides, have no plan.
func (p *Plan) BytesPerBit() int { return p.data().BytesPerBit() }

// Text returns a description of the wire format in a normal form. It contains
// everything that affects the bytes, and nothing else, so many types that have
// the same bytes have the same text: structs and arrays dissolve, equal
// neighbors are counted, a bool is an integer in 0..1, and values without bits
// disappear. docs/WIRE.md defines the form and lists what it does not equate.
// Only types that encode themselves are named, because nothing else identifies
// their format. The text is the same on every machine.
func (p *Plan) Text() string { return p.data().Text() }

// TextWithPaths returns [Plan.Text] with paths for people. After a tab, a line
// has the paths of the values that it describes.
func (p *Plan) TextWithPaths() string { return p.data().TextWithPaths() }

// Hash returns the SHA-256 of [Plan.Text]. Types with equal hashes have the same
// wire format.
func (p *Plan) Hash() [32]byte { return p.data().Hash() }

package plan

import "github.com/gobitpack/bitpack/internal/sha256"

// Hash returns the SHA-256 of [Plan.Text]. Types with equal hashes have the same
// wire format.
func (p *Plan) Hash() [32]byte {
	p.described.Do(p.describe)
	return p.hash
}

// Text returns a description of the wire format in a normal form. It contains
// everything that affects the bytes, and nothing else, so many types that have
// the same bytes have the same text: structs and arrays dissolve, equal
// neighbors are counted, a bool is an integer in 0..1, and values without bits
// disappear. docs/WIRE.md defines the form and lists what it does not equate.
// Only types that encode themselves are named, because nothing else identifies
// their format. The text is the same on every machine.
func (p *Plan) Text() string {
	p.described.Do(p.describe)
	return p.text
}

// TextWithPaths returns [Plan.Text] with paths for people. After a tab, a line
// has the paths of the values that it describes.
func (p *Plan) TextWithPaths() string {
	return p.unmeasured().Text(true)
}

// describe sets the text and the hash. It is not part of building the plan,
// because most programs never need them.
func (p *Plan) describe() {
	p.text = p.unmeasured().Text(false)
	p.hash = sha256.Sum(p.text)
}

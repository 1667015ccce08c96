package delta

import (
	"encoding/binary"

	"github.com/gobitpack/bitpack/internal/plan"
)

// schema is the compiled form of a type for deltas. Each block of the plan, and
// each type that is called, is a table. The elements of the block are the rows
// of the table.
type schema struct {
	plan   *plan.Plan
	tables []*table
	// verify says that Read must decode a whole message to know that an image
	// is valid: the codes of some op are not valid each on its own.
	verify bool
}

// table describes the rows of one kind of element.
type table struct {
	index   int32 // in schema.tables
	cells   []cell
	bits    int // width of a row
	stride  int // bytes of a row
	texts   int // number of texts of a row
	lists   []list
	fields  []field // in the order in which they are sent
	guards  []guard
	steps   []step     // the message of a row, in order
	zero    []byte     // the row of the zero value
	scripts []*script  // of the texts
	key     int32      // the cell or the text that identifies a row, or none
	byText  bool       // the key is a text
	nonzero []int32    // cells that are not zero if they are present
	pay     int        // bits that a row without a base takes at least
	cellOps []*plan.Op // the op of each cell, to explain messages
	textOps []*plan.Op // the op of each text
}

// none is the index of what does not exist.
const none = -1

// cell is a code of fixed width in a row. Its code is that of the message.
type cell struct {
	off    int32 // byte in the row
	shift  uint8 // bit in the byte
	width  uint8
	wraps  bool   // the codes form a circle
	extend bool   // the code is the value in two's complement
	span   uint64 // largest code
	flip   uint64 // code^flip sorts like the value
	bias   uint64 // value of code 0
	zero   uint64 // code of the zero value
	guard  int32  // the condition under which it is present, or none
	step   float64
	low    float64 // the value of code 0 in units
}

// load returns the code in the row that starts at data[row].
func (c *cell) load(data []byte, row int) uint64 {
	at := row + int(c.off)
	v := binary.LittleEndian.Uint64(data[at:]) >> c.shift
	if c.width+c.shift > 64 {
		v |= uint64(data[at+8]) << (64 - c.shift)
	}
	return v & c.mask()
}

func (c *cell) mask() uint64 { return 1<<c.width - 1 }

// store replaces the code in the row that starts at data[row].
func (c *cell) store(data []byte, row int, v uint64) {
	at := row + int(c.off)
	word := binary.LittleEndian.Uint64(data[at:])
	word = word&^(c.mask()<<c.shift) | v<<c.shift
	binary.LittleEndian.PutUint64(data[at:], word)
	if c.width+c.shift > 64 {
		keep := byte(0xff) << (c.width + c.shift - 64)
		data[at+8] = data[at+8]&keep | byte(v>>(64-c.shift))
	}
}

// value returns the integer in memory of a code.
func (c *cell) value(code uint64) uint64 {
	if c.extend {
		n := 64 - c.width
		return uint64(int64(code<<n) >> n)
	}
	return code + c.bias
}

// slack is the number of bytes after the rows that load and store may access.
const slack = 9

// guard is a condition on a cell of a row. A cell that is absent counts as 0.
type guard struct {
	parent int32 // a condition that must hold too, or none
	cell   int32 // none for a value that is always 1
	test   plan.Test
	value  uint64
}

// present reports whether guard g holds in a row.
func (t *table) present(g int32, data []byte, row int) bool {
	for ; g != none; g = t.guards[g].parent {
		c := &t.guards[g]
		v := uint64(1)
		if c.cell != none {
			v = 0
			if from := &t.cells[c.cell]; from.guard == none || t.present(from.guard, data, row) {
				v = from.value(from.load(data, row))
			}
		}
		if !c.test.Compare(v, c.value) {
			return false
		}
	}
	return true
}

// kind is how the values of a field are sent.
type kind uint8

const (
	numbers  kind = iota // residuals of cells
	rotation             // a quaternion of smallest three, in four cells
	text                 // a text, in full
)

// field is what is sent together: it is unchanged, or all of it is sent.
type field struct {
	kind  kind
	first int32 // first cell, or the text
	n     int32 // number of cells
	guard int32
	pred  plan.Pred
	vel   int32 // field of the velocity
	scale [3]velocity
	own   bool // rows are sampled at ticks of their own

	valid  func(codes []uint64) bool // further condition on the codes, or nil
	script *script                   // for a text, what it must be
}

// listKind says how many elements a list has and which of the base they match.
type listKind uint8

const (
	fixedList listKind = iota // count elements, by index
	countList                 // the code of a cell, plus least, by index
	unionList                 // one of the table that a cell selects; 0 is nil
	keyedList                 // any number, by key
	indexList                 // elements that are present, by index
)

// list is the elements that belong to a row.
type list struct {
	kind   listKind
	count  int32 // for fixedList; for an indexList the number of indices, if cell is none
	cell   int32 // the count, the number of indices or the type
	least  int
	most   int
	tables []int32
	guard  int32
	deeper bool   // the elements are one level deeper
	path   string // of the value, from the base of the block
	op     *plan.Op
}

package tagcodec

import (
	"reflect"

	"github.com/gobitpack/bitpack/typecache"
)

// What a variable keeps of its memory when it is read into again. A slice in the
// elements of another would keep the most that it ever had, each from another
// message, were it not for the rule of excessive.

// keptTimes is how many times the elements of a message may have room in a
// slice that was there.
const keptTimes = 4

// excessive reports whether a slice with room for so many elements is too large
// to be kept for n. A capacity of n or less never is.
func excessive(op *typecache.Op, room, n int) bool {
	return room > int(op.Keep) && room/keptTimes > n
}

// clearMap makes a map empty, before it gets n entries. A map does not tell its
// room, which is that of the most entries it has had: one that has more than n
// is replaced, so that none has room for more than it last had, or for more than
// its Keep.
func clearMap(op *typecache.Op, m reflect.Value, n int) {
	switch {
	case m.IsNil() && n == 0:
	case m.IsNil(), m.Len() > max(n, int(op.Keep)):
		m.Set(reflect.MakeMapWithSize(m.Type(), n))
	default:
		m.Clear()
	}
}

// clearsRest reports whether the elements of a block behind the one that a
// message was refused in become zero: those of a slice, which hold pointers.
func clearsRest(op *typecache.Op) bool {
	return op.Flags&typecache.Pointers != 0 &&
		(op.Code == typecache.CodeSlice || op.Code == typecache.CodeSubset && op.Flags&typecache.Slice != 0)
}

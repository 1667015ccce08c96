package core

import (
	"strconv"
	"strings"
)

// NoElement is the Element of an error that is not about an element of a slice.
const NoElement = -1

// Renamed is an error of package tagcodec or typecache that another package
// returns. Its text begins with the name of that package.
type Renamed struct {
	Package string
	Element int // index of the element that the error is about, or NoElement
	Err     error
}

// Error returns the text under the name of the package.
func (e *Renamed) Error() string {
	text := e.Err.Error()
	for _, prefix := range []string{"tagcodec: ", "typecache: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	if e.Element != NoElement {
		text = "element " + strconv.Itoa(e.Element) + ": " + text
	}
	return e.Package + ": " + text
}

// Unwrap returns Err.
func (e *Renamed) Unwrap() error { return e.Err }

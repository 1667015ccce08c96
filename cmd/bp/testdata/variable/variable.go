// Package variable has a wrong tag that ends the program while it starts.
package variable

import "github.com/gobitpack/bitpack/tagcodec"

// Message has a wrong tag.
type Message struct {
	Health int32 `bp:"int,min=0"`
}

// Messages is the codec of Message.
var Messages = tagcodec.MustFor[Message]()

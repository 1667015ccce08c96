// Package calls does not build without its generated file.
package calls

// Message is a message.
type Message struct {
	HP int32 `bp:"int,min=0,max=100"`
}

// Health calls a generated function.
func Health(m *Message) int32 { return health(m) }

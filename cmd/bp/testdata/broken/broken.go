// Package broken does not build.
package broken

type message struct {
	A uint8 `bp:"enum,max=3"`
}

var _ = message{B: 1}

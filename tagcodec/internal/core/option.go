package core

// Option is an option of a codec. tagcodec.Option has the same underlying type, so
// that users can hold one, and only this module can make or apply one.
type Option interface{ apply(*Settings) }

// Set is an [Option] that calls a function.
type Set func(*Settings)

func (set Set) apply(c *Settings) { set(c) }

// Apply applies options in their order.
func Apply[O Option](c *Settings, options []O) {
	for _, o := range options {
		o.apply(c)
	}
}

package core

import "github.com/gobitpack/bitpack/typecache"

// Option is an option of a codec. tagcodec.Option has the same underlying type, so
// that users can hold one, and only this module can make or apply one.
type Option interface{ apply(*Settings) }

// WireOption is an [Option] that changes the plan, and nothing else.
// tagcodec.WireOption has the same underlying type.
type WireOption interface {
	apply(*Settings)
	plans(typecache.Options) typecache.Options
}

// Set is an [Option] that calls a function.
type Set func(*Settings)

func (set Set) apply(c *Settings) { set(c) }

// SetPlans is a [WireOption] that calls a function.
type SetPlans func(typecache.Options) typecache.Options

func (set SetPlans) apply(c *Settings) { c.Plans = set(c.Plans) }

func (set SetPlans) plans(o typecache.Options) typecache.Options { return set(o) }

// Apply applies options in their order.
func Apply[O Option](c *Settings, options []O) {
	for _, o := range options {
		o.apply(c)
	}
}

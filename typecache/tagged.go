package typecache

import (
	"maps"
	"reflect"
	"sync/atomic"

	"github.com/gobitpack/bitpack/internal/plan"
)

// taggedPlans caches the plans of values that are coded by a tag of their own. A
// program may make any number of tags, so there are at most [maxTagged]. Looking a
// plan up locks nothing and allocates nothing: the map is replaced, not changed.
type taggedPlans struct {
	byTag atomic.Pointer[map[taggedKey]*plan.Plan]
}

type taggedKey struct {
	typ reflect.Type
	tag string
}

// maxTagged is the largest number of plans in a taggedPlans. One more removes all
// of them.
const maxTagged = 1024

// Tagged returns the plan of a value of type t that is coded by the text of a bp
// tag. Options that refer to other fields are errors. accept may refuse a new plan.
// Plans are cached, and errors are not. Tagged allocates nothing if the plan is in
// the cache.
func (o Options) Tagged(t reflect.Type, tag string, accept func(*Plan) error) (*Plan, error) {
	c, key := o.plans(), taggedKey{t, tag}
	if cached := c.tagged.byTag.Load(); cached != nil {
		if data, ok := (*cached)[key]; ok {
			return viewOf(data, nil)
		}
	}
	data, err := buildTagged(t, tag, &c.options)
	if err == nil {
		err = accept((*Plan)(data.View()))
	}
	if err != nil {
		return nil, err
	}
	return viewOf(c.tagged.add(key, data), nil)
}

// add adds a plan and returns it, or the one that another goroutine has added.
func (c *taggedPlans) add(key taggedKey, data *plan.Plan) *plan.Plan {
	for {
		old := c.byTag.Load()
		next := map[taggedKey]*plan.Plan{}
		if old != nil && len(*old) < maxTagged {
			if known, ok := (*old)[key]; ok {
				return known
			}
			next = maps.Clone(*old)
		}
		next[key] = data
		if c.byTag.CompareAndSwap(old, &next) {
			return data
		}
	}
}

// taggedValue plans a value of type t by the tag of its place. The value has no
// struct around it.
func (b *builder) taggedValue(t reflect.Type, at *place) error {
	o, err := parseOptions(at.tag, &b.room)
	if err != nil {
		return err
	}
	if o.kind == "-" {
		return fail(MistakePlace, "", "leave out the call", "the tag \"-\" leaves a field out")
	}
	for _, fix := range referring {
		if o.has(fix[0]) {
			return fail(MistakePlace, fix[0], fix[1], "refers to other fields of a struct, and this tag is for a value by itself")
		}
	}
	if o.has("chain") && !isList(t) {
		return fail(MistakePlace, "chain", "call bits.Relative", "refers to the element before, and %v is not a list", t)
	}
	if t == emptyType && !o.empty() {
		return b.structural(t, at, &o)
	}
	return b.value(t, at, &o)
}

// referring has the options of a field that refer to other fields or other
// messages of its struct, and what to do instead.
var referring = table{
	{"if", "test the condition in Go, and set an absent value to zero after reading"},
	{"to", "call bits.Relative with the other value"},
	{"pred", "remove it, because a delta copies what a Serialize method writes"},
	{"key", "remove it, because a delta copies what a Serialize method writes"},
	{"step", "remove it, because a delta copies what a Serialize method writes"},
}

package core

import "reflect"

// CopiedLinks is a Resolver for copying a value from one message to another. It
// passes on the ids of the links, whether their objects are known or not. The
// value must write its links in the order in which it has read them.
type CopiedLinks struct {
	Resolver // that of the codec

	ids          []uint64 // that have been read and not written
	placeholders map[reflect.Type]reflect.Value
}

// read sets the link field v, which is nil, to the object with the given id. A
// pointer to an object that is not known becomes a pointer to a zero value, so
// that it is not nil when the value is written.
func (c *CopiedLinks) read(v reflect.Value, id uint64) error {
	c.ids = append(c.ids, id)
	if id == 0 {
		return nil
	}
	if object, ok := c.Object(id); ok {
		return assignLink(v, id, object)
	}
	if t := v.Type(); t.Kind() == reflect.Pointer {
		object, ok := c.placeholders[t]
		if !ok {
			if c.placeholders == nil {
				c.placeholders = map[reflect.Type]reflect.Value{}
			}
			object = reflect.New(t.Elem()).Convert(t)
			c.placeholders[t] = object
		}
		v.Set(object)
	}
	return nil
}

// write returns the id of the next link.
func (c *CopiedLinks) write() (uint64, error) {
	if len(c.ids) == 0 {
		return 0, explain(ErrLink, "a Serialize method writes more links than it reads")
	}
	id := c.ids[0]
	c.ids = c.ids[1:]
	return id, nil
}

// SilentLinks is a Resolver for reading a message only to check it. Links to
// objects that are not known stay nil, and the Linker does not learn of them.
type SilentLinks struct{ Resolver }

// Unresolved does nothing.
func (SilentLinks) Unresolved(uint64, string, WaitingLink) {}

// HasWaiting returns false, because the fields of earlier messages are not
// overwritten.
func (SilentLinks) HasWaiting() bool { return false }

package core

import "reflect"

// CopiedLinks is a Resolver for copying a value from one message to another. It
// passes on the ids of the links, whether their objects are known or not. The
// value must write its links in the order in which it has read them.
type CopiedLinks struct {
	Resolver // that of the codec, or nil

	ids          []uint64                       // that have been read and not written
	placeholders map[reflect.Type]reflect.Value // the type of a field to a pointer
}

// read sets the link field v, which is nil, to the object with the given id. A
// pointer to an object that is not known becomes a pointer to a zero value, so
// that it is not nil when the value is written.
func (c *CopiedLinks) read(v reflect.Value, id uint64) {
	c.ids = append(c.ids, id)
	t := v.Type()
	switch {
	case id == 0 || c.known(v, id) || t.Kind() != reflect.Pointer:
		return
	case c.placeholders == nil:
		c.placeholders = map[reflect.Type]reflect.Value{}
	}
	object, ok := c.placeholders[t]
	if !ok {
		object = reflect.New(t.Elem())
		c.placeholders[t] = object
	}
	v.Set(object)
}

// known sets v to the object with the given id, if the codec knows it and it fits.
// It may not fit if the link belongs to another codec that a Serialize method
// uses.
func (c *CopiedLinks) known(v reflect.Value, id uint64) bool {
	if c.Resolver == nil {
		return false
	}
	object, ok := c.Object(id)
	return ok && assignLink(v, id, object) == nil
}

// write returns the id of the next link.
func (c *CopiedLinks) write() (uint64, error) {
	if len(c.ids) == 0 {
		return 0, Explain(ErrLink, "a Serialize method writes more links than it reads")
	}
	id := c.ids[0]
	c.ids = c.ids[1:]
	return id, nil
}

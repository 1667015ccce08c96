//go:build !purego

package binary

import (
	"io"
	"slices"

	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

func read(r io.Reader, order ByteOrder, data any) error {
	e := recall(memory.TypeOf(&data))
	if e == nil {
		e = findArgType(data)
	}
	if e.tagged {
		if v, ok := e.target(data, order); ok {
			return e.readOne(r, v)
		}
		return e.read(r, order, data)
	}
	which := orderIndex(order)
	first, n, ok := e.elements(memory.DataOf(&data))
	p := e.decoder[which]
	if p == nil || !ok {
		return readOther(r, order, data, e)
	}
	if e.wordTo > 0 {
		b := make([]byte, e.wordTo) // faster than getting a buffer from the pool
		_, err := io.ReadFull(r, b)
		if err == nil {
			copyWord(first, memory.Start(b), e.wordTo, which == foreign)
		}
		return err
	}
	b := newBuffer(n * p.fromEach)
	_, err := io.ReadFull(r, b.bytes)
	if err == nil {
		p.elements(first, memory.Start(b.bytes), n)
	}
	b.free()
	return err
}

func write(w io.Writer, order ByteOrder, data any) error {
	e := recall(memory.TypeOf(&data))
	if e == nil {
		e = findArgType(data)
	}
	if e.tagged {
		if v, ok := e.direct(data, order); ok {
			return e.writeOne(w, v)
		}
		return e.write(w, order, data)
	}
	first, n, ok := e.elements(memory.DataOf(&data))
	if e.bytes && n > 0 {
		_, err := w.Write(*memory.DataOf(&data).Bytes())
		return err
	}
	which := orderIndex(order)
	p := e.encoder[which]
	if p == nil || !ok {
		return writeOther(w, order, data, e)
	}
	if e.word > 0 {
		b := make([]byte, e.word) // faster than getting a buffer from the pool
		copyWord(memory.Start(b), first, e.word, which == foreign)
		_, err := w.Write(b)
		return err
	}
	b := newBuffer(n * p.toEach)
	p.elements(memory.Start(b.bytes), first, n)
	_, err := w.Write(b.bytes)
	b.free()
	return err
}

func appendTo(buf []byte, order ByteOrder, data any) ([]byte, error) {
	e := recall(memory.TypeOf(&data))
	if e == nil {
		e = findArgType(data)
	}
	if e.tagged {
		if v, ok := e.direct(data, order); ok {
			out, err := engine.Encode(&settings, e.plan.Plan, v, buf)
			if err != nil {
				return nil, failed(err)
			}
			return out, nil
		}
		return e.append(buf, order, data)
	}
	first, n, ok := e.elements(memory.DataOf(&data))
	which := orderIndex(order)
	if e.word > 0 && ok && which != otherOrder {
		return appendWord(buf, first, e.word, which == foreign), nil
	}
	if e.bytes {
		return append(buf, *memory.DataOf(&data).Bytes()...), nil
	}
	p := e.encoder[which]
	if p == nil || !ok {
		return appendOther(buf, order, data, e)
	}
	size := n * p.toEach
	out := slices.Grow(buf, size)[:len(buf)+size]
	if first.Overlaps(n*p.fromEach, out[len(buf):]) {
		return appendOther(buf, order, data, e)
	}
	p.elements(memory.Start(out[len(buf):]), first, n)
	return out, nil
}

func encode(buf []byte, order ByteOrder, data any) (int, error) {
	e := recall(memory.TypeOf(&data))
	if e == nil {
		e = findArgType(data)
	}
	if e.tagged {
		if v, ok := e.direct(data, order); ok {
			if n, ok := e.encodeOne(buf, v); ok {
				return n, nil
			}
		}
		return e.encode(buf, order, data)
	}
	first, n, ok := e.elements(memory.DataOf(&data))
	which := orderIndex(order)
	if e.word > 0 && ok && which != otherOrder && len(buf) >= int(e.word) {
		copyWord(memory.Start(buf), first, e.word, which == foreign)
		return int(e.word), nil
	}
	if e.bytes && len(buf) >= n {
		return copy(buf, *memory.DataOf(&data).Bytes()), nil
	}
	p := e.encoder[which]
	if p == nil || !ok {
		return encodeOther(buf, order, data, e)
	}
	size := n * p.toEach
	if len(buf) < size || first.Overlaps(n*p.fromEach, buf[:size]) {
		return encodeOther(buf, order, data, e)
	}
	p.elements(memory.Start(buf), first, n)
	return size, nil
}

func decode(buf []byte, order ByteOrder, data any) (int, error) {
	e := recall(memory.TypeOf(&data))
	if e == nil {
		e = findArgType(data)
	}
	if e.tagged {
		if v, ok := e.target(data, order); ok {
			return e.decodeOne(&settings, v, buf)
		}
		return e.decode(buf, order, data)
	}
	first, n, ok := e.elements(memory.DataOf(&data))
	which := orderIndex(order)
	if e.wordTo > 0 && ok && which != otherOrder && len(buf) >= int(e.wordTo) {
		copyWord(first, memory.Start(buf), e.wordTo, which == foreign)
		return int(e.wordTo), nil
	}
	if e.bytes && len(buf) >= n {
		return copy(*memory.DataOf(&data).Bytes(), buf), nil
	}
	p := e.decoder[which]
	if p == nil || !ok {
		return decodeOther(buf, order, data, e)
	}
	size := n * p.fromEach
	if len(buf) < size || e.strict && len(buf) > size || first.Overlaps(n*p.toEach, buf[:size]) {
		return decodeOther(buf, order, data, e)
	}
	p.elements(first, memory.Start(buf), n)
	return size, nil
}

func size(v any) int {
	e := recall(memory.TypeOf(&v))
	if e == nil {
		e = findArgType(v)
	}
	if e.tagged {
		if p := memory.HiddenDataOf(&v); e.single && !p.IsNil() {
			return e.measureOne(p)
		}
		return e.measure(v)
	}
	data := memory.DataOf(&v)
	switch {
	case e.size < 0 || data.IsNil():
		return sizeOther(v, e)
	case e.form <= formPointer:
		return e.size
	}
	return data.Slice().Len * e.size
}

package bench

import (
	"fmt"
	"reflect"
)

// Codec is a way to convert values to bytes and back.
type Codec[T any] struct {
	Name  string
	Kind  Kind
	Notes string // facts that affect the comparison, such as strings that alias the message
	// Open starts a session for values. It converts them to the codec's own
	// types if necessary.
	Open func(values []T) Session[T]
}

// Kind says where the code for a type comes from.
type Kind string

// The kinds of codecs.
const (
	Reflection Kind = "reflection" // at run time from the Go type and its tags
	Generated  Kind = "generated"  // before compiling, from a schema or a Go type
	ByHand     Kind = "by hand"    // written for the type
)

// Session is a codec in use. The time of Marshal and Unmarshal does not include
// conversion, because a program that uses an encoding would keep its values in
// the types of that encoding. A session is not safe for concurrent use.
type Session[T any] struct {
	// Marshal encodes value i. It uses the memory of dst if the encoding
	// supports that.
	Marshal func(dst []byte, i int) ([]byte, error)
	// Unmarshal decodes data into the previous value, whose memory it may
	// reuse.
	Unmarshal func(data []byte) error
	// Value returns the last decoded value. It may share memory with the
	// session.
	Value func() T
}

// RoundTrip encodes value i and decodes it over another value. It fails unless
// the result equals the original. It returns the length of the message.
func (s Session[T]) RoundTrip(values []T, i int) (int, error) {
	other, err := s.Marshal(nil, (i+1)%len(values))
	if err != nil {
		return 0, fmt.Errorf("marshal: %w", err)
	}
	if err := s.Unmarshal(append([]byte(nil), other...)); err != nil {
		return 0, fmt.Errorf("unmarshal: %w", err)
	}
	data, err := s.Marshal(nil, i)
	if err != nil {
		return 0, fmt.Errorf("marshal: %w", err)
	}
	data = append([]byte(nil), data...)
	if err := s.Unmarshal(data); err != nil {
		return 0, fmt.Errorf("unmarshal: %w", err)
	}
	if got := s.Value(); !reflect.DeepEqual(got, values[i]) {
		return 0, fmt.Errorf("value %d comes back as %+v, not %+v", i, got, values[i])
	}
	return len(data), nil
}

// Size returns the average length of a message. It fails unless the codec round
// trips all values.
func (c Codec[T]) Size(values []T) (float64, error) {
	session := c.Open(values)
	bytes := 0
	for i := range values {
		n, err := session.RoundTrip(values, i)
		if err != nil {
			return 0, err
		}
		bytes += n
	}
	return float64(bytes) / float64(len(values)), nil
}

// functions are the functions of a codec whose own type is N.
type functions[N any] struct {
	marshal   func(dst []byte, v *N) ([]byte, error)
	unmarshal func(data []byte, v *N) error
}

// always returns a function that starts every session with f.
func always[N any](f functions[N]) func() functions[N] { return func() functions[N] { return f } }

// conversion converts between T and N, the type that a codec needs.
type conversion[T, N any] struct {
	to   func(*T) *N
	from func(*N) T
}

// same returns the conversion for codecs that use T itself.
func same[T any]() conversion[T, T] {
	return conversion[T, T]{func(v *T) *T { return v }, func(v *T) T { return *v }}
}

// open returns the Open function of a codec. start returns the functions for a
// session.
func (c conversion[T, N]) open(start func() functions[N]) func([]T) Session[T] {
	return func(values []T) Session[T] {
		own := make([]*N, len(values))
		for i := range values {
			own[i] = c.to(&values[i])
		}
		f, into := start(), new(N)
		return Session[T]{
			Marshal:   func(dst []byte, i int) ([]byte, error) { return f.marshal(dst, own[i]) },
			Unmarshal: func(data []byte) error { return f.unmarshal(data, into) },
			Value:     func() T { return c.from(into) },
		}
	}
}

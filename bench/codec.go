package bench

import (
	"fmt"
	"reflect"
)

// Codec is one way to turn values into bytes and back.
type Codec[T any] struct {
	Name  string
	Kind  Kind
	Notes string // what one must know to compare, such as texts that share the memory of the message
	// Open starts a session of values, which it converts to types of the
	// codec's own where it needs them.
	Open func(values []T) Session[T]
}

// Kind says where the code that runs for a type comes from.
type Kind string

// The kinds of codecs.
const (
	Reflection Kind = "reflection" // at run time, from the Go type and its tags
	Generated  Kind = "generated"  // from a schema or a Go type, before compiling
	ByHand     Kind = "by hand"    // written for the type
)

// Session is a codec at work. Conversion is not part of Marshal and Unmarshal:
// a program that has chosen an encoding keeps its values in the types that the
// encoding wants. A session must not be used by two goroutines at once.
type Session[T any] struct {
	// Marshal returns the bytes of a value, in the memory of dst if the
	// encoding can use it.
	Marshal func(dst []byte, i int) ([]byte, error)
	// Unmarshal reads data over the value that was read before, whose memory it
	// may use again.
	Unmarshal func(data []byte) error
	// Value returns what was read last. It may share memory with the session.
	Value func() T
}

// RoundTrip fails unless a session gives back one of its values, in a
// destination that has held another one. It returns the length of the message.
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

// Size returns the length of a message, on average. It fails unless the codec
// round trips all of the values.
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

// functions are those of a codec whose own type is N.
type functions[N any] struct {
	marshal   func(dst []byte, v *N) ([]byte, error)
	unmarshal func(data []byte, v *N) error
}

// always starts every session with the same functions.
func always[N any](f functions[N]) func() functions[N] { return func() functions[N] { return f } }

// conversion is between T and the type N that a codec wants.
type conversion[T, N any] struct {
	to   func(*T) *N
	from func(*N) T
}

// same is for codecs that take the values as they are.
func same[T any]() conversion[T, T] {
	return conversion[T, T]{func(v *T) *T { return v }, func(v *T) T { return *v }}
}

// open returns the Open function of a codec whose functions start returns.
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

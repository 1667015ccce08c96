package bench

import (
	"errors"
	"slices"

	mus "github.com/mus-format/mus-go"
	"github.com/tinylib/msgp/msgp"
	"google.golang.org/protobuf/proto"
)

// message is implemented by the code that protoc-gen-go and vtprotobuf generate
// for a message N.
type message[N any] interface {
	*N
	proto.Message
	SizeVT() int
	MarshalToSizedBufferVT([]byte) (int, error)
	UnmarshalVT([]byte) error
	UnmarshalVTUnsafe([]byte) error
	ResetVT()
}

func byProtobuf[T, N any, M message[N]](c conversion[T, N]) []Codec[T] {
	vt := func(unmarshal func(M, []byte) error) func() functions[N] {
		return always(functions[N]{
			func(dst []byte, v *N) ([]byte, error) {
				size := M(v).SizeVT()
				dst = slices.Grow(dst[:0], size)[:size]
				_, err := M(v).MarshalToSizedBufferVT(dst)
				return dst, err
			},
			func(data []byte, v *N) error {
				M(v).ResetVT()
				return unmarshal(v, data)
			},
		})
	}
	return []Codec[T]{
		{"protobuf", Generated, "protoc-gen-go", c.open(always(functions[N]{
			func(dst []byte, v *N) ([]byte, error) { return proto.MarshalOptions{}.MarshalAppend(dst[:0], M(v)) },
			func(data []byte, v *N) error { return proto.Unmarshal(data, M(v)) },
		}))},
		{"vtprotobuf", Generated, "uses its memory again", c.open(vt(M.UnmarshalVT))},
		{"vtprotobuf, unsafe", Generated, "texts share the message", c.open(vt(M.UnmarshalVTUnsafe))},
	}
}

// packed is implemented by the code that msgp generates for a type N.
type packed[N any] interface {
	*N
	msgp.Marshaler
	msgp.Unmarshaler
}

func byMsgp[T, N any, M packed[N]](name string, c conversion[T, N]) Codec[T] {
	return Codec[T]{name, Generated, "tinylib/msgp", c.open(always(functions[N]{
		func(dst []byte, v *N) ([]byte, error) { return M(v).MarshalMsg(dst[:0]) },
		func(data []byte, v *N) error {
			rest, err := M(v).UnmarshalMsg(data)
			if err == nil && len(rest) > 0 {
				err = errTrailing
			}
			return err
		},
	}))}
}

var errTrailing = errors.New("more data than the message has")

// byMus returns a mus-go codec that uses the serializer generated for T by
// musgen-go.
func byMus[T any, S mus.Serializer[T]](name, notes string, s S) Codec[T] {
	return Codec[T]{name, Generated, notes, same[T]().open(always(functions[T]{
		func(dst []byte, v *T) ([]byte, error) {
			dst = slices.Grow(dst[:0], s.Size(*v))
			n := s.Marshal(*v, dst[:cap(dst)])
			return dst[:n], nil
		},
		func(data []byte, v *T) error {
			var n int
			var err error
			*v, n, err = s.Unmarshal(data)
			if err == nil && n < len(data) {
				err = errTrailing
			}
			return err
		},
	}))}
}

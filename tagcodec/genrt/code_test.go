package genrt_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/genrt"
	"github.com/gobitpack/bitpack/typecache"
)

// counted registers code for T that counts its calls. It takes messages of one
// byte, which it writes as 0xEE unless refuse is set, and reads as nothing.
type counted[T any] struct {
	code           genrt.Code[T]
	appends, reads int
	refuse         bool
}

func (c *counted[T]) register(fingerprint string, parts ...genrt.Part) {
	c.code.Register(fingerprint, func(_ genrt.Settings, _ *T, dst []byte) ([]byte, uint, bool) {
		c.appends++
		return append(dst, 0xEE), 0, !c.refuse
	}, func(_ genrt.Settings, _ *T, _ []byte, _ int) (int, bool) {
		c.reads++
		return 8, !c.refuse
	}, parts...)
}

// fingerprint returns the fingerprint of T's plan.
func fingerprint[T any](t *testing.T) string {
	t.Helper()
	view, err := typecache.Of(typeFor[T]())
	require.NoError(t, err)
	return sealed.PlanOf(view).Fingerprint()
}

type (
	early  struct{ A uint8 }
	late   struct{ A uint8 }
	stale  struct{ A, B uint8 }
	linked struct{ A uint8 }
	failed struct{ A uint8 }
	noted  struct {
		A uint8
		N note `bp:"union"`
	}
	note interface{ note() }
)

// The codec of a package variable exists before init functions register code.
var (
	earlyCodec = tagcodec.MustFor[early]()
	earlyCode  counted[early]
)

func init() {
	earlyCode.register(sealed.PlanOf(earlyCodec.Plan()).Fingerprint())
}

func TestRegisterAfterCodec(t *testing.T) {
	earlyCode.appends, earlyCode.reads = 0, 0
	data, err := earlyCodec.Append(nil, &early{1})
	require.NoError(t, err)
	require.Equal(t, []byte{0xEE}, data)
	require.NoError(t, earlyCodec.Unmarshal(data, new(early)))
	data, err = tagcodec.Marshal(early{1})
	require.NoError(t, err)
	require.Equal(t, []byte{0xEE}, data)
	n, err := tagcodec.Size(early{1})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.NoError(t, tagcodec.Unmarshal(data, new(early)))
	rest, err := tagcodec.UnmarshalFirst([]byte{1, 2}, new(early))
	require.NoError(t, err)
	require.Equal(t, []byte{2}, rest)
	require.Equal(t, 3, earlyCode.appends)
	require.Equal(t, 3, earlyCode.reads)
}

func TestRegisterBeforeCodec(t *testing.T) {
	type twin struct{ A uint8 } // a plan of the same fields, but with another name
	var c counted[late]
	c.register(fingerprint[twin](t))
	_, err := tagcodec.Marshal(late{1})
	require.NoError(t, err)
	require.Zero(t, c.appends, "the name of the type is a part of the fingerprint")

	c.register(fingerprint[late](t))
	data, err := tagcodec.MustFor[late]().Append(nil, &late{1})
	require.NoError(t, err)
	require.Equal(t, []byte{0xEE}, data)
}

// Code of another fingerprint is not used. TestFingerprintOfTags compares fingerprints.
func TestStaleCode(t *testing.T) {
	var c counted[stale]
	c.register("0123456789abcdef0123456789abcdef")
	codec := tagcodec.MustFor[stale]()
	data, err := codec.Append(nil, &stale{1, 2})
	require.NoError(t, err)
	require.Equal(t, []byte{1, 2}, data)
	require.NoError(t, codec.Unmarshal(data, new(stale)))
	require.Zero(t, c.appends+c.reads)
	require.Nil(t, sealed.PlanOf(codec.Plan()).Generated())
}

// A Linker must not see what a refused message refers to, so the engine reads it.
func TestLinkerUsesEngine(t *testing.T) {
	var c counted[linked]
	c.register(fingerprint[linked](t))
	codec := tagcodec.MustFor[linked](tagcodec.WithLinker(nobody{}))
	data, err := codec.Append(nil, &linked{1})
	require.NoError(t, err)
	require.Equal(t, []byte{1}, data)
	require.NoError(t, codec.Unmarshal(data, new(linked)))
	_, err = codec.UnmarshalFirst(data, new(linked))
	require.NoError(t, err)
	require.Zero(t, c.appends+c.reads)
	_, err = tagcodec.MustFor[linked]().Append(nil, &linked{1})
	require.NoError(t, err)
	require.Equal(t, 1, c.appends)
}

// What the code refuses, the engine does.
func TestRefusedByCode(t *testing.T) {
	c := counted[failed]{refuse: true}
	c.register(fingerprint[failed](t))
	codec := tagcodec.MustFor[failed]()
	data, err := codec.Append([]byte{9}, &failed{1})
	require.NoError(t, err)
	require.Equal(t, []byte{9, 1}, data)
	var v failed
	require.NoError(t, codec.Unmarshal([]byte{7}, &v))
	require.Equal(t, failed{7}, v)
	require.ErrorIs(t, codec.Unmarshal(nil, &v), tagcodec.ErrOverread)
	require.ErrorIs(t, codec.Unmarshal([]byte{7, 7}, &v), tagcodec.ErrTrailing)
	require.Equal(t, 1, c.appends)
	require.Equal(t, 3, c.reads)
}

type nobody struct{ tagcodec.Linker }

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Options of a codec count if all that change the wire are written out. They get into
// the test of bp as they are, whatever they do.
func TestCallOptions(t *testing.T) {
	const head = `package p

import (
	other "example.com/other/v2"
	"example.com/third"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/delta"
)

type T struct{}

type Hit struct{ Damage, Times int }

type Event interface{}

const most = 3

var least = 1

func hit() Hit { return Hit{} }

`
	const with, hidden = "tagcodec.For, with options: ", "tagcodec.For, with options that bp does not follow"
	for call, want := range map[string]string{
		"tagcodec.For[T]()": "tagcodec.For",
		"tagcodec.For[T](tagcodec.WithMaxDepth(least), tagcodec.WithLinker(none))":         "tagcodec.For",
		"tagcodec.For[T](tagcodec.WithoutChecks())":                                        with + "bp_tagcodec.WithoutChecks()",
		"tagcodec.For[T](tagcodec.WithUnion[Event](Hit{}, &T{}))":                          with + "bp_tagcodec.WithUnion[Event](Hit{}, &T{})",
		"tagcodec.For[T](tagcodec.WithUnion[Event](Hit{Damage: most, Times: len(\"a\")}))": with + "bp_tagcodec.WithUnion[Event](Hit{Damage: most, Times: len(\"a\")})",
		"tagcodec.For[T](tagcodec.WithUnion[other.Event](other.Hit{Damage: 3}, []*third.Hit{nil}))": with +
			"bp_tagcodec.WithUnion[bp_0.Event](bp_0.Hit{Damage: 3}, []*bp_1.Hit{nil})",
		"tagcodec.For[T](tagcodec.WithUnion[Event]([]Event{Hit{}}...))": with + "bp_tagcodec.WithUnion[Event]([]Event{Hit{}}...)",
		"tagcodec.For[T](tagcodec.WithUnion(Event(Hit{})))":             with + "bp_tagcodec.WithUnion(Event(Hit{}))",
		"tagcodec.For[T](tagcodec.WithoutChecks(), tagcodec.WithMaxDepth(1), tagcodec.WithUnion[Event](T{}))": with +
			"bp_tagcodec.WithoutChecks(), bp_tagcodec.WithUnion[Event](T{})",
		"delta.For[T](delta.WithWindow(least), delta.WithCodec(tagcodec.WithoutChecks()))":                                 "delta.For, with options: bp_tagcodec.WithoutChecks()",
		"delta.For[T](delta.WithCodec(options...))":                                                                        "delta.For, with options that bp does not follow",
		"tagcodec.For[T](tagcodec.WithUnion[Event](unknown))":                                                              hidden,
		"tagcodec.For[T](tagcodec.WithUnion[Event](Hit{Damage: least}))":                                                   hidden,
		"tagcodec.For[T](tagcodec.WithUnion[Event](hit()))":                                                                hidden,
		"tagcodec.For[T](tagcodec.WithUnion[Event](other.Default))":                                                        hidden,
		"tagcodec.For[T](tagcodec.WithUnion[Event](func() Hit { return Hit{} }()))":                                        hidden,
		"func() (*tagcodec.Codec[T], error) { type Hit int; return tagcodec.For[T](tagcodec.WithUnion[Event](Hit(1))) }()": hidden,
		"func(Hit int) (*tagcodec.Codec[T], error) { return tagcodec.For[T](tagcodec.WithUnion[Event](Hit)) }(1)":          hidden,
		"tagcodec.For[T](option)":                 hidden,
		"tagcodec.For[T](other.Option())":         hidden,
		"tagcodec.For[T](tagcodec.WithNothing())": hidden,
		"tagcodec.For[T](tagcodec.Marshal(nil))":  hidden,
		"tagcodec.For[T](tagcodec.Standard()...)": hidden,
		"tagcodec.For[T](options()...)":           hidden,
	} {
		dir := writePackage(t, map[string]string{"p.go": head + "var x, y = " + call + "\n"})
		c := parsed(t, dir).calls["T"]
		got := c.rule()
		if args, _ := c.arguments(); args != "" {
			got += ": " + args
		}
		require.Equal(t, want, got, call)
	}
}

// The declaration of a function says what its options do.
func TestEffects(t *testing.T) {
	p := parsed(t, writePackage(t, map[string]string{"p.go": "package p\n"}))
	of := p.effectsOf("github.com/gobitpack/bitpack/tagcodec")
	for name, want := range map[string]effect{
		"WithUnion": effectWire, "WithoutChecks": effectWire, "WithMaxDepth": effectNone, "WithLinker": effectNone, "Marshal": effectUnknown, "For": effectUnknown,
	} {
		require.Equal(t, want, of[name], name)
	}
	of = p.effectsOf("github.com/gobitpack/bitpack/tagcodec/delta")
	require.Equal(t, effectOptions, of["WithCodec"])
	require.Equal(t, effectNone, of["WithWindow"])
	require.Empty(t, p.effectsOf("github.com/gobitpack/bitpack/none"))
	for name := range of {
		require.False(t, strings.HasPrefix(name, "With") && of[name] == effectUnknown, name)
	}
}

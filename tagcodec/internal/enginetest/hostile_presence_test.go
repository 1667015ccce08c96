package enginetest

import (
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

type (
	optionals struct {
		Label  [8]byte     `bp:"cstring,optional"`
		List   chainedList `bp:"optional"`
		Convoy convoy      `bp:"optional"`
	}
	guarded struct {
		On   bool
		Is   uint8 `bp:"if=On==true"`
		Also uint8 `bp:"if=On&1"`
	}
	guards struct {
		All   [3]guarded `bp:"subset=bitmap,by=On"`
		Flag  bool       `bp:"optional"`
		Count int8       `bp:"int,min=3,max=9,optional"`
		Set   uint8      `bp:"if=Flag==true"`
		None  uint8      `bp:"if=Count==0"`
	}
	noElements struct {
		Before uint8
		None   [0]struct{ X int64 }
		After  uint8
	}
)

// Optional values are omitted if and only if they read as zero.
func TestOptionalZero(t *testing.T) {
	rows := []struct {
		name   string
		value  optionals
		length int
		back   optionals
	}{
		{"zeros", optionals{}, 1, optionals{}},
		{"bytes after the end of a text are not its value", optionals{Label: [8]byte{0, 'x'}}, 1, optionals{}},
		{"a recursive value has its fields", optionals{List: chainedList{ID: 1}}, 2, optionals{List: chainedList{ID: 1}}},
		{"and its pointers", optionals{List: chainedList{Next: &chainedList{}}}, 3, optionals{List: chainedList{Next: &chainedList{}}}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			data, err := tagcodec.Marshal(row.value)
			require.NoError(t, err)
			require.Len(t, data, row.length)
			var v optionals
			require.NoError(t, tagcodec.Unmarshal(data, &v))
			require.Equal(t, row.back, v)
		})
	}
}

// A link to an unknown object reads as nil, but its optional value was sent.
func TestOptionalLinkUnresolved(t *testing.T) {
	sender := tagcodec.MustFor[optionals](tagcodec.WithLinker(&harbour{}))
	data, err := sender.Append(nil, &optionals{Convoy: convoy{Lead: fleet[3]}})
	require.NoError(t, err)
	context := tagcodec.NewLinkingContext()
	var v optionals
	require.NoError(t, tagcodec.MustFor[optionals](tagcodec.WithLinker(context)).Unmarshal(data, &v))
	require.Nil(t, v.Convoy.Lead)
	require.Len(t, context.Waiting(), 1)
	require.NoError(t, context.Add(3, fleet[3]))
	require.Same(t, fleet[3], v.Convoy.Lead)
}

// Conditions may refer to a field that has no op of its own, or whose op
// follows a prefix op.
func TestConditionsOnPresence(t *testing.T) {
	value := guards{All: [3]guarded{1: {true, 3, 4}}, Flag: true, Set: 5, None: 6}
	data, err := tagcodec.Marshal(value)
	require.NoError(t, err)
	var v guards
	require.NoError(t, tagcodec.Unmarshal(data, &v))
	require.Equal(t, value, v)
}

func TestArrayWithoutElements(t *testing.T) {
	data, err := tagcodec.Marshal(noElements{Before: 1, After: 2})
	require.NoError(t, err)
	require.Equal(t, []byte{1, 2}, data)
	v := noElements{}
	require.NoError(t, tagcodec.Unmarshal([]byte{3, 4}, &v))
	require.Equal(t, noElements{Before: 3, After: 4}, v)
}

// A type has no plan if the two sides could disagree about it.
func TestRefusedTypes(t *testing.T) {
	type numbered struct {
		On bool
		ID uint16 `bp:"relative,chain"`
	}
	type uneven struct {
		X float32 `bp:"float,min=0,max=2,bits=8"`
		Y float32 `bp:"float,min=0,max=2,bits=16"`
		Z float32 `bp:"float,min=0,max=2,bits=8"`
	}
	type stretched struct {
		Translation [3]float32
		Rotation    [4]float32 `bp:"quat,bits=9"`
		Scale       uneven
	}
	_, err := tagcodec.For[struct {
		All [4]numbered `bp:"subset=index,by=On"`
	}]()
	require.ErrorContains(t, err, "numbered.ID: chain is for", "the element before may be absent, and only the writer has it")
	_, err = tagcodec.For[struct {
		At stretched `bp:"affine"`
	}]()
	require.ErrorContains(t, err, "the same tag", "one scale may stand for all")
}

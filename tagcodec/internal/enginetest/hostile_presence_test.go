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

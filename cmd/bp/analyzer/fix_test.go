package analyzer

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFixTag has tags with a mistake and what vet writes in place of each.
func TestFixTag(t *testing.T) {
	number, list := reflect.TypeFor[int32](), reflect.TypeFor[[]int32]()
	for _, tt := range []struct {
		typ       reflect.Type
		tag, want string // the whole tag, or "" if it stays
	}{
		{number, `bp:"int,min=0,mx=3"`, `bp:"int,min=0,max=3"`},
		{list, `json:"mx" bp:"maxlen=3,elem.mx=mx,mx=3"`, `json:"mx" bp:"maxlen=3,elem.max=mx,mx=3"`},
		{list, `bp:"mx=3,elem.mx=3"`, `bp:"max=3,elem.mx=3"`},
		{number, `bp:"min=0, max=3"`, `bp:"min=0,max=3"`},
		{number, `bp:"min:0,max=3"`, `bp:"min=0,max=3"`},
		{number, `bp:"imt,min=0"`, `bp:"int,min=0"`},
		{number, `bp:"chian"`, `bp:"chain"`},
		{list, `bp:"maxlen=3,elem.kind=imt"`, `bp:"maxlen=3,elem.kind=int"`},
		{number, `bp:"uint,bits=4"`, `bp:"int,bits=4"`},
		{number, `bp:"if=!Onn"`, `bp:"if=!On"`},
		{number, `bp:"relative,to=One,if=Onne&3"`, `bp:"relative,to=One,if=One&3"`},
		{number, `bp:"if=From"`, ""},
		{number, `bp:"pred=vel:Velocty"`, `bp:"pred=vel:Velocity"`},
		{reflect.TypeFor[[3]struct{ Alive bool }](), `bp:"subset=index,by=alive"`, `bp:"subset=index,by=Alive"`},
		{number, `pb:"max=3"`, ""},
		{number, `json:"BP" BP:"max=3"`, `json:"BP" bp:"max=3"`},
		{number, `bp: "max=3"`, `bp:"max=3"`},
		{number, `json:"a" Bp : "max=3"`, `json:"a" bp:"max=3"`},
		{number, `json:"a,b",bp:"max=3"`, `json:"a,b" bp:"max=3"`},
		{number, `json:"a" bp : "max=3"`, `json:"a" bp:"max=3"`},
		{number, `bp:max=3`, ""},
		{number, `bp:"max=3"`, ""},
	} {
		e := refusal(tt.typ, tt.tag)
		require.NotNil(t, e, tt.tag)
		got, does := fixTag(tt.tag, e)
		if tt.want == "" {
			require.Equal(t, tt.tag, got, e)
			continue
		}
		require.Equal(t, tt.want, got, e)
		require.NotEmpty(t, does)
	}
}

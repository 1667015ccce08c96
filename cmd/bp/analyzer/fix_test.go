package analyzer

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFixTag(t *testing.T) {
	for _, tt := range []struct{ tag, msg, want string }{
		{`bp:"int,min=0,mx=3"`, `option "mx" is not known; did you mean "max"?`, `bp:"int,min=0,max=3"`},
		{`json:"mx" bp:"elem.mx=mx,mx=3"`, `option "elem.mx" is not known; did you mean "elem.max"?`, `json:"mx" bp:"elem.max=mx,mx=3"`},
		{`bp:"elem.mx=3,mx=3"`, `option "mx" is not known; did you mean "max"?`, `bp:"elem.mx=3,max=3"`},
		{`bp:"min=0, max=3"`, `option " max" is not known; did you mean "max"?`, `bp:"min=0,max=3"`},
		{`bp:"imt,min=0"`, `kind "imt" is not known; did you mean "int"?`, `bp:"int,min=0"`},
		{`bp:"chian"`, `kind "chian" is not known; did you mean "chain"?`, `bp:"chain"`},
		{`bp:"maxlen=3,elem.kind=imt"`, `kind "imt" is not known; did you mean "int"?`, `bp:"maxlen=3,elem.kind=int"`},
		{`bp:"if=!Onn"`, `option "if" refers to "Onn", which is not an earlier field; did you mean "On"?`, `bp:"if=!On"`},
		{`bp:"to=Onne,if=Onne&3"`, `option "if" refers to "Onne", which is not an earlier field; did you mean "One"?`, `bp:"to=Onne,if=One&3"`},
		{`bp:"if=From"`, `option "if" refers to "From", which is not an earlier field; did you mean "Form"?`, `bp:"if=From"`},
		{`pb:"max=3"`, "the key \"pb\" is nearly bp, and would be ignored: write it as `bp:\"max=3\"`, or rename it", `pb:"max=3"`},
		{`bp:"subset=index,by=alive"`, `option "by" names alive, which is no exported bool field of p.Health; did you mean "Alive"?`, `bp:"subset=index,by=Alive"`},
		{`bp:"pred=vel:Velocty"`, `option "pred" names the velocity "Velocty", which is not a field of the same struct; did you mean "Velocity"?`, `bp:"pred=vel:Velocity"`},
		{`json:"BP" BP:"max=3"`, "the key \"BP\" is nearly bp, and would be ignored: write it as `bp:\"max=3\"`, or rename it", `json:"BP" bp:"max=3"`},
		{`bp: "max=3"`, "bad syntax for struct tag value in `bp: \"max=3\"`: remove the space after the colon, as in `bp:\"int,min=0,max=32\"`", `bp:"max=3"`},
		{`json:"a" Bp : "max=3"`, "bad syntax for struct tag pair in", `json:"a" bp:"max=3"`},
		{`json:"a,b",bp:"max=3"`, "the key \",bp\" in `json:\"a,b\",bp:\"max=3\"` is not bp: separate tags by spaces alone", `json:"a,b" bp:"max=3"`},
		{`json:"a" bp : "max=3"`, "bad syntax for struct tag key in", `json:"a" bp:"max=3"`},
		{`bp:max=3`, "bad syntax for struct tag value in", `bp:max=3`},
		{`bp:"max=3"`, "max is given without min: add min=", `bp:"max=3"`},
		{`bp:"max=3"`, `option "mx" is not known; did you mean "max"?`, `bp:"max=3"`},
	} {
		got, does := fixTag(tt.tag, tt.msg)
		require.Equal(t, tt.want, got, tt.msg)
		if got != tt.tag {
			require.NotEmpty(t, does)
		}
	}
}

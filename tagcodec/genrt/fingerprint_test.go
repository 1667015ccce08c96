package genrt_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFingerprintOfTags compares types that differ in one tag, or in the order or
// the types of fields. Their names and paths are equal. Code for one of them would
// be wrong for the other.
func TestFingerprintOfTags(t *testing.T) {
	pairs := map[string][2]string{
		"relative base": {
			func() string {
				type T struct {
					A int32 `bp:"relative,base=0"`
				}
				return fingerprint[T](t)
			}(),
			func() string {
				type T struct {
					A int32 `bp:"relative,base=5"`
				}
				return fingerprint[T](t)
			}(),
		},
		"relative to": {
			func() string {
				type T struct {
					A, B int32
					C    int32 `bp:"relative,to=A"`
				}
				return fingerprint[T](t)
			}(),
			func() string {
				type T struct {
					A, B int32
					C    int32 `bp:"relative,to=B"`
				}
				return fingerprint[T](t)
			}(),
		},
		"bounds of one width": {
			func() string {
				type T struct {
					A int32 `bp:"int,min=0,max=100"`
				}
				return fingerprint[T](t)
			}(),
			func() string {
				type T struct {
					A int32 `bp:"int,min=1,max=101"`
				}
				return fingerprint[T](t)
			}(),
		},
		"steps of one width": {
			func() string {
				type T struct {
					A float32 `bp:"float,min=0,max=1,res=0.01"`
				}
				return fingerprint[T](t)
			}(),
			func() string {
				type T struct {
					A float32 `bp:"float,min=0,max=2,res=0.02"`
				}
				return fingerprint[T](t)
			}(),
		},
		"period": {
			func() string {
				type T struct {
					A float32 `bp:"angle,bits=8"`
				}
				return fingerprint[T](t)
			}(),
			func() string {
				type T struct {
					A float32 `bp:"angle,bits=8,unit=deg"`
				}
				return fingerprint[T](t)
			}(),
		},
		"condition": {
			func() string {
				type T struct {
					A, B bool
					C    int32 `bp:"if=A"`
				}
				return fingerprint[T](t)
			}(),
			func() string {
				type T struct {
					A, B bool
					C    int32 `bp:"if=B"`
				}
				return fingerprint[T](t)
			}(),
		},
		"negated condition": {
			func() string {
				type T struct {
					A bool
					C int32 `bp:"if=A"`
				}
				return fingerprint[T](t)
			}(),
			func() string {
				type T struct {
					A bool
					C int32 `bp:"if=!A"`
				}
				return fingerprint[T](t)
			}(),
		},
		"listed values": {
			func() string {
				type T struct {
					A int32 `bp:"int,min=0,max=100,common=1|2"`
				}
				return fingerprint[T](t)
			}(),
			func() string {
				type T struct {
					A int32 `bp:"int,min=0,max=100,common=1|3"`
				}
				return fingerprint[T](t)
			}(),
		},
		"length of one width": {
			func() string {
				type T struct {
					A string `bp:"maxlen=9"`
				}
				return fingerprint[T](t)
			}(),
			func() string {
				type T struct {
					A string `bp:"maxlen=10"`
				}
				return fingerprint[T](t)
			}(),
		},
		"order of fields": {
			func() string { type T struct{ A, B uint8 }; return fingerprint[T](t) }(),
			func() string { type T struct{ B, A uint8 }; return fingerprint[T](t) }(),
		},
		"type of a field": {
			func() string {
				type T struct {
					A uint8 `bp:"int,min=0,max=7"`
				}
				return fingerprint[T](t)
			}(),
			func() string {
				type T struct {
					A uint16 `bp:"int,min=0,max=7"`
				}
				return fingerprint[T](t)
			}(),
		},
	}
	for name, pair := range pairs {
		require.NotEqual(t, pair[0], pair[1], name)
	}
}

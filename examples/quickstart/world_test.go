package main

import (
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
)

// TestWorldText checks that other programs can read the text formats.
func TestWorldText(t *testing.T) {
	asXML, err := worldXML(exampleWorld())
	require.NoError(t, err)
	var update struct {
		Objects []struct {
			ID         int `xml:"id,attr"`
			Properties []struct {
				Name  string `xml:"name,attr"`
				Value string `xml:"value,attr"`
			} `xml:"property"`
		} `xml:"object"`
	}
	require.NoError(t, xml.Unmarshal(asXML, &update))
	require.Len(t, update.Objects, 3)
	require.Equal(t, "orientation", update.Objects[0].Properties[1].Name)
	require.Equal(t, "(1,0,0,0)", update.Objects[0].Properties[1].Value)

	asJSON, err := worldJSON(exampleWorld())
	require.NoError(t, err)
	require.True(t, json.Valid(asJSON))
	require.Contains(t, string(asJSON), `"110":{"ammo_in_clip":8,"class":"weapon","round_in_chamber":true,"type":"semi-automatic"}`)

	require.Equal(t, "0\n1:0,0,0,0,1,0,0,0,10,0,0,100,110\n100:1,100,100,0,10\n110:2,1,8,1\n", worldText(exampleWorld()))
}

// TestSchema checks that the schema tells everything that the arrays leave out:
// the names can be put back. The schema itself can be sent as JSON.
func TestSchema(t *testing.T) {
	text, err := json.Marshal(worldSchema)
	require.NoError(t, err)
	var received schema
	require.NoError(t, json.Unmarshal(text, &received))
	require.Equal(t, worldSchema, received)
	require.Contains(t, string(text), `{"name":"type","type":"enum","enum_values":["revolver","semi-automatic"]},{"name":"ammo_in_clip","type":"int","range":"0..9"}`)

	for name, world := range map[string]World{"of the articles": exampleWorld(), "moving": movingWorld()} {
		t.Run(name, func(t *testing.T) {
			arrays, err := worldArrays(world)
			require.NoError(t, err)
			var update struct {
				Time    float32          `json:"world_time"`
				Objects map[string][]any `json:"objects"`
			}
			require.NoError(t, json.Unmarshal(arrays, &update))
			named := map[string]any{}
			for id, values := range update.Objects {
				named[id] = received.named(t, values)
			}
			got, err := json.Marshal(map[string]any{"world_time": update.Time, "objects": named})
			require.NoError(t, err)
			want, err := worldJSON(world)
			require.NoError(t, err)
			require.JSONEq(t, string(want), string(got))
		})
	}
	arrays, err := worldArrays(exampleWorld())
	require.NoError(t, err)
	require.Equal(t, `{"objects":{"1":[0,"(0,0,0)","(1,0,0,0)","(10,0,0)",100,110],"100":[1,"(100,100,0)",10],"110":[2,1,8,1]},"world_time":0}`, string(arrays))
}

// named returns an object of the values, with the names of the schema.
func (s *schema) named(t *testing.T, values []any) map[string]any {
	c := s.Classes[int(values[0].(float64))]
	require.Len(t, values, 1+len(c.Properties))
	object := map[string]any{"class": c.Name}
	for i, v := range values[1:] {
		p := c.Properties[i]
		switch {
		case p.Type == "enum":
			v = p.Enum[int(v.(float64))]
		case p.Range == "0..1":
			v = v == 1.0
		}
		object[p.Name] = v
	}
	return object
}

// TestWorldPacked checks that the two binary formats hold the same objects. The
// bytes of the bits are those of the tags.
func TestWorldPacked(t *testing.T) {
	whole, err := worldBinary(exampleWorld())
	require.NoError(t, err)
	require.Equal(t, "00000000"+"0300"+
		"01000000"+"00"+"000000000000000000000000"+"0000803f000000000000000000000000"+"000020410000000000000000"+"64"+"6e000000"+
		"64000000"+"01"+"0000c8420000c84200000000"+"0a"+
		"6e000000"+"02"+"01"+"08"+"01", hex.EncodeToString(whole))

	for name, world := range map[string]World{"of the articles": exampleWorld(), "moving": movingWorld()} {
		t.Run(name, func(t *testing.T) {
			packed, err := tagcodec.Marshal(&world)
			require.NoError(t, err)
			var read World
			require.NoError(t, worlds.Unmarshal(packed, &read))
			require.Len(t, read.Objects, 3)
			require.Equal(t, world.Time, read.Time)
			require.Equal(t, world.Objects[0].Player.Health, read.Objects[0].Player.Health)
			require.InDelta(t, world.Objects[1].Grunt.Position.X, read.Objects[1].Grunt.Position.X, 0.006)
			require.Equal(t, world.Objects[2], read.Objects[2])
		})
	}
}

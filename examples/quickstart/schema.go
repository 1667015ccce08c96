package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// schema describes the objects of a world. It is sent once, so that the
// messages need not describe them. Classes and properties are numbered by their
// position.
type schema struct {
	Classes []class `json:"classes"`
}

// class is a class of objects.
type class struct {
	Name       string         `json:"name"`
	Properties []propertyType `json:"properties"`
}

// propertyType describes the values of a property.
type propertyType struct {
	Name  string   `json:"name"`
	Type  string   `json:"type"`
	Range string   `json:"range,omitempty"`
	Enum  []string `json:"enum_values,omitempty"`
}

// worldSchema describes a [World]. Its classes are numbered as [Class].
var worldSchema = schema{[]class{
	{"player", []propertyType{
		{Name: "position", Type: "vec3f"},
		{Name: "orientation", Type: "quat4f"},
		{Name: "velocity", Type: "vec3f"},
		{Name: "health", Type: "int", Range: "0..100"},
		{Name: "weapon", Type: "object"},
	}},
	{"grunt", []propertyType{
		{Name: "position", Type: "vec3f"},
		{Name: "health", Type: "int", Range: "0..100"},
	}},
	{"weapon", []propertyType{
		{Name: "type", Type: "enum", Enum: []string{"revolver", "semi-automatic"}},
		{Name: "ammo_in_clip", Type: "int", Range: "0..9"},
		{Name: "round_in_chamber", Type: "int", Range: "0..1"},
	}},
}}

// encode returns a value in the form that it has relative to the schema: the
// name of an enum becomes its number, and a bool becomes 0 or 1.
func (p *propertyType) encode(value any) any {
	switch {
	case p.Type == "enum":
		return slices.Index(p.Enum, value.(string))
	case value == false:
		return 0
	case value == true:
		return 1
	}
	return value
}

// relative returns the number of an object's class and the values of its
// properties, without their names.
func (s *schema) relative(o *Object) []any {
	values := []any{uint8(o.Class)}
	for i, p := range o.properties() {
		values = append(values, s.Classes[o.Class].Properties[i].encode(p.Value))
	}
	return values
}

// worldArrays returns a world in JSON, with an array for each object.
func worldArrays(world World) ([]byte, error) {
	objects := map[uint32][]any{}
	for _, o := range world.Objects {
		objects[o.ID] = worldSchema.relative(&o)
	}
	return json.Marshal(map[string]any{"world_time": world.Time, "objects": objects})
}

// worldText returns the same values with a line for each object, and little
// else. It is the smallest text format in the articles.
func worldText(world World) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%v\n", world.Time)
	for _, o := range world.Objects {
		fmt.Fprintf(&s, "%d:", o.ID)
		for i, v := range worldSchema.relative(&o) {
			if i > 0 {
				s.WriteByte(',')
			}
			s.WriteString(strings.Trim(fmt.Sprint(v), "()"))
		}
		s.WriteByte('\n')
	}
	return s.String()
}

// worldBinary returns the same values in whole bytes, as many as the Go types
// have.
func worldBinary(world World) ([]byte, error) {
	fields := []any{world.Time, uint16(len(world.Objects))}
	for _, o := range world.Objects {
		fields = append(fields, o.ID, o.Class)
		switch o.Class {
		case ClassPlayer:
			fields = append(fields, &o.Player)
		case ClassGrunt:
			fields = append(fields, &o.Grunt)
		case ClassWeapon:
			fields = append(fields, &o.Weapon)
		}
	}
	return wholeBytes(fields...)
}

// printSchema prints the schema of a world, with a line for each class.
func printSchema(w io.Writer) error {
	text, err := json.Marshal(worldSchema)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nITS SCHEMA, %d bytes of JSON that are sent once\n\n", len(text))
	for i, c := range worldSchema.Classes {
		var properties []string
		for _, p := range c.Properties {
			properties = append(properties, strings.TrimSpace(p.Name+" "+p.Type+" "+p.Range+strings.Join(p.Enum, "|")))
		}
		fmt.Fprintf(w, "  %d %-7s %s\n", i, c.Name, strings.Join(properties, ", "))
	}
	hash := worlds.Hash()
	fmt.Fprintf(w, "\n  The schema of bitpack is the tags. The two sides compare its hash, which begins with %x.\n", hash[:4])
	return nil
}

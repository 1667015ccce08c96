package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/gobitpack/bitpack/tagcodec"
)

// World is the world update at the start of the articles: first XML, then
// smaller and smaller formats.
type World struct {
	Time    float32
	Objects []Object `bp:"maxlen=4095"`
}

// Object is an object of the world. Its class determines which of the structs
// is sent. The others are zero after a read.
type Object struct {
	ID     uint32       `bp:"relative,chain"` // ascending, coded as the difference from the previous ID
	Class  Class        `bp:"enum,max=2"`
	Player PlayerObject `bp:"if=Class==0"`
	Grunt  GruntObject  `bp:"if=Class==1"`
	Weapon WeaponObject `bp:"if=Class==2"`
}

// Class is the class of an object.
type Class uint8

// The classes. The tags of [Object] compare with these numbers.
const (
	ClassPlayer Class = iota
	ClassGrunt
	ClassWeapon
)

func (c Class) String() string { return [...]string{"player", "grunt", "weapon"}[c] }

// Vec3 has no tags. The field that contains it supplies them.
type Vec3 struct{ X, Y, Z float32 }

// PlayerObject is an object of ClassPlayer.
type PlayerObject struct {
	Position    Vec3       `bp:"float,min=-1024,max=1024,res=0.01"`
	Orientation [4]float32 `bp:"float,min=-1,max=1,res=0.001"` // w, x, y, z
	Velocity    Vec3       `bp:"float,min=-32,max=32,res=0.1"`
	Health      uint8      `bp:"int,min=0,max=100"`
	Weapon      uint32     `bp:"int,min=0,max=4095"` // the ID of an object
}

// GruntObject is an object of ClassGrunt.
type GruntObject struct {
	Position Vec3  `bp:"float,min=-1024,max=1024,res=0.01"`
	Health   uint8 `bp:"int,min=0,max=100"`
}

// WeaponObject is an object of ClassWeapon.
type WeaponObject struct {
	Type           WeaponType `bp:"enum,max=1"`
	AmmoInClip     uint8      `bp:"int,min=0,max=9"`
	RoundInChamber bool
}

// WeaponType is the type of a weapon.
type WeaponType uint8

// The types of weapons.
const (
	Revolver WeaponType = iota
	SemiAutomatic
)

func (t WeaponType) String() string { return [...]string{"revolver", "semi-automatic"}[t] }

// worlds is the codec of a World.
var worlds = tagcodec.MustFor[World]()

// exampleWorld returns the world of the articles, in which most numbers are
// small and round.
func exampleWorld() World {
	return World{Objects: []Object{
		{ID: 1, Class: ClassPlayer, Player: PlayerObject{
			Orientation: [4]float32{1, 0, 0, 0}, Velocity: Vec3{X: 10}, Health: 100, Weapon: 110}},
		{ID: 100, Class: ClassGrunt, Grunt: GruntObject{Position: Vec3{X: 100, Y: 100}, Health: 10}},
		{ID: 110, Class: ClassWeapon, Weapon: WeaponObject{
			Type: SemiAutomatic, AmmoInClip: 8, RoundInChamber: true}},
	}}
}

// movingWorld returns the same objects some time later, with numbers as a game
// has them.
func movingWorld() World {
	return World{Time: 83.25, Objects: []Object{
		{ID: 1, Class: ClassPlayer, Player: PlayerObject{
			Position: Vec3{312.45, -27.08, 1.72}, Orientation: [4]float32{0.924, 0, 0, 0.383},
			Velocity: Vec3{4.2, -1.5, 0.3}, Health: 87, Weapon: 110}},
		{ID: 100, Class: ClassGrunt, Grunt: GruntObject{Position: Vec3{118.02, 95.31, 0.75}, Health: 10}},
		{ID: 110, Class: ClassWeapon, Weapon: WeaponObject{
			Type: SemiAutomatic, AmmoInClip: 7, RoundInChamber: true}},
	}}
}

// worldSizes returns the sizes in bytes of each world in the formats of the
// articles.
func worldSizes(worlds ...World) ([]row, error) {
	return sizesOf([]format[World]{
		{"XML", lengthOf(worldXML)},
		{"JSON", lengthOf(worldJSON)},
		{"JSON, arrays relative to a schema", lengthOf(worldArrays)},
		{"text relative to it, a line an object", func(world *World) (int, error) { return len(worldText(*world)), nil }},
		{"encoding/binary, whole bytes", lengthOf(worldBinary)},
		{"bitpack", worldCodecSize},
	}, worlds)
}

func worldCodecSize(world *World) (int, error) { return worlds.Size(world) }

// lengthOf returns a function that returns the length of a world's encoding.
func lengthOf(encode func(World) ([]byte, error)) func(*World) (int, error) {
	return func(world *World) (int, error) {
		data, err := encode(*world)
		return len(data), err
	}
}

// property is a named value of an object, for the text formats.
type property struct {
	Name  string `xml:"name,attr"`
	Value any    `xml:"value,attr"`
}

// properties returns the properties of an object.
func (o *Object) properties() []property {
	switch o.Class {
	case ClassPlayer:
		return []property{
			{"position", tuple(o.Player.Position.X, o.Player.Position.Y, o.Player.Position.Z)},
			{"orientation", tuple(o.Player.Orientation[:]...)},
			{"velocity", tuple(o.Player.Velocity.X, o.Player.Velocity.Y, o.Player.Velocity.Z)},
			{"health", o.Player.Health},
			{"weapon", o.Player.Weapon},
		}
	case ClassGrunt:
		return []property{
			{"position", tuple(o.Grunt.Position.X, o.Grunt.Position.Y, o.Grunt.Position.Z)},
			{"health", o.Grunt.Health},
		}
	}
	return []property{
		{"type", o.Weapon.Type.String()},
		{"ammo_in_clip", o.Weapon.AmmoInClip},
		{"round_in_chamber", o.Weapon.RoundInChamber},
	}
}

// tuple formats numbers as text, for example (100,100,0).
func tuple(values ...float32) string {
	return "(" + strings.ReplaceAll(strings.Trim(fmt.Sprint(values), "[]"), " ", ",") + ")"
}

func worldXML(world World) ([]byte, error) {
	type object struct {
		ID         uint32     `xml:"id,attr"`
		Class      string     `xml:"class,attr"`
		Properties []property `xml:"property"`
	}
	update := struct {
		XMLName xml.Name `xml:"world_update"`
		Time    float32  `xml:"world_time,attr"`
		Objects []object `xml:"object"`
	}{Time: world.Time}
	for _, o := range world.Objects {
		update.Objects = append(update.Objects, object{o.ID, o.Class.String(), o.properties()})
	}
	return xml.Marshal(update)
}

func worldJSON(world World) ([]byte, error) {
	objects := map[uint32]map[string]any{}
	for _, o := range world.Objects {
		objects[o.ID] = map[string]any{"class": o.Class.String()}
		for _, p := range o.properties() {
			objects[o.ID][p.Name] = p.Value
		}
	}
	return json.Marshal(map[string]any{"world_time": world.Time, "objects": objects})
}

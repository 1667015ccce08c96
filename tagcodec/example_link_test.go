package tagcodec_test

import (
	"fmt"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// Two cats share a home base. Their messages contain its id. The reader gets
// one shared home base, whichever of the three messages arrives first.
func ExampleLinkingContext() {
	type HomeBase struct{ Fish uint8 }
	type Cat struct {
		Lives uint8     `bp:"int,min=0,max=9"`
		Home  *HomeBase `bp:"link,bits=12"`
	}
	codec := tagcodec.MustFor[Cat]()

	server, base := tagcodec.NewLinkingContext(), &HomeBase{Fish: 3}
	if err := server.Add(700, base); err != nil {
		fmt.Println(err)
	}
	sender := codec.With(tagcodec.WithLinker(server))
	tom, err := sender.Append(nil, &Cat{9, base})
	tux, err2 := sender.Append(nil, &Cat{7, base})
	fmt.Printf("% x, % x %v %v\n", tom, tux, err, err2)

	client := tagcodec.NewLinkingContext()
	receiver := codec.With(tagcodec.WithLinker(client))
	var first, second Cat
	fmt.Println(receiver.Unmarshal(tom, &first), first.Home)
	for _, p := range client.Waiting() {
		fmt.Println("waiting for", p.ID, "in", p.Path)
	}
	fmt.Println(client.Add(700, &HomeBase{Fish: 3}), first.Home.Fish)
	fmt.Println(receiver.Unmarshal(tux, &second), first.Home == second.Home)

	// Output:
	// c9 2b, c7 2b <nil> <nil>
	// <nil> <nil>
	// waiting for 700 in Cat.Home
	// <nil> 3
	// <nil> true
}

// byNumber is a Linker for a list of planets. The id of a planet is its
// position in the list, starting at 1.
type byNumber struct {
	list    []*Planet
	patches []tagcodec.Patch
}

// Planet is an object with an id.
type Planet struct {
	Moons uint8
	Next  *Planet `bp:"link,bits=4"`
}

func (n *byNumber) ID(object any) (uint64, bool) {
	for i, p := range n.list {
		if p == object {
			return uint64(i + 1), true
		}
	}
	return 0, false
}

func (n *byNumber) Object(id uint64) (any, bool) {
	if id > uint64(len(n.list)) {
		return nil, false
	}
	return n.list[id-1], true
}

func (n *byNumber) Unresolved(p tagcodec.Patch) { n.patches = append(n.patches, p) }

// A program with its own ids can implement Linker.
func ExampleLinker() {
	codec := tagcodec.MustFor[Planet]()
	var there byNumber
	var earth Planet
	err := codec.With(tagcodec.WithLinker(&there)).Unmarshal([]byte{1, 2}, &earth)
	fmt.Println(earth, len(there.patches), err)

	mars := &Planet{Moons: 2}
	there.list = append(there.list, &earth, mars)
	for _, p := range there.patches {
		object, ok := there.Object(p.ID)
		fmt.Println(p.Path, ok, p.Set(object))
	}
	fmt.Println(earth.Next == mars)

	// Output:
	// {1 <nil>} 1 <nil>
	// Planet.Next true <nil>
	// true
}

// Vessel links to its captain and its crew in a Serialize method.
type Vessel struct {
	Captain *Sailor
	Crew    []*Sailor
}

type Sailor struct{ Name string }

func (v *Vessel) Serialize(s *bits.Stream) error {
	tagcodec.Field(s, &v.Captain, "link,bits=10")
	tagcodec.Field(s, &v.Crew, "link,bits=10,maxlen=31")
	return s.Err()
}

// The Linker of the codec knows the ids, for links in a Serialize method too.
func ExampleField_link() {
	ann, bob := &Sailor{"Ann"}, &Sailor{"Bob"}
	objects := tagcodec.NewLinkingContext()
	for id, sailor := range []*Sailor{1: ann, 2: bob} {
		if sailor != nil {
			if err := objects.Add(uint64(id), sailor); err != nil {
				fmt.Println(err)
			}
		}
	}
	ships := tagcodec.MustFor[Vessel](tagcodec.WithLinker(objects))
	data, err := ships.Append(nil, &Vessel{ann, []*Sailor{bob, ann}})
	fmt.Println(len(data), "bytes", err)

	var got Vessel
	err = ships.Unmarshal(data, &got)
	fmt.Println(got.Captain == ann, got.Crew[0] == bob, got.Crew[1] == ann, err)

	_, err = tagcodec.Marshal(&Vessel{Captain: ann})
	fmt.Println(err)

	// Output:
	// 5 bytes <nil>
	// true true true <nil>
	// tagcodec: marshal Vessel.Captain at bit 0: no such link: give the codec a Linker
}

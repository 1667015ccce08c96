// Scene sends some of the 4000 objects of the articles' scene in every mode of
// the subset tag, and prints how many bytes it takes to say which ones are
// sent.
package main

import (
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"

	"github.com/gobitpack/bitpack/tagcodec"
)

// Object is an object of the scene. It takes 80 bits.
type Object struct {
	Send        bool       // sent by the subset, not with the object
	Position    [3]float32 `bp:"float,min=-512,max=512,res=0.01"`
	Orientation [4]float32 `bp:"quat,bits=9"`
}

const objectBytes = 10

// Scene is the game's data. The other types differ only in their tags, so Go
// can convert pointers to them.
type (
	Scene  struct{ Objects [4000]Object }
	Bitmap struct {
		Objects [4000]Object `bp:"subset=bitmap,by=Send"`
	}
	Index struct {
		Objects [4000]Object `bp:"subset=index,by=Send"`
	}
	Sentinel struct {
		Objects [4000]Object `bp:"subset=sentinel,by=Send"`
	}
	Relative struct {
		Objects [4000]Object `bp:"subset=relative,by=Send"`
	}
	Auto struct {
		Objects [4000]Object `bp:"subset=auto,by=Send"`
	}
)

// modes lists the modes of the subset tag, each with its type conversion.
var modes = []struct {
	name string
	as   func(*Scene) any
}{
	{"bitmap", func(s *Scene) any { return (*Bitmap)(s) }},
	{"index", func(s *Scene) any { return (*Index)(s) }},
	{"sentinel", func(s *Scene) any { return (*Sentinel)(s) }},
	{"relative", func(s *Scene) any { return (*Relative)(s) }},
	{"auto", func(s *Scene) any { return (*Auto)(s) }},
}

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer) error {
	fmt.Fprintf(w, "4000 OBJECTS: the bytes that say which of them a packet holds,\nbeside the %d bytes that each takes itself\n", objectBytes)
	for _, layout := range []struct {
		name string
		pick func(*Scene, int)
	}{{"scattered over the scene", scatter}, {"20 neighbours at a time", cluster}} {
		fmt.Fprintf(w, "\n%-24s", layout.name)
		for _, mode := range modes {
			fmt.Fprintf(w, "%10s", mode.name)
		}
		for _, count := range []int{1, 2, 20, 200, 2000, 4000} {
			scene := newScene()
			layout.pick(scene, count)
			fmt.Fprintf(w, "\n%17d sent  ", count)
			for _, mode := range modes {
				size, err := indexBytes(scene, count, mode.as)
				if err != nil {
					return err
				}
				fmt.Fprintf(w, "%10d", size)
			}
		}
		fmt.Fprintln(w)
	}
	return nil
}

// indexBytes returns the size of the scene's packet without its objects. It
// checks that reading the packet restores the objects sent and no others.
func indexBytes(scene *Scene, count int, as func(*Scene) any) (int, error) {
	packet, err := tagcodec.Marshal(as(scene))
	if err != nil {
		return 0, err
	}
	read := newScene() // initially holds other objects
	if err := tagcodec.Unmarshal(packet, as(read)); err != nil {
		return 0, err
	}
	for i := range scene.Objects {
		if read.Objects[i].Send != scene.Objects[i].Send {
			return 0, fmt.Errorf("object %d is lost or was never sent", i)
		}
	}
	return len(packet) - objectBytes*count, nil
}

// newScene returns a scene with no objects to send.
func newScene() *Scene {
	scene := new(Scene)
	for i := range scene.Objects {
		scene.Objects[i] = Object{Position: [3]float32{float32(i%64) - 32, 0, float32(i/64) - 32}, Orientation: [4]float32{0, 0, 0, 1}}
	}
	return scene
}

// scatter marks count random objects.
func scatter(scene *Scene, count int) {
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(len(scene.Objects))[:count] {
		scene.Objects[i].Send = true
	}
}

// cluster marks count objects in groups of 20 neighbours.
func cluster(scene *Scene, count int) {
	for _, group := range rand.New(rand.NewPCG(3, 4)).Perm(len(scene.Objects) / 20) {
		for i := 20 * group; i < 20*group+20 && count > 0; i++ {
			scene.Objects[i].Send = true
			count--
		}
	}
}

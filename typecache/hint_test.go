package typecache_test

import (
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

type moving struct {
	ID       uint32     `bp:"varint,key"`
	Position [3]float32 `bp:"float,min=-9,max=9,res=0.1,pred=vel:Velocity"`
	On       bool
	Spin     Vec3       `bp:"half,pred=lin,if=On"`
	Velocity [3]float32 `bp:"float,min=-9,max=9,res=0.1"`
	Tail     []uint8    `bp:"uint,bits=3,maxlen=4,step=auto,pred=hold"`
}

// TestHints checks which ops the hints of a plan cover.
func TestHints(t *testing.T) {
	view, err := typecache.Of(reflect.TypeFor[moving]())
	require.NoError(t, err)
	p := sealed.PlanOf(view)
	paths := func(h plan.Hint) (all []string) {
		for _, op := range p.Ops[h.First:h.End] {
			all = append(all, op.Code.String()+" "+p.Fields[op.Field].Path)
		}
		return all
	}
	require.Len(t, p.Hints, 4)
	require.Equal(t, []string{"Varint ID"}, paths(p.Hints[0]))
	require.True(t, p.Hints[0].Key)
	require.Equal(t, []string{"Float32 Position"}, paths(p.Hints[1]))
	require.Equal(t, plan.PredVel, p.Hints[1].Pred)
	require.Equal(t, "Velocity", p.Fields[p.Ops[p.Hints[1].Vel].Field].Path)
	require.Equal(t, []string{"If Spin", "Half Spin.X", "Half Spin.Y", "Half Spin.Z"}, paths(p.Hints[2]))
	require.Equal(t, plan.PredLin, p.Hints[2].Pred)
	require.Equal(t, []string{"Slice Tail", "Uint8 ", "Next "}, paths(p.Hints[3]))
	require.True(t, p.Hints[3].Step)
}

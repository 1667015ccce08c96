package plan

// Hint says how package delta treats the values of a field. The options pred,
// key and step set it. Hints change neither the wire nor the hash of a plan.
type Hint struct {
	First, End int32 // the ops of the field are Ops[First:End]
	Pred       Pred
	Vel        int32 // for PredVel, the first op of the velocity
	Key        bool  // the value identifies an element of a slice
	Step       bool  // the elements are sampled at ticks of their own
}

// Pred is how a value is predicted from those of earlier snapshots.
type Pred uint8

// The predictions.
const (
	PredHold Pred = iota // the value of the base
	PredLin              // continues the motion between earlier snapshots
	PredVel              // moves by a velocity, which is another field of the struct
)

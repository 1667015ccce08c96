package g1

type Kind uint8
type Player struct {
	Health int32      `bp:"int,min=0,max=100"`
	Pos    [3]float32 `bp:"float,min=-1024,max=1024,res=0.01"`
	AtRest bool
	Vel    [3]float32 `bp:"float,min=-32,max=32,res=0.1,if=!AtRest"`
	K Kind `bp:"int,min=0,max=5"`
	A,B,C uint64
	F float32
	G float64 `bp:"float,min=0,max=10,res=0.001"`
	Yaw float32 `bp:"angle,bits=12"`
	H float32 `bp:"half"`
	Opt int32 `bp:"int,min=-7,max=1000,optional"`
	Name string `bp:"string,maxlen=20"`
	Items []Item `bp:"maxlen=30"`
	Best *Item
	Arr [40]int16 `bp:"int,min=-5,max=5"`
	M map[string]int32 `bp:"maxlen=5,key.maxlen=8"`
	Raw [5]byte
}
type Item struct {
	ID uint16
	N int64 `bp:"int,min=0,max=12"`
	Sub []int32 `bp:"maxlen=9,elem.min=-1,elem.max=1"`
	V int `bp:"varint"`
}
type Ship struct {
	ID uint32
	X,Y,Z float32
	Team uint8 `bp:"int,min=0,max=3"`
	HP uint16 `bp:"int,min=0,max=1000"`
	On bool
}

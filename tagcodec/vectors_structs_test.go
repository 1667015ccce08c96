package tagcodec_test

import (
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/vectors"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// The game messages of the vectors as tagged structs.

type PacketA struct{ X, Y, Z uint32 }

type PacketB struct {
	Elements []uint32 `bp:"maxlen=32"`
}

// PacketC encodes its integers as offsets from the minimum, which differs from
// their untagged form.
type PacketC struct {
	X bool
	Y int16 `bp:"min=-32768,max=32767"`
	Z int32 `bp:"min=-2147483648,max=2147483647"`
}

type RigidBody struct {
	Position        [3]float32
	Orientation     [4]float32
	AtRest          bool
	LinearVelocity  [3]float32 `bp:"if=!AtRest"`
	AngularVelocity [3]float32 `bp:"if=!AtRest"`
}

type PlayerState struct {
	ClientIndex uint8      `bp:"min=0,max=63"`
	Position    [3]float32 `bp:"float,min=-1024,max=1024,res=0.01"`
	Orientation [4]float32 `bp:"float,min=-1,max=1,res=0.0001"`
	Health      int        `bp:"int,min=0,max=1000"`
	Alive       bool
	Name        string `bp:"maxlen=31"`
}

type Scene struct {
	Objects []struct {
		Type        int `bp:"enum,max=9"`
		ID          uint16
		Position    [3]float32 `bp:"float,min=-1024,max=1024,res=0.01"`
		HasVelocity bool
		Velocity    [3]float32 `bp:"float,min=-128,max=128,res=0.05,if=HasVelocity"`
	} `bp:"maxlen=64"`
}

type Stats struct {
	Strength int     `bp:"int,min=1,max=20"`
	Agility  uint8   `bp:"uint,min=1,max=20"`
	Stamina  float32 `bp:"float,min=0,max=100,res=0.5"`
}

type Enchantment struct {
	Kind  uint8 `bp:"uint,bits=5"`
	Power float32
}

type Character struct {
	Name      string `bp:"maxlen=23"`
	Level     int    `bp:"int,min=1,max=60"`
	Stats     Stats
	Inventory struct {
		Gold  int64 `bp:"int,min=0,max=1000000000000"`
		Items []struct {
			ID        uint16
			Quantity  int `bp:"int,min=1,max=99"`
			Enchanted bool
			Enchant   Enchantment `bp:"if=Enchanted"`
		} `bp:"maxlen=8"`
	}
	HasGuild bool
	GuildID  uint64 `bp:"if=HasGuild"`
}

type BenchPacket struct {
	Sequence    uint64
	Position    [3]float32 `bp:"float,min=-1024,max=1024,res=0.01"`
	Orientation [4]float32 `bp:"float,min=-1,max=1,res=0.0001"`
	Health      int        `bp:"int,min=0,max=1000"`
	Weapon      uint8      `bp:"uint,bits=4"`
	Ammo        [8]int     `bp:"int,min=0,max=200"`
	Firing      bool
	EventIDs    []uint32 `bp:"maxlen=16"`
	Payload     [64]byte `bp:"bytes"`
}

type EntityUpdates struct {
	Sequence uint16
	Entities []struct {
		ID       int32      `bp:"relative,chain,base=0"`
		Flags    uint8      `bp:"uint,bits=3"`
		Position [3]float32 `bp:"float,min=-512,max=512,res=0.02,if=Flags&1"`
		Health   int        `bp:"int,min=0,max=100,if=Flags&2"`
		Yaw      uint16     `bp:"uint,bits=9,if=Flags&4"`
	} `bp:"maxlen=32"`
}

type ConnectRequest struct {
	Protocol    uint32
	ClientID    uint64
	AddressType uint8     `bp:"enum,max=2"`
	Ipv4        [4]uint8  `bp:"if=AddressType==1"`
	Ipv6        [8]uint16 `bp:"if=AddressType==2"`
	Port        uint16
	Token       [16]byte `bp:"bytes"`
	UserData    []byte   `bp:"bytes,maxlen=64"`
	Encrypted   bool
}

type FixedState struct {
	Position [3]int64 `bp:"fixed,frac=16,min=-8192,max=8192"`
	Heading  int16    `bp:"fixed,frac=8,min=-100,max=100"`
	Health   int32    `bp:"fixed,frac=16,min=0,max=100"`
	EntityID bits.Uint128
	Galactic bits.Int128 `bp:"fixed,frac=16,min=-100000000000,max=100000000000"`
	Ledger   bits.Int128 `bp:"int,min=-1267650600228229401496703205376,max=1267650600228229401496703205376"`
	Tick     int64       `bp:"int,min=-1,max=4611686018427387904"`
}

type ChatMessage struct {
	Sender    string `bp:"wstring,maxlen=15"`
	Channel   string `bp:"string,maxlen=15"`
	Text      string `bp:"string,maxlen=127"`
	Timestamp float64
	Whisper   bool
	Target    string `bp:"wstring,maxlen=15,if=Whisper"`
	Color     [3]uint8
	_         struct{} `bp:"align"`
}

type Event struct {
	Kind   uint8   `bp:"enum,max=4"`
	Target uint16  `bp:"uint,bits=10,if=Kind==1"`
	Amount int16   `bp:"int,min=-500,max=500,if=Kind==1"`
	Time   float64 `bp:"if=Kind==2"`
	Note   string  `bp:"maxlen=19,if=Kind==3"`

	// The target after an align needs its own field.
	_             struct{} `bp:"align,if=Kind==4"`
	AlignedTarget uint16   `bp:"uint,bits=10,if=Kind==4"`
}

// EventStream has no count, but a bit before every event and after the last. No
// tag of a slice expresses this, so its type serializes itself.
type EventStream struct {
	Tick   uint32
	Events StreamedEvents
}

type StreamedEvents []struct {
	Kind   uint8
	Target uint16
	Amount int16
	Time   float64
	Note   string
}

const mostEvents = 12

func (p *StreamedEvents) Serialize(s *bits.Stream) error {
	if s.Reading() {
		*p = (*p)[:0]
	}
	for i := 0; ; i++ {
		more := i < len(*p)
		if s.Bool(&more); !more || s.Err() != nil {
			return s.Err()
		}
		if i == mostEvents {
			s.Fail(bits.ErrLength)
			return s.Err()
		}
		if s.Reading() {
			*p = append(*p, make(StreamedEvents, 1)...)
		}
		e := &(*p)[i]
		bits.Int(s, &e.Kind, 0, 4)
		switch e.Kind {
		case 1:
			bits.Bits(s, &e.Target, 10)
			bits.Int(s, &e.Amount, -500, 500)
		case 2:
			s.Float64(&e.Time)
		case 3:
			s.String(&e.Note, 19)
		case 4:
			s.Align()
			bits.Bits(s, &e.Target, 10)
		}
	}
}

// EventList is EventStream by tags alone. A non-nil pointer is one bit and its
// target, so a linked list has a bit before each element and after the last.
// The tags cannot limit its length, but WithMaxDepth can.
type EventList struct {
	Tick  uint32
	First *EventNode
}

type EventNode struct {
	Event
	Next *EventNode
}

func (l *EventList) fill(fields vectors.Value) {
	next := &l.First
	for _, event := range fields.Get("events").List() {
		*next = new(EventNode)
		e := &(*next).Event
		event.Fill(e, false)
		if e.Kind == 4 {
			e.Target, e.AlignedTarget = 0, e.Target
		}
		next = &(*next).Next
	}
}

// vectorStructs lists the types for each game message.
var vectorStructs = map[string][]func(*testing.T, *vectors.Struct){
	"PacketA":        {testVectorStruct[PacketA]()},
	"PacketB":        {testVectorStruct[PacketB]()},
	"PacketC":        {testVectorStruct[PacketC]()},
	"RigidBody":      {testVectorStruct[RigidBody]()},
	"PlayerState":    {testVectorStruct[PlayerState]()},
	"Scene":          {testVectorStruct[Scene]()},
	"Character":      {testVectorStruct[Character]()},
	"BenchPacket":    {testVectorStruct[BenchPacket]()},
	"EntityUpdates":  {testVectorStruct[EntityUpdates]()},
	"ConnectRequest": {testVectorStruct[ConnectRequest]()},
	"FixedState":     {testVectorStruct[FixedState]()},
	"ChatMessage":    {testVectorStruct[ChatMessage]()},
	"EventStream":    {testVectorStruct[EventStream](), testVectorStruct[EventList](tagcodec.WithMaxDepth(mostEvents))},
}

// Every game message must have the same bytes as in the other implementations,
// and decode to the same value bit for bit.
func TestVectorStructs(t *testing.T) {
	vectors.Each(t, func(t *testing.T, set *vectors.Set) {
		tested := 0
		for i := range set.Structs {
			st := &set.Structs[i]
			require.NotEmpty(t, vectorStructs[st.Name], st.Name)
			require.NotEmpty(t, st.Instances, st.Name)
			t.Run(st.Name, func(t *testing.T) {
				for _, test := range vectorStructs[st.Name] {
					test(t, st)
					tested += len(st.Instances)
				}
			})
		}
		t.Logf("%d structs, %d instances tested", len(set.Structs), tested)
		if set.Shared {
			require.Len(t, set.Structs, len(vectorStructs))
		}
	})
}

// testVectorStruct returns a test of T, the type of a game message. T's method
// fill sets what [vectors.Value.Fill] cannot.
func testVectorStruct[T any](opts ...tagcodec.Option) func(*testing.T, *vectors.Struct) {
	return func(t *testing.T, st *vectors.Struct) {
		codec := tagcodec.MustFor[T](opts...)
		var used T // holds the previous instance
		for i, in := range st.Instances {
			var value, want, got T
			for v, decoded := range map[*T]bool{&value: false, &want: true} {
				in.Fields.Fill(v, decoded)
				if f, ok := any(v).(interface{ fill(vectors.Value) }); ok {
					f.fill(in.Fields)
				}
			}
			data, err := codec.Append(nil, &value)
			require.NoError(t, err, "%T %d", value, i)
			require.Equal(t, in.Bytes, data, "%T %d", value, i)
			data, err = tagcodec.Marshal(value)
			require.NoError(t, err, "%T %d", value, i)
			require.Equal(t, in.Bytes, data, "%T %d", value, i)
			n, err := codec.Size(&value)
			require.NoError(t, err)
			require.Equal(t, len(in.Bytes), n, "%T %d", value, i)
			require.LessOrEqual(t, codec.MinBits(), in.Bits, "%T %d", value, i)
			require.GreaterOrEqual(t, codec.MaxBits(), in.Bits, "%T %d", value, i)

			require.NoError(t, codec.Unmarshal(vectorSlice(in.Bytes, len(in.Bytes)), &got), "%T %d", value, i)
			require.Equal(t, vectors.Dump(want), vectors.Dump(got), "%T %d", value, i)
			require.NoError(t, tagcodec.Unmarshal(in.Bytes, &used), "%T %d", value, i)
			require.Equal(t, vectors.Dump(want), vectors.Dump(used), "%T %d: into the instance before", value, i)
			requireExact(t, in.Bytes, in.Bits, &got, st.Name)
			for n := range in.Bytes {
				err := codec.Unmarshal(vectorSlice(in.Bytes, n), new(T))
				require.ErrorIs(t, err, tagcodec.ErrOverread, "%T %d: %d of %d bytes", value, i, n, len(in.Bytes))
			}
		}
	}
}

// The size bounds of a plan must equal bounds computed by hand from the layout.
// Messages whose padding depends on earlier values are omitted, because their
// plans have looser bounds.
func TestVectorStructSizes(t *testing.T) {
	for name, row := range map[string]struct{ got, want [2]int }{
		"PacketA":        {bitsOf[PacketA](), [2]int{96, 96}},
		"PacketB":        {bitsOf[PacketB](), [2]int{6, 6 + 32*32}},
		"PacketC":        {bitsOf[PacketC](), [2]int{49, 49}},
		"RigidBody":      {bitsOf[RigidBody](), [2]int{225, 225 + 6*32}},
		"PlayerState":    {bitsOf[PlayerState](), [2]int{136, 136 + 31*8}}, // the text starts at a whole byte
		"Scene":          {bitsOf[Scene](), [2]int{7, 7 + 64*(75+39)}},
		"Character":      {bitsOf[Character](), [2]int{77, 77 + 23*8 + 8*(24+37) + 64}},
		"BenchPacket":    {bitsOf[BenchPacket](), [2]int{262 + 2 + 512, 262 + 2 + 512 + 16*32}}, // 2 bits pad the payload
		"EntityUpdates":  {bitsOf[EntityUpdates](), [2]int{22, 22 + 32*(38+3+48+7+9)}},
		"ConnectRequest": {bitsOf[ConnectRequest](), [2]int{257, 257 + 32 + 128 + 512}}, // the plan does not know that the two conditions exclude each other
		"FixedState":     {bitsOf[FixedState](), [2]int{479, 479}},
	} {
		require.Equal(t, row.want, row.got, name)
	}
	require.Equal(t, typecache.Unbounded, bitsOf[EventStream]()[1], "nobody knows what Serialize writes")
	require.Equal(t, typecache.Unbounded, bitsOf[EventList]()[1])
}

func bitsOf[T any]() [2]int {
	codec := tagcodec.MustFor[T]()
	return [2]int{codec.MinBits(), codec.MaxBits()}
}

// One event more than the layout allows is refused in both versions.
func TestVectorEventStreamTooLong(t *testing.T) {
	list := EventList{Tick: 7}
	stream := EventStream{Tick: 7, Events: make(StreamedEvents, mostEvents)}
	next := &list.First
	for range mostEvents {
		*next = new(EventNode)
		next = &(*next).Next
	}
	bounded := tagcodec.MustFor[EventList](tagcodec.WithMaxDepth(mostEvents))
	data, err := bounded.Append(nil, &list)
	require.NoError(t, err)
	same, err := tagcodec.Marshal(stream)
	require.NoError(t, err)
	require.Equal(t, data, same)

	*next = new(EventNode)
	stream.Events = make(StreamedEvents, mostEvents+1)
	_, err = bounded.Append(nil, &list)
	require.ErrorIs(t, err, tagcodec.ErrDepth)
	_, err = tagcodec.Marshal(stream)
	require.ErrorIs(t, err, tagcodec.ErrLength)
	data, err = tagcodec.Marshal(list) // up to the default depth
	require.NoError(t, err)
	require.ErrorIs(t, bounded.Unmarshal(data, new(EventList)), tagcodec.ErrDepth)
	err = tagcodec.Unmarshal(data, new(EventStream))
	require.ErrorIs(t, err, tagcodec.ErrLength)
	var e *tagcodec.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "EventStream.Events", e.Path)
}

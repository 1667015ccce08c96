package main

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/quic-go/quic-go"
)

const (
	tickRate    = 30 // per second
	maxEntities = 400
	maxPlayers  = 64
)

// Snapshot is a part of the world, because all of it does not fit in a datagram.
// The server sends it in datagrams.
type Snapshot struct {
	Tick     uint32
	First    int      `bp:"int,min=0,max=399"` // the index of the first of the entities
	Entities []Entity `bp:"maxlen=400"`
}

// Entity is a thing that moves within the walls.
type Entity struct {
	Position [2]float32 `bp:"float,min=-500,max=500,res=0.25"`      // metres
	Velocity [2]float32 `bp:"float,min=-60,max=60,bits=8,optional"` // metres per second
}

// Input is a player's action. The client sends it in a datagram in every tick.
type Input struct {
	Tick   uint32 // of the client
	Thrust [2]int `bp:"int,min=-1,max=1"`
}

// Hello is the first message of a client on its stream.
type Hello struct {
	Name string `bp:"maxlen=16"`
}

// Welcome is the answer to Hello.
type Welcome struct {
	Entity int `bp:"int,min=0,max=399"` // that the player moves
}

// Chat is what both sides send on the stream after that. The server sets From.
type Chat struct {
	From string `bp:"maxlen=16"`
	Text string `bp:"maxlen=120"`
}

// Each direction has one type of datagram. With several, a message would be an
// interface with a union: see tagcodec.WithUnion.
var (
	snapshots = tagcodec.MustFor[Snapshot]()
	inputs    = tagcodec.MustFor[Input]()
	hellos    = tagcodec.MustFor[Hello]()
	welcomes  = tagcodec.MustFor[Welcome]()
	chats     = tagcodec.MustFor[Chat]()
)

// protocol names the application protocol in the TLS handshake (ALPN). It
// includes the hash of every message, so sides whose messages differ fail to
// connect, and no other message needs a hash or a version.
var protocol = protocolOf(snapshots.Hash(), inputs.Hash(), hellos.Hash(), welcomes.Hash(), chats.Hash())

func protocolOf(hashes ...[32]byte) string {
	all := sha256.New()
	for _, h := range hashes {
		all.Write(h[:])
	}
	return fmt.Sprintf("bitpack-quic-%x", all.Sum(nil))
}

// Application error codes of a closed connection.
const (
	codeDone    quic.ApplicationErrorCode = iota // the side leaves
	codeFull                                     // there are as many players as there may be
	codeMessage                                  // a message could not be read
	codeSlow                                     // the client does not read its chat
	codePath                                     // the client's path takes only tiny datagrams
)

// silence is how long a peer may be silent before the connection ends.
const silence = 5 * time.Second

// config returns the configuration of a side that accepts the given number of
// streams. The small windows bound the memory that a peer can fill with chat.
func config(streams int64) *quic.Config {
	return &quic.Config{
		EnableDatagrams:                true,
		MaxIdleTimeout:                 silence,
		KeepAlivePeriod:                silence / 4,
		MaxIncomingStreams:             streams,
		MaxIncomingUniStreams:          -1,
		InitialStreamReceiveWindow:     8 << 10,
		MaxStreamReceiveWindow:         8 << 10,
		InitialConnectionReceiveWindow: 8 << 10,
		MaxConnectionReceiveWindow:     8 << 10,
	}
}

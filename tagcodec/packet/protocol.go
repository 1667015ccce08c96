package packet

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	mathbits "math/bits"
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
)

// Config configures a [Protocol].
type Config struct {
	// Application and Version distinguish the protocol from those of other
	// programs and from other versions of its own. They are part of the
	// protocol id.
	Application string
	Version     uint32

	// DataHash is a hash of the data that both sides must share, such as a
	// game's levels. It is part of the protocol id, so that sides with other
	// data are refused. Zero means that there is no such data.
	DataHash [32]byte

	Protection Protection

	// EndCheck adds 4 bytes after the packets of a datagram. A CRC, MAC or AEAD
	// already detects what the end check does, so it is for protocols with
	// None.
	EndCheck bool

	// Retail leaves out the checks that find mistakes during development: the
	// end check, whatever EndCheck says, and the fields of kind check, as
	// [tagcodec.WithoutChecks] does. A program sets Retail in its release
	// builds, for example from a constant under a build tag. The two sides must
	// agree: without the checks, the protocol id is another. With None, nothing
	// then detects that a session's datagram is of another protocol.
	Retail bool

	// MaxPackets is the maximum number of packets in a datagram, or 0 for
	// [DefaultMaxPackets]. It bounds the number of handler calls that one
	// datagram causes in a [Mux]. It is part of the protocol id.
	MaxPackets int

	// Acks makes datagrams acknowledge those of the other side: see
	// [Session.OnReport], [Session.Estimates] and [Arrival]. It is part of the
	// protocol id. A session then takes about 32 KB of memory. A datagram that
	// acknowledges others is 2 bytes longer at least, and usually 4 to 6.
	Acks bool

	// Messages is the maximum number of messages that a session sends at a time:
	// packets that are sent again until they are acknowledged. See
	// [Session.Queue]. 0 means that there are no messages. Whether there are is
	// part of the protocol id. Messages need Acks.
	Messages int

	// MTU is the maximum size of a datagram in bytes, without UDP and IP
	// headers, or 0 for [MaxDatagram]. If it is set, the largest packet of
	// every type must fit, except for types with [Type.MayExceed].
	MTU int

	// MaxPacket is the maximum size of a packet in bytes, with its type index.
	// Packets that are larger than a datagram are sent in at most
	// [MaxFragments] fragments. If a fragment is lost, so is the packet. 0 means
	// that every packet must fit into a datagram. [Type.MaxPacket] overrides it
	// for a type. Both are part of the protocol id, and so is the length of a
	// fragment, which follows from the MTU.
	//
	// A session keeps at most [MaxPartial] incomplete packets for at most
	// [PartialTimeout]. Fragments are for messages of some datagrams now and
	// then, such as a complete snapshot. For bulk data use a stream, such as one
	// of QUIC.
	MaxPacket int
}

// Protocol holds the packet types and the datagram format that the two sides of
// a conversation share. It is immutable and safe for concurrent use. Everything
// that needs a protocol is made by one of its methods, such as
// [Protocol.NewServer], [Protocol.Join] or [Protocol.NewMux].
type Protocol struct {
	*spec
	codecs []codec // by type
}

// spec is the state that a protocol shares with those derived from it by
// [Protocol.With].
type spec struct {
	config      Config
	id          uint64
	endCheck    []byte
	description string

	clientInfo, serverInfo, rejectionInfo []byte // HKDF-Expand infos of the proofs

	types      []Info
	index      map[reflect.Type]int // type index of T and of *T
	width      int                  // bits of a type index
	headerEnd  int                  // bytes up to the end of the shortest header
	trailerLen int                  // bytes after the packets
	minPacket  int                  // bytes of the smallest packet
	minLen     int                  // bytes of the shortest datagram of packets
	room       int                  // maximum bytes of packets in a datagram
	maxKind    byte                 // the highest kind of a datagram
	timed      bool                 // sessions must know the time

	carried []string // lines of the description, by type

	limits        []int // maximum bytes of a packet, by type
	maxPacket     int   // the largest of limits, or 0 without fragments
	fragmentLen   int   // bytes of a fragment, or 0
	fragmentIndex int   // the type index of fragments, or -1
	messageIndex  int   // the type index of messages, or -1
	maxMessage    int   // maximum bytes of a message
}

// Info describes one type of a protocol.
type Info struct {
	Type reflect.Type

	// MinSize and MaxSize bound the size in bytes of a packet with its type
	// index. MaxSize is [typecache.Unbounded] for recursive types and for types
	// that serialize themselves and have no MaxBits method.
	MinSize, MaxSize int

	// Costs are the maximum sizes of the fields in one packet, largest first.
	Costs []Cost

	plan *plan.Plan // not a view: see Plan
}

// Plan returns the plan of the type. It is no field of an Info, because the linker
// would keep the tables of plans in every program that uses package fmt.
func (i Info) Plan() *typecache.Plan { return sealed.ViewOf(i.plan) }

// New returns a protocol. The order of the types is part of the protocol. New
// fails with an error that wraps a [*typecache.Error] if a type's tags are invalid,
// and with [ErrBudget] if a packet of a type may exceed the MTU.
func New(c Config, types ...Type) (*Protocol, error) {
	switch {
	case c.Application == "":
		return nil, errors.New("packet: Config.Application is empty")
	case !c.Protection.valid():
		return nil, fmt.Errorf("packet: Config.Protection is invalid: %v", c.Protection)
	case len(types) == 0:
		return nil, errors.New("packet: a protocol needs at least one type")
	case c.MaxPackets < 0:
		return nil, fmt.Errorf("packet: Config.MaxPackets is %d; it must not be negative", c.MaxPackets)
	case c.MaxPacket < 0:
		return nil, fmt.Errorf("packet: Config.MaxPacket is %d; it must not be negative", c.MaxPacket)
	}
	if c.Messages < 0 || c.Messages > 0 && !c.Acks {
		return nil, fmt.Errorf("packet: Config.Messages is %d; it must not be negative, and needs Acks", c.Messages)
	}
	if c.MaxPackets == 0 {
		c.MaxPackets = DefaultMaxPackets
	}
	if c.Retail {
		c.EndCheck = false
	}
	p := &Protocol{spec: &spec{config: c, index: map[reflect.Type]int{}, width: mathbits.Len(uint(len(types) - 1))}}
	if err := p.measure(); err != nil {
		return nil, err
	}
	if err := p.setLimits(types); err != nil {
		return nil, err
	}
	for i, t := range types {
		if err := p.add(i, t); err != nil {
			return nil, err
		}
	}
	p.minPacket = slices.MinFunc(p.types, func(a, b Info) int { return a.MinSize - b.MinSize }).MinSize
	if p.fragmentIndex >= 0 || p.messageIndex >= 0 {
		p.minPacket = 1
	}
	p.minLen = p.headerEnd + p.minPacket + p.trailerLen
	p.description = p.describe("protection " + c.Protection.String())
	p.id, p.endCheck = identify(p.description, c.EndCheck)
	p.clientInfo, p.serverInfo, p.rejectionInfo = proofInfo(p.id, "client"), proofInfo(p.id, "server"), proofInfo(p.id, "rejection")
	return p, nil
}

// identify returns the id that belongs to a description, and the end check if
// there is one.
func identify(description string, withEndCheck bool) (id uint64, endCheck []byte) {
	hash := sha256.Sum256([]byte(wire(description)))
	if withEndCheck {
		endCheck = hash[8 : 8+endCheckSize]
	}
	return binary.LittleEndian.Uint64(hash[:]), endCheck
}

const endCheckSize = 4

// DefaultMaxPackets is the default of [Config.MaxPackets].
const DefaultMaxPackets = 64

// MustNew is like [New] but panics on error. It is for package variables.
func MustNew(c Config, types ...Type) *Protocol {
	p, err := New(c, types...)
	if err != nil {
		panic(err)
	}
	return p
}

// measure sets the sizes of what surrounds the packets of a datagram.
func (p *Protocol) measure() error {
	c := &p.config
	p.headerEnd = c.Protection.prefixLen() + 1
	p.maxKind, p.timed = kindControl, c.Acks
	if c.Acks {
		p.maxKind |= kindAcks
	}
	if c.EndCheck {
		p.trailerLen = endCheckSize
	}
	if c.Protection.aead() {
		p.trailerLen += c.Protection.size()
	}
	mtu := c.MTU
	if mtu == 0 {
		mtu = MaxDatagram
	}
	if p.room = mtu - p.Overhead(); p.room < 1 || mtu > MaxDatagram {
		return fmt.Errorf("packet: Config.MTU is %d; it must be %d to %d", mtu, p.Overhead()+1, MaxDatagram)
	}
	return nil
}

// add adds the type with index i.
func (p *Protocol) add(i int, t Type) error {
	switch {
	case t.build == nil:
		return errors.New("packet: the zero Type is invalid; use Of")
	case t.typ.Kind() == reflect.Pointer:
		return fmt.Errorf("packet: Of[%v]: the type must not be a pointer; use Of[%v], which accepts pointers too", t.typ, t.typ.Elem())
	}
	if _, ok := p.index[t.typ]; ok {
		return fmt.Errorf("packet: duplicate type %v", t.typ)
	}
	var options []tagcodec.Option
	if p.config.Retail {
		options = append(options, tagcodec.WithoutChecks())
	}
	codec, err := t.build(options...)
	if err != nil {
		return failed(fmt.Sprintf("type %d", i), err)
	}
	if !p.config.Protection.keyed() { // without keys, anyone can send a bad value; sentinel errors do not allocate
		codec = codec.with([]tagcodec.Option{tagcodec.WithSentinelErrors()})
	}
	plan := codec.plan()
	info := Info{Type: t.typ, plan: plan, MinSize: smallest(plan, p.width), MaxSize: largest(plan, p.width), Costs: costs(plan)}
	if limit := p.limits[i]; info.MinSize > limit || info.MaxSize > limit && p.config.MTU > 0 && !t.mayExceed {
		return overBudget(&info, limit, p.room)
	}
	if err := p.addCarried(&t, plan); err != nil {
		return err
	}
	p.index[t.typ], p.index[reflect.PointerTo(t.typ)] = i, i
	p.types = append(p.types, info)
	p.codecs = append(p.codecs, codec)
	return nil
}

// With returns a protocol with the same id whose codecs have additional
// options. It is cheap: a server can make one for each connection, with that
// connection's [tagcodec.Linker].
func (p *Protocol) With(opts ...tagcodec.Option) *Protocol {
	q := &Protocol{p.spec, make([]codec, len(p.codecs))}
	for i, c := range p.codecs {
		q.codecs[i] = c.with(opts)
	}
	return q
}

// ID returns the protocol id of sessions: the first 64 bits, little-endian, of the SHA-256
// of [Protocol.Description] without its names. Only the handshake sends it. The
// CRC, MAC or AEAD of every datagram covers it, so that datagrams of another
// protocol are refused.
func (p *Protocol) ID() uint64 { return p.id }

// Description returns everything that affects the wire, one item per line.
// After a tab, a line may have the name of a type or field. [Diff] compares
// descriptions.
func (p *Protocol) Description() string { return p.description }

// Types returns the descriptions of the protocol's types, by index.
func (p *Protocol) Types() []Info { return slices.Clone(p.types) }

// Overhead returns the maximum number of bytes in a datagram besides its
// packets. Only sequence numbers from 2^56 on reach the maximum, because a
// sequence number takes only as many bytes as it needs. With [Config.Acks] it
// includes 41 bytes for the longest acknowledgement.
func (p *Protocol) Overhead() int {
	n := p.headerEnd + maxHeader - 1 + p.trailerLen
	if p.config.Acks {
		n += maxAcks
	}
	return n
}

// Room returns the maximum number of bytes of packets in a datagram.
func (p *Protocol) Room() int { return p.room }

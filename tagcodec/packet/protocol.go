package packet

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
)

// Config is what a [Protocol] is built with, besides its types.
type Config struct {
	// Application and Version tell a protocol from those of other programs, and
	// of this one at other times. They are part of the protocol id.
	Application string
	Version     uint32

	Protection Protection

	// EndCheck adds 4 bytes behind the packets of a datagram. They find what a
	// CRC, a MAC or an AEAD finds as well, and are for protocols without one.
	EndCheck bool

	// MaxPackets is the most packets that a datagram may hold, or 0 for
	// [DefaultMaxPackets]. It bounds how often one datagram makes a [Mux] call a
	// handler. It is part of the protocol id.
	MaxPackets int

	// MTU is the largest datagram in bytes, without the headers of UDP and IP, or
	// 0 for [MaxDatagram]. With an MTU every type must fit into it at its largest,
	// unless it [Type.MayExceed].
	MTU int
}

// Protocol is what the two sides of a conversation agree on: the packet types
// and how datagrams are made of them. It is built once, does not change, and
// is safe for concurrent use.
type Protocol struct {
	*agreed
	codecs []codec // by type
}

// agreed is what all protocols have in common that [Protocol.With] makes of
// one.
type agreed struct {
	config      Config
	id          uint64
	endCheck    []byte
	description string

	clientInfo, serverInfo, rejectionInfo []byte // of proofs

	types  []Info
	index  map[reflect.Type]int // of T and of *T
	width  int                  // bits of an index
	header int                  // bytes of the shortest header, with what stands before it
	behind int                  // bytes behind the packets
	least  int                  // bytes of the shortest datagram
	room   int                  // bytes for packets in the longest datagram
}

// Info is what a protocol knows of one of its types.
type Info struct {
	Type reflect.Type
	Plan *typecache.Plan

	// MinSize and MaxSize bound the bytes of a packet with its type index.
	// MaxSize is [typecache.Unbounded] for recursive types and those that
	// serialize themselves.
	MinSize, MaxSize int

	// Costs are what the fields take in the largest packet, the most expensive
	// first.
	Costs []Cost
}

// New builds a protocol. The order of the types is part of it. It fails with a
// [*typecache.Error] if a type cannot be encoded as it is tagged, and with
// [ErrBudget] if packets of a type may exceed the MTU.
func New(c Config, types ...Type) (*Protocol, error) {
	switch {
	case c.Application == "":
		return nil, errors.New("packet: a protocol needs the name of its application")
	case !c.Protection.valid():
		return nil, fmt.Errorf("packet: there is no %v", c.Protection)
	case len(types) == 0:
		return nil, errors.New("packet: a protocol needs a packet type")
	case c.MaxPackets < 0:
		return nil, fmt.Errorf("packet: a datagram cannot hold %d packets", c.MaxPackets)
	case c.MaxPackets == 0:
		c.MaxPackets = DefaultMaxPackets
	}
	p := &Protocol{agreed: &agreed{config: c, index: map[reflect.Type]int{}, width: bits.Len(uint(len(types) - 1))}}
	if err := p.measure(); err != nil {
		return nil, err
	}
	for i, t := range types {
		if err := p.add(i, t); err != nil {
			return nil, err
		}
	}
	shortest := slices.MinFunc(p.types, func(a, b Info) int { return a.MinSize - b.MinSize })
	p.least = p.header + shortest.MinSize + p.behind
	p.description = describe(&c, p.types)
	hash := sha256.Sum256([]byte(wire(p.description)))
	p.id = binary.LittleEndian.Uint64(hash[:])
	p.clientInfo, p.serverInfo, p.rejectionInfo = proofInfo(p.id, "client"), proofInfo(p.id, "server"), proofInfo(p.id, "rejection")
	if c.EndCheck {
		p.endCheck = hash[8 : 8+endCheckSize]
	}
	return p, nil
}

const endCheckSize = 4

// DefaultMaxPackets is the most packets that a datagram may hold where a
// [Config] does not say.
const DefaultMaxPackets = 64

// MustNew is [New] for package variables: it panics on an error.
func MustNew(c Config, types ...Type) *Protocol {
	p, err := New(c, types...)
	if err != nil {
		panic(err)
	}
	return p
}

// measure sets what a datagram has besides its packets.
func (p *Protocol) measure() error {
	c := &p.config
	p.header = c.Protection.front() + 1
	if c.EndCheck {
		p.behind = endCheckSize
	}
	if c.Protection.aead() {
		p.behind += c.Protection.size()
	}
	mtu := c.MTU
	if mtu == 0 {
		mtu = MaxDatagram
	}
	if p.room = mtu - p.Overhead(); p.room < 1 || mtu > MaxDatagram {
		return fmt.Errorf("packet: an MTU must be %d to %d bytes, not %d", p.Overhead()+1, MaxDatagram, mtu)
	}
	return nil
}

// add adds the type of an index.
func (p *Protocol) add(i int, t Type) error {
	switch {
	case t.build == nil:
		return errors.New("packet: the zero Type is none: make it with Of")
	case t.typ.Kind() == reflect.Pointer:
		return fmt.Errorf("packet: Of[%v]: give the type itself, Of[%v]: a protocol of it takes pointers, too", t.typ, t.typ.Elem())
	}
	if _, ok := p.index[t.typ]; ok {
		return fmt.Errorf("packet: %v is given twice", t.typ)
	}
	codec, err := t.build()
	if err != nil {
		return fmt.Errorf("packet: type %d: %w", i, err)
	}
	if !p.config.Protection.keyed() { // anybody can send a value to refuse
		codec = codec.with([]tagcodec.Option{tagcodec.WithBriefErrors()})
	}
	plan := codec.plan()
	info := Info{Type: t.typ, Plan: plan, MinSize: smallest(plan, p.width), MaxSize: largest(plan, p.width), Costs: costs(plan)}
	if info.MinSize > p.room || info.MaxSize > p.room && p.config.MTU > 0 && !t.mayExceed {
		return overBudget(&info, p.room)
	}
	p.index[t.typ], p.index[reflect.PointerTo(t.typ)] = i, i
	p.types = append(p.types, info)
	p.codecs = append(p.codecs, codec)
	return nil
}

// With returns a protocol of the same id whose codecs have more options. It is
// cheap: a server may make one for each connection, with the connection's
// [tagcodec.Linker].
func (p *Protocol) With(opts ...tagcodec.Option) *Protocol {
	q := &Protocol{p.agreed, make([]codec, len(p.codecs))}
	for i, c := range p.codecs {
		q.codecs[i] = c.with(opts)
	}
	return q
}

// ID returns the protocol id: the first 64 bits, little-endian, of the SHA-256
// of [Protocol.Description] without its names. It is never sent but in a
// handshake; it enters the CRC, the MAC and the AEAD of every datagram, so
// that those of another protocol are refused.
func (p *Protocol) ID() uint64 { return p.id }

// Description returns all that touches the wire, line by line, and behind a
// tab in a line the name of its type or field. [Diff] compares descriptions.
func (p *Protocol) Description() string { return p.description }

// Types returns what the protocol knows of its types, by index.
func (p *Protocol) Types() []Info { return slices.Clone(p.types) }

// Overhead returns the bytes that the longest datagram has besides its
// packets. Before the 2^56th datagram they are fewer: a sequence number takes
// as many bytes as it needs.
func (p *Protocol) Overhead() int { return p.header + maxHeader - 1 + p.behind }

// Room returns the bytes for packets in the longest datagram.
func (p *Protocol) Room() int { return p.room }

package packet

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/gobitpack/bitpack/tagcodec"
)

// Prefix is what a [Stateless] datagram starts with. It tells the receiver that
// the datagram is of its protocol.
type Prefix uint8

// The prefixes.
const (
	// PrefixCRC32 is a CRC-32 of the protocol id and everything after the
	// prefix, in 4 bytes. It detects damage, and other protocols, except once in
	// 2^32 times. The id itself is not sent.
	PrefixCRC32 Prefix = iota
	// PrefixID32 is the first half of the protocol id, in 4 bytes. It detects
	// other protocols, but not damage.
	PrefixID32
	// PrefixID64 is the protocol id, in 8 bytes. It detects other protocols, but
	// not damage.
	PrefixID64
)

var prefixes = [...]struct {
	name string
	size int
}{PrefixCRC32: {"crc-32", 4}, PrefixID32: {"id-32", 4}, PrefixID64: {"id-64", 8}}

// String returns the name of the prefix.
func (p Prefix) String() string {
	if int(p) < len(prefixes) {
		return prefixes[p].name
	}
	return fmt.Sprintf("prefix %d", uint8(p))
}

// Stateless seals and opens datagrams that belong to no session, such as those
// of a search for servers. A datagram is a [Prefix] and the packets, followed by
// the end check if the protocol has one. There are no keys and no sequence
// numbers, whatever the protocol's [Protection] is.
//
// Anyone can therefore make such a datagram, and the network may repeat, reorder
// or lose it. In return a datagram affects only itself: no datagram can cause
// another one to be refused. A reply should not be longer than the datagram it
// answers, because the source address may be false.
//
// The protocol id is one of its own: see [Stateless.ID]. A Stateless is safe for
// concurrent use.
type Stateless struct {
	writing     *Protocol
	reading     *Protocol // the same with sentinel errors, since anyone can send a bad value
	counters    *Counters
	prefix      Prefix
	description string
	id          uint64
	idCRC       uint32  // CRC of the id, little-endian
	idPrefix    [8]byte // the id, little-endian
	endCheck    []byte
}

// NewStateless returns a Stateless for the types of the protocol. Both sides
// must use the same prefix. It panics if the prefix is not one of this package.
func (p *Protocol) NewStateless(prefix Prefix) *Stateless {
	if int(prefix) >= len(prefixes) {
		panic(fmt.Sprintf("packet: NewStateless: invalid %v", prefix))
	}
	s := &Stateless{writing: p, reading: p.With(tagcodec.WithSentinelErrors()), counters: new(Counters), prefix: prefix}
	s.description = p.describe("stateless " + prefix.String())
	id, endCheck := identify(s.description, p.config.EndCheck)
	s.setID(id, endCheck)
	return s
}

func (s *Stateless) setID(id uint64, endCheck []byte) {
	s.id, s.endCheck = id, endCheck
	binary.LittleEndian.PutUint64(s.idPrefix[:], id)
	s.idCRC = crc32.ChecksumIEEE(s.idPrefix[:])
}

// ID returns the protocol id of the datagrams: the first 64 bits, little-endian,
// of the SHA-256 of [Stateless.Description] without its names. It differs from
// [Protocol.ID] and from the id under any other prefix, so that datagrams of one
// kind are never taken for another.
func (s *Stateless) ID() uint64 { return s.id }

// Description is [Protocol.Description] with the prefix in place of the
// protection.
func (s *Stateless) Description() string { return s.description }

// Protocol returns the protocol that s was made from.
func (s *Stateless) Protocol() *Protocol { return s.writing }

// Overhead returns the number of bytes in a datagram besides its packets.
func (s *Stateless) Overhead() int { return prefixes[s.prefix].size + len(s.endCheck) }

// Counters returns the counters of s.
func (s *Stateless) Counters() *Counters { return s.counters }

// CountIn makes s count in c, which sessions and others may share. It must be
// called before s is used.
func (s *Stateless) CountIn(c *Counters) { s.counters = c }

// Append appends a datagram of packets to dst. Each packet is a value of one of
// the protocol's types, or a pointer to one. On error Append returns dst
// unchanged.
func (s *Stateless) Append(dst []byte, packets ...any) ([]byte, error) {
	b := s.writing.borrowBatch()
	defer batches.Put(b)
	if err := b.addAll(packets); err != nil {
		return dst, err
	}
	return s.Seal(dst, b)
}

// Seal appends the datagram of a batch to dst. The same bytes may be sent to any
// number of receivers. On error Seal returns dst unchanged. It panics if the
// batch belongs to another protocol.
func (s *Stateless) Seal(dst []byte, b *Batch) ([]byte, error) {
	if err := b.sealable(s.writing); err != nil {
		return dst, err
	}
	size := prefixes[s.prefix].size
	start := len(dst)
	dst = slices.Grow(dst, s.Overhead()+b.end)
	dst = append(dst, s.idPrefix[:size]...)
	dst = append(dst, b.data[:b.end]...)
	dst = append(dst, s.endCheck...)
	if s.prefix == PrefixCRC32 {
		binary.LittleEndian.PutUint32(dst[start:], s.checksum(dst[start+size:]))
	}
	return dst, nil
}

// checksum returns the CRC of the protocol id and the data after the prefix.
func (s *Stateless) checksum(data []byte) uint32 {
	return crc32.Update(s.idCRC, crc32.IEEETable, data)
}

// Open checks a datagram, cheapest checks first, and returns its packets, which
// [Mux.Serve] can dispatch. It allocates nothing, and a refusal is the [Refusal]
// itself: [ErrTruncated], [ErrTooLong], [ErrChecksum], [ErrProtocol] or
// [ErrEndCheck].
//
// Open does not change the datagram. A program that has one socket for sessions
// and stateless datagrams calls Open first, and passes what it refuses to
// [Server.Receive]. A session's datagram passes Open with a probability of 2^-32,
// or 2^-64 with [PrefixID64].
func (s *Stateless) Open(datagram []byte) (Contents, error) {
	data, refusal := s.check(datagram)
	if refusal != 0 {
		s.counters.Refuse(refusal)
		return Contents{}, refusal
	}
	return Contents{p: s.reading, counters: s.counters, rest: data}, nil
}

// check returns the packets of a datagram.
func (s *Stateless) check(datagram []byte) ([]byte, Refusal) {
	p := s.reading
	switch {
	case len(datagram) < s.Overhead()+p.minPacket:
		return nil, ErrTruncated
	case len(datagram) > s.Overhead()+p.room:
		return nil, ErrTooLong
	}
	size := prefixes[s.prefix].size
	prefix, data := datagram[:size], datagram[size:]
	switch {
	case s.prefix == PrefixCRC32:
		if binary.LittleEndian.Uint32(prefix) != s.checksum(data) {
			return nil, ErrChecksum
		}
	case string(prefix) != string(s.idPrefix[:size]):
		return nil, ErrProtocol
	}
	return cutEndCheck(data, s.endCheck)
}

// Decode opens a datagram of one packet and returns the packet, as
// [Session.Decode] does.
func (s *Stateless) Decode(datagram []byte, reuse ...any) (any, error) {
	c, err := s.Open(datagram)
	if err != nil {
		return nil, err
	}
	return c.only(reuse)
}

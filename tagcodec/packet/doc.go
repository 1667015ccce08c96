// Package packet makes datagrams of structs that a server can take from
// anyone.
//
//	var arena = packet.MustNew(packet.Config{
//		Application: "arena",
//		Version:     1,
//		Protection:  packet.ChaCha20Poly1305,
//		MTU:         packet.DefaultMTU,
//	}, packet.Of[Snapshot](), packet.Of[Input](), packet.Of[Chat]())
//
//	datagram, err := session.Append(nil, &Input{Thrust: 1})  // the client
//	v, err := session.Decode(datagram)                       // the server: v is an *Input
//
// A [Protocol] is what the two sides agree on. Its id is a hash of all that
// touches the wire, so that a changed tag on one side is refused by the other
// at once, and [Diff] says which it is. A [Session] is one end of a
// conversation. A [Batch] is several packets in one datagram, and may be
// sealed for any number of sessions with [Broadcast]. A [Mux] calls the handler
// of a packet's type. [Gate] and [Join] are the two sides of a handshake. None
// of them does input or output, and once buffers and values are used again
// none takes memory: neither to send and to receive, nor to refuse.
//
// # The wire
//
// A datagram is a guard, a header, packets and an end check:
//
//	protection     datagram
//	None           header | data
//	CRC32          crc32 (4) | header | data
//	HMAC(n)        mac (n) | header | data
//	an AEAD        header | data, encrypted | tag (16)
//
//	header         n (1 byte, 0 to 8) | sequence number (n bytes)
//	data           packet | packet | ... | end check (4 bytes, if there is one)
//	packet         index of the type | value | zero bits up to a whole byte
//
// Integers in whole bytes have their lowest byte first. The sequence numbers
// of each direction count from 0, and have as many bytes as they need: the last
// is not zero, and 0 itself has none. The index takes bits_required(0, types-1)
// bits, and the value follows it in the same byte, as package bits packs it.
// A packet that would have no bits is a zero byte. Packets follow each other up
// to the end check, or the end.
//
// The protocol id is never sent. The CRC, an IEEE one, and the MAC, the first n
// bytes of an HMAC-SHA256, are over the id in 8 bytes and what stands behind
// them in the datagram. The id is the associated data of an AEAD, whose nonce
// is made of the sequence number and an IV as in TLS 1.3; the header has one
// form for each number and is authentic with it. The id is the first 8 bytes
// of the SHA-256 of the protocol's description without names, and the end
// check the next 4.
//
// Each direction has a key and an IV of its own, from HKDF-SHA256 of the
// secret and the salt. The info is
//
//	bitpack packet 1, <id in 16 hexadecimal digits>, <protection>, client to server
//
// or "server to client", and of the 44 bytes the first 32 are the key and the
// others the IV.
//
// # What each protection stops
//
// An attacker may be able to send with a false address; to do so from where it
// sees the datagrams, and may repeat them; or to hold back and change them.
//
// None stops nothing. Datagrams that no sender makes are refused all the same,
// and with them most accidents, but whoever knows the tags can send anything.
// A datagram of another protocol is told by the end check alone.
//
// CRC32 stops accidents: a damaged datagram, or one of another protocol, is
// accepted once in 2^32 times. It cannot tell the two apart, which is why the
// handshake compares ids. It stops nobody who means harm: anyone can compute
// it. With None and CRC32 a single datagram with a false address and a high
// sequence number makes a session refuse all that follow as too old.
//
// HMAC stops forgery, damage and mistaken protocols: nobody without the secret
// makes a datagram, changes one, or passes one from another session or
// direction, other than by guessing all n bytes. It hides nothing: everyone on
// the way reads the packets.
//
// ChaCha20Poly1305 and AES256GCM stop the same, and hide the packets. They do
// not hide their lengths and times, nor the sequence numbers. AES256GCM is
// faster where the CPU has instructions for it. Join again before a session
// has sent 2^23 datagrams with it, the limit that QUIC sets (RFC 9001, section
// 6.6), which at 60 a second is 38 hours; [Session.Sent] counts them.
//
// With any of them a datagram is accepted once: a window of the last
// [WindowSize] sequence numbers refuses those that were seen, and all that are
// older. Only with a key does this stop an attacker. The window moves when a
// datagram is authentic, never before, so that a forged number keeps no true
// datagram out. A sender that has used all numbers refuses to send.
//
// The order of the checks is that of their cost: the length, the form of the
// header, the sequence number, the guard, the end check, the type, the value.
// Up to the type a refusal takes no memory and says nothing but its [Refusal],
// and the type where a [Mux] has no handler for it. The value comes last because
// it costs the most: an error of tagcodec names the field, and takes memory for
// it. With a key only those who have it get so far. Guards are compared in
// constant time.
//
// What nothing here stops: one who has the secret, such as a player who
// cheats, may send any packet that the types allow, at any rate. One who can
// hold back datagrams can keep a client from joining or end its session. A
// secret that becomes known makes all recorded sessions of it readable: there
// is no key exchange, and so no forward secrecy. Every client should have a
// secret of its own, from a login over TLS for instance: clients that share
// one can pose as the server to each other. A flood that fills the network is
// stopped by nobody at its end.
//
// # The handshake
//
// A [Gate] answers a request with a token, an HMAC over the client's address
// and the time under a key of its own, and keeps nothing of it. Only a client
// that receives at its address can answer with the token, and only then is its
// secret looked for. No answer is longer than the question. The salt of the
// session is random bytes of both sides, those of the server being new for
// every response, so that repeating one brings back no keys. A rejection is
// not authentic: it carries the client's random bytes, and so comes from
// someone who saw them.
//
//	request        magic (8) | 1 | id (8) | nonce (16) | zeros, up to 1200 bytes
//	challenge      magic | 2 | nonce | token (24)
//	response       magic | 3 | id | nonce | token | user (8) | proof (16)
//	welcome        magic | 4 | nonce | nonce of the server (16) | proof (16)
//	rejection      magic | 5 | nonce | reason (1) | id | length (2) | description
//
// The magic is "bitpack" and a byte 1, which starts no datagram of a session.
// The nonce is the client's, and with the server's behind it the salt. A proof
// is the first half of an HMAC-SHA256 over the nonce, the user, and the last 16
// bytes of the token, or the server's nonce. Its key is HKDF-SHA256 of the
// secret without a salt, the info being "bitpack packet 1, <id>, client proof"
// or "server proof". The description is that of the server's protocol in
// DEFLATE (RFC 1951), cut off to fit, if the server gives it at all.
package packet

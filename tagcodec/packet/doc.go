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
// of a packet's type. [Gate] and [Join] are the two sides of a handshake. A
// [Server] is a gate and a table of the sessions that it let in, and a [Client]
// is its other side: most programs start with these two. None of them does input
// or output, and once buffers and values are used again none takes memory:
// neither to send and to receive, nor to refuse.
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
//	header         n, 0 to 8 (4 bits) | kind (2 bits) | 0 (2 bits) | sequence number (n bytes)
//	data, kind 0   packet | packet | ... | end check (4 bytes, if there is one)
//	data, kind 1   control | end check
//	packet         index of the type | value | zero bits up to a whole byte
//	control        1 (1 byte), a keepalive; or 2 (1 byte) | reason (1 byte), a disconnect
//
// Integers in whole bytes have their lowest byte first. The sequence numbers
// of each direction count from 0, and have as many bytes as they need: the last
// is not zero, and 0 itself has none. Data and controls count together. The lowest
// bits of the header's first byte are n. The kinds 2 and 3 and the two highest
// bits are reserved, and refused. The index takes bits_required(0, types-1)
// bits, and the value follows it in the same byte, as package bits packs it.
// A packet that would have no bits is a zero byte. Packets follow each other up
// to the end check, or the end.
//
// The protocol id is never sent. The CRC, an IEEE one, and the MAC, the first n
// bytes of an HMAC-SHA256, are over the id in 8 bytes and what stands behind
// them in the datagram. The associated data of an AEAD is the id and the header.
// Its nonce is made of the sequence number and an IV as in TLS 1.3. So the header
// is authentic under every guard, and with it the kind. The id is the first 8 bytes
// of the SHA-256 of the protocol's description without names, and the end
// check the next 4.
//
// Each direction has a key and an IV of its own, from HKDF-SHA256 of the
// secret and the salt. The info is
//
//	bitpack packet 2, <id in 16 hexadecimal digits>, <protection>, client to server
//
// or "server to client", and of the 44 bytes the first 32 are the key and the
// others the IV. 2 is the [Format] of datagrams, with which the description of
// every protocol begins: those of another format are refused as those of another
// protocol are, and the handshake says which it is.
//
// A datagram holds at most [Config.MaxPackets] packets. That number is part of
// the description.
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
// faster where the CPU has instructions for it. With it a session sends 2^23
// datagrams, the limit that QUIC sets (RFC 9001, section 6.6), which at 60 a
// second is 38 hours. After that it fails with [ErrExhausted], and the other side
// refuses more. Join again before; [Session.Sent] counts them.
//
// A key never meets a sequence number twice. Sessions cannot be reset, and their
// copies are one. A [Join] makes one session, whatever arrives afterwards. A
// [Gate] makes one of a response, and the server's half of the salt is new for
// each. What remains to the program is [Protocol.NewSession] with a salt of its
// own, and processes that are started again from an image of their memory.
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
// # A server
//
// A [Server] holds the clients that are in, its peers, and calls functions of
// the program when one joins, leaves or is turned away. The program owns the
// socket and the clock:
//
//	server, err := arena.NewServer(packet.ServerConfig{
//		Send:   func(to netip.AddrPort, datagram []byte) { conn.WriteToUDPAddrPort(datagram, to) },
//		Gate:   packet.GateConfig{Admit: secretOf},
//		Joined: func(p *packet.Peer) { p.Value = newPlayer(p) },
//		Left:   func(p *packet.Peer, reason packet.Reason) { p.Value.(*player).remove(reason) },
//	})
//	for { // one goroutine
//		n, from, err := conn.ReadFromUDPAddrPort(buf)
//		if err != nil {
//			return err
//		}
//		peer, contents, err := server.Receive(from, buf[:n], time.Now())
//		if err == nil && peer != nil {
//			mux.Serve(peer.Context(), contents) // whose handlers find the peer with PeerFrom
//		}
//	}
//	for now := range ticker.C { // another
//		server.Tick(now)
//		server.Broadcast(batch)
//	}
//
// A [Client] has the same methods, and [Client.Tick] returns why it is over.
//
// The table is bounded: by ServerConfig.MaxPeers, and by ServerConfig.PerAddress
// for each IPv4 address and each /64 network of IPv6. A client that finds it full
// is turned away with [ErrFull].
//
// Keepalives and disconnects are datagrams like all others: they have sequence
// numbers and are protected, and only who has the key can make one. Each side
// sends a keepalive when it has sent nothing else for a while. A side that has
// heard nothing authentic for its timeout ends the session. A disconnect is sent
// three times and not answered. The side that receives it ends the session at
// once.
//
// Who a client is:
//
//   - A user has one session. When the user joins again, after the proof, the
//     new session replaces the old one, whose client is told [ReasonReplaced]. The
//     new peer has the Value of the old one. With ServerConfig.KeepOlder the later
//     client is turned away instead, with [ErrOccupied].
//   - When a user joins again from the same address and port, the program there
//     was started again. The new session always replaces the old one.
//   - Another user who joins from the address of a peer is turned away with
//     [ErrOccupied] until that peer has left or timed out. Nothing that is
//     unproven changes anything for a peer, whatever address it has.
//   - When a NAT gives a client another port, its datagrams come from a stranger
//     and are refused. The server's own go to the old port, so that the client
//     hears nothing, ends with [ReasonTimeout] and joins again. Then the user's new
//     session replaces the old one. Sessions do not move by themselves to where a
//     datagram comes from: someone on the way, who holds a datagram back and sends
//     it from elsewhere, could take all that follows.
//   - A response that was recorded lets nobody in again, neither while the client
//     is in nor after it has left: the gate answers it as it did before. What the
//     gate has forgotten it refuses with the tokens of that time.
//   - Without keys, users prove nothing. [Server.ByUser] finds nobody, and a user
//     may have any number of sessions. A session belongs to its address and its
//     attempt to join: whoever receives at the address can replace it, and whoever
//     can send with its address can end it. What remains is PerAddress, which is 8
//     if not set.
//
// # The handshake
//
// A [Gate] answers a request with a token, an HMAC over the client's address
// and the time under a key of its own, and keeps nothing of it. Only a client
// that receives at its address can answer with the token, within 10 seconds, and
// only then is its secret looked for. No answer is longer than the question.
//
//	what arrives                            what it costs                    reply
//	not of the handshake, or cut            nothing                          none
//	a request of another format or id       nothing                          rejection
//	a request                               an HMAC                          challenge
//	a response with a stale or false token  two HMACs at most                challenge
//	a response that was let in or rejected  an HMAC and a look-up            the same as before
//	too many responses of the address       an HMAC and a look-up            none
//	a response of an unknown user           Admit and four HMACs             rejection
//	a response with a wrong proof           Admit and four HMACs             rejection
//	a response with a right proof           Admit, seven HMACs and the keys  welcome
//
// None of them but the last takes memory. [GateConfig] bounds how often those
// with Admit happen for an address: an IPv4 address, or an IPv6 network of 64
// bits. The work for an unknown user and for a wrong proof is the same, apart
// from that of Admit itself, so that users cannot be told by the time. (It is the
// same for secrets of up to 55 bytes: longer ones take SHA-256 another block.)
//
// The salt of the session is random bytes of both sides, those of the server
// being new for every session. A response makes one: repeated, by whomever, it
// gets the same welcome again, and the gate returns no client. The gate remembers
// a bounded number of attempts for this. When it has to forget one, it refuses
// the tokens of that time, and challenges their clients again. After a restart no
// token of before is valid. [Gate.Rotate] replaces the key of the tokens.
//
// A rejection before the client's proof is not authentic: it carries the client's
// random bytes, and so comes from someone who saw them. That includes [ErrDenied].
// A client may go on after it, as after any datagram that is lost. A rejection
// after the proof, such as [ErrFull], has a proof of its own. Someone who sees the
// response of a client and sends with its address can use up what Rate and Burst
// leave that address.
//
//	request        magic (7) | format (1) | 1 | id (8) | nonce (16) | zeros, up to 1200 bytes
//	challenge      magic | format | 2 | nonce | token (25)
//	response       magic | format | 3 | id | nonce | token | user (8) | proof (16)
//	welcome        magic | format | 4 | nonce | nonce of the server (16) | proof (16)
//	rejection      magic | format | 5 | nonce | reason (1) | id | length (2) | description or proof
//
// The magic is "bitpack", which starts no datagram of a session, and the format
// is 2. The nonce is the client's, and with the server's after it the salt. The
// token is the number of its key (1), its time (8) and its HMAC (16). A proof is
// the first half of an HMAC-SHA256 over the nonce, the user, and the HMAC of the
// token, the server's nonce, or the reason. Its key is HKDF-SHA256 of the secret
// without a salt, the info being "bitpack packet 2, <id>, client proof", "server
// proof" or "rejection proof". The description is that of the server's protocol
// in DEFLATE (RFC 1951), cut off to fit, if the server gives it at all.
//
// The reasons are 1, another protocol; 2, denied; 3, full; 4, occupied; 5, closed,
// the last three with a proof; and 13, another format. A gate answers requests
// and responses of other formats, as far as there is room, with a rejection for 13
// that has the format of the question and, in place of the id, its own. What that
// takes is the same in all formats: magic, format and kind, the nonce at byte 17
// of what a client sends, and the layout of the rejection. Format 1, which had no
// such answer, reads it as one of another protocol whose id is 2; to a client of
// format 2 its servers say nothing.
package packet

// Package packet encodes structs in datagrams, and safely decodes datagrams from
// untrusted senders.
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
// A [Protocol] holds the packet types and the datagram format that both sides
// must share. Its id is a hash of everything that affects the wire. If a tag
// differs between the two sides, the handshake fails at once, and [Diff] reports
// the field.
//
// A [Session] is one end of a conversation. A [Batch] holds the packets of one
// datagram; [Broadcast] seals it for any number of sessions. A [Mux] calls the
// handler for each packet's type. [Gate] and [Join] are the server's and the
// client's side of a handshake. A [Server] combines a gate with a table of the
// sessions it has let in, and a [Client] is its counterpart. Most programs start
// with these two. A [Stateless] makes datagrams outside any session, for example
// to search for servers.
//
// The package does no input or output. Once buffers and values are reused,
// sending, receiving and refusing allocate nothing.
//
// # The wire
//
// A datagram of a session is a header with its sequence number, acknowledgements
// if the protocol has them, one packet or more, the end check if the protocol has one, and what the protection adds: a
// checksum or MAC before it, or a tag after it. A packet is the index of its
// type and the value, and ends at a whole byte. [Protocol.Overhead] is the
// maximum size of everything but the packets. A [Stateless] datagram has a
// [Prefix] in place of the header and the protection.
//
// [docs/WIRE.md] defines the datagrams, the keys and the handshake byte by byte.
// [Format] is the version of that definition. It is part of the protocol id.
//
// [Session.Explain] shows what each bit of a datagram means, without opening it.
//
// # Acknowledgements
//
// With [Config.Acks] a datagram also says which datagrams of the other side have
// been accepted: the newest, and a bit for each earlier one that the other side
// may not know of yet. A datagram counts as accepted when all of its packets have
// been read and their handlers have returned. If one of them was refused, had no
// handler, or was declined by its handler with [Arrival.Decline], then the
// datagram is not acknowledged, although the other packets may have been handled.
//
// The sender hears of each datagram once, through [Session.OnReport]: that it was
// delivered, at once, or that it is lost, in the first tick after [WindowSize]
// newer ones have been sent. The values of [Tracked] packets are reported with it.
// So a sender of package delta may pass the tick of each delivered snapshot to its
// method Ack. No method that sends reports anything. [Session.Estimates] has the
// round trip time, its jitter, the loss and the rates. The program passes the
// time, in [Session.Tick] or the methods of [Server] and [Client].
//
// An acknowledgement is protected like the packets. With a key only the other side
// can acknowledge. It may lie about what it has received, but not about what was
// never sent: that is refused with [ErrAcks].
//
// # Large packets and messages
//
// With [Config.MaxPacket] a packet that does not fit into a datagram is sent in
// fragments. [Peer.Send], [Client.Send], [Server.Broadcast] and
// [Session.SealEach] do so, with the last fragment in the datagram of the other
// packets if it has room. A lost datagram loses only the packets that it has a
// part of. A receiver keeps at most [MaxPartial] incomplete packets, and each for
// at most [PartialTimeout]. A peer may use (MaxPartial + 1) * MaxPacket bytes of
// memory. The value of a [Tracked] packet in fragments is delivered with the last
// fragment, and lost with the first that is lost.
//
// With [Config.Messages] a session sends some packets again until they are
// acknowledged: see [Session.Queue]. The other side handles each once, in order.
//
// Neither is a stream. All unacknowledged messages share the room of one
// datagram, and the fragments of a packet are sent at once, without regard to
// what the path can carry. Use a stream for bulk data, such as one of QUIC.
//
// # Statistics
//
// [Session.Stats] and [Server.Stats] return the datagrams, packets and bits that
// were sent and received, by type, with the bits of everything around the packets,
// and the refusals by reason. Printed, they are tables. Counting is always on,
// takes some nanoseconds per datagram and packet, and allocates nothing. A [Profile]
// finds the most expensive fields of the packets that a program gives it.
//
// [Counters] count only accepted packets and refusals. Any number of sessions, a
// gate and a [Stateless] may share them.
//
// # What each protection stops
//
// There are three kinds of attacker. One can send datagrams with a false source
// address. Another can also observe datagrams and replay them. The third can
// also hold them back and change them.
//
// None stops no attacker. A session still refuses every datagram that no sender
// would produce, which catches most accidents, but anyone who knows the tags can
// send anything. Only the end check detects a datagram of another protocol.
//
// CRC32 stops accidents: it accepts a damaged datagram, or one of another
// protocol, once in 2^32 times. It cannot tell the two apart, which is why the
// handshake compares ids. It stops no attacker, since anyone can compute a CRC.
// With None or CRC32, a single datagram with a false address and a high sequence
// number makes a session refuse all later datagrams as too old.
//
// HMAC stops forgery, damage and mistaken protocols. Without the secret nobody
// can make or change a datagram, or reuse one from another session or direction,
// except by guessing all n bytes. It does not encrypt: anyone on the path can
// read the packets.
//
// ChaCha20Poly1305 and AES256GCM stop the same attacks, and encrypt the packets.
// They do not hide the packets' lengths and times, or the sequence numbers.
// AES256GCM is faster on CPUs with instructions for it. With it a session sends
// at most 2^23 datagrams, the limit of QUIC (RFC 9001, section 6.6). That lasts
// 38 hours at 60 datagrams per second. Then the session fails with
// [ErrExhausted], and the other side refuses any further datagram. A program
// should join again before that; [Session.Sent] returns the number sent.
//
// A [Stateless] datagram is protected against accidents at most, whatever the
// protocol's protection is: by its CRC with [PrefixCRC32], and by nothing with an
// id. Anyone can make one. In return there is no sequence number that a forged
// datagram could advance.
//
// A key is never used twice with the same sequence number. A session cannot be
// reset, and copies of a session share its state. A [Join] makes one session,
// whatever arrives afterwards. A [Gate] makes at most one session per response,
// and its half of the salt is fresh for each. Two cases are left to the program: a salt
// that it passes to [Protocol.NewSession] itself, and a process restarted from an
// image of its memory.
//
// Under every protection a datagram is accepted once. A window over the last
// [WindowSize] sequence numbers refuses those already seen and all older ones.
// Without a key this does not stop an attacker. The window advances only after a
// datagram has been authenticated, so a forged sequence number cannot cause a
// genuine datagram to be refused. A sender that has used all sequence numbers
// refuses to send.
//
// The checks run in order of their cost: length, form of the header, sequence
// number, protection, end check, type, value. Up to the type, a refusal
// allocates nothing and is a bare [Refusal]; if a [Mux] has no handler for the
// type, an [*Error] made in advance names it. The value is decoded last because
// that costs the most: an error of tagcodec names the field and is allocated.
// With a key, only those who have it get that far. Checksums, MACs and tags are
// compared in constant time.
//
// Nothing in this package stops the following. Anyone who has the secret, such
// as a player who cheats, can send any packet that the types allow, at any rate.
// Anyone who can hold back datagrams can keep a client from joining or end its
// session. A secret that leaks makes all recorded sessions under it readable:
// there is no key exchange, and therefore no forward secrecy. Clients that share
// a secret can impersonate the server to each other, so each client should have
// its own, for instance from a login over TLS. No endpoint can stop a flood that
// fills its network link.
//
// # A server
//
// A [Server] holds its current clients, called peers, and calls functions of the
// program when one joins, leaves or is turned away. The program owns the socket
// and the clock:
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
//			mux.Serve(peer.Context(), contents) // handlers call PeerFrom to get the peer
//		}
//	}
//	for now := range ticker.C { // another
//		server.Tick(now)
//		server.Broadcast(batch) // or Send for each peer of server.All()
//	}
//
// A [Client] has the corresponding methods. [Client.Tick] returns an error when
// the client has ended.
//
// ServerConfig.MaxPeers bounds the number of peers, and ServerConfig.PerAddress
// bounds it for each IPv4 address and each IPv6 /64 network. A client over
// either limit is turned away with [ErrFull].
//
// Keepalives and disconnects are datagrams like any other: they have sequence
// numbers and are protected, so only a holder of the key can make one. Each side
// sends a keepalive when it has sent nothing else for a while. A side ends the
// session when it has received nothing authentic for its timeout. A disconnect
// is sent three times and is not acknowledged. The side that receives it ends
// the session at once.
//
// The server identifies clients by these rules:
//
//   - A user has one session. When a user who has proved its identity joins again
//     from elsewhere, the new session replaces the old one, and the old client
//     receives [ReasonReplaced]. The new peer takes over the Value of the old one.
//     With ServerConfig.KeepOlder the later client is turned away with
//     [ErrOccupied] instead.
//   - When a user joins again from the same address and port, its program has
//     restarted. The new session always replaces the old one.
//   - Another user who joins from the address and port of a peer is turned away
//     with [ErrOccupied] until that peer has left or timed out. No unproven
//     datagram affects a peer, whatever its source address.
//   - When a NAT gives a client another port, the server does not know the new
//     address and refuses the client's datagrams. It keeps sending to the old port,
//     so the client hears nothing, ends with [ReasonTimeout] and joins again; the
//     new session then replaces the old one. A session does not move to the source
//     address of a datagram: an attacker on the path could hold back one datagram,
//     send it from elsewhere, and receive everything that follows.
//   - A recorded response cannot be used to join again, whether the client is still
//     connected or has left: the gate repeats its earlier answer. If the gate has
//     forgotten the answer, it also refuses all tokens as old as the response's.
//   - Without keys, users prove nothing. [Server.ByUser] finds nobody, and a user
//     may have any number of sessions. A session belongs to an address and port and
//     to one attempt to join: anyone who can receive at the address can replace the
//     session, and anyone who can send from it can end the session. The limit that
//     remains is PerAddress, whose default is then 8.
//
// # The handshake
//
// A [Gate] answers a request with a token: an HMAC, under a key of its own, over
// the client's address, its nonce and the time. The gate stores nothing about
// the request. Only a client that receives at its address can return the token,
// which it must do within 10 seconds. Only then does the gate look up the
// client's secret. A reply is never longer than the datagram it answers.
//
//	what arrives                              what it costs                    reply
//	not of the handshake, or malformed        nothing                          none
//	a request of another format or id         nothing                          rejection
//	a request                                 an HMAC                          challenge
//	a response with a stale or false token    at most two HMACs                challenge
//	a response that was let in before         an HMAC and a lookup             the same as before
//	too many responses from the address       an HMAC and a lookup             none
//	a response from an unknown user           Admit and four HMACs             rejection
//	a response with an invalid proof          Admit and four HMACs             rejection
//	a response that the server turns away     Admit and seven HMACs            rejection
//	a response with a valid proof             Admit, seven HMACs and the keys  welcome
//
// Only the last of them allocates memory. [GateConfig] bounds how often Admit is
// called for an address, where an address is an IPv4 address or an IPv6 /64
// network. The work for an unknown user and for an invalid proof is the same,
// apart from that of Admit itself, so timing does not reveal which users exist.
// (This holds for secrets of up to 55 bytes; a longer one takes SHA-256 another
// block.)
//
// The salt of a session consists of random bytes from both sides. The server's
// half is fresh for every session. A response makes one session. If the same
// response arrives again, whoever sent it, the gate repeats the welcome and
// returns no client. For this the gate remembers a bounded number of attempts.
// When it has to forget one, it refuses tokens as old as that attempt's and
// challenges their clients again. After a restart, earlier tokens are invalid.
// [Gate.Rotate] replaces the key that signs tokens.
//
// A rejection sent before the client has proved its identity, such as
// [ErrDenied], is not authentic. It repeats the client's nonce, so its sender
// must have seen that nonce. A program may ignore it and continue with the
// [Join], as if a datagram had been lost. A rejection sent after the client's
// proof, such as [ErrFull], carries a proof of its own. An attacker who observes
// a client's response and can send from its address can use up the Rate and
// Burst of that address.
//
// A gate answers a client of another [Format] with a rejection that names its
// own format, so that the client fails with [ErrFormat].
//
// [docs/WIRE.md]: https://github.com/gobitpack/bitpack/blob/main/docs/WIRE.md#datagrams
package packet

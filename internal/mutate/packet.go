package main

// packetFaults are faults of tagcodec/packet.
var packetFaults = []fault{
	// Protection and keys.
	{name: "a proof is compared in variable time", file: "tagcodec/packet/join.go", pkg: packet,
		old: "subtle.ConstantTimeCompare(proof, w.Proof[:]) == 0", new: "string(proof) != string(w.Proof[:])", run: "TestConstantTime"},
	{name: "the MAC does not cover the header", file: "tagcodec/packet/protection.go", pkg: packet,
		old: "data := datagram[g.protection.prefixLen():]", new: "data := datagram[g.protection.prefixLen()+1:]", run: "TestEveryBitFlip|TestPacketIsNoControl"},
	{name: "the tag of an AEAD does not cover the kind", file: "tagcodec/packet/protection.go", pkg: packet,
		old: "g.nonce[0] ^= kind", new: "_ = kind", run: "TestPacketIsNoControl"},
	{name: "a nonce is reused after the last number", file: "tagcodec/packet/session.go", pkg: packet,
		old: "s.out.spent = s.out.next == 0", new: "s.out.spent = false", run: "TestLastSequence"},
	{name: "the window is one number too short", file: "tagcodec/packet/window.go", pkg: packet,
		old: "return age < WindowSize &&", new: "return age < WindowSize-1 &&", run: "TestWindowEdges"},

	// The handshake.
	{name: "tokens do not expire", file: "tagcodec/packet/token.go", pkg: packet,
		old: "age < 0 || age > tokenLifetime.Milliseconds()", new: "age < 0", run: "TestTokens$"},
	{name: "the limiter allows one event too many", file: "tagcodec/packet/limit.go", pkg: packet,
		old: "tolerance: int64(burst-1) * interval,", new: "tolerance: int64(burst) * interval,", run: "TestLimiterClock|TestAdmitIsBounded"},

	// Acknowledgements, fragments and messages.
	{name: "a bit between two words of an ack section is shifted", file: "tagcodec/packet/acks.go", pkg: packet,
		old: "w |= s.bits[i+1] << 63", new: "w |= s.bits[i+1] << 62", run: "TestAckSections$"},
	{name: "a fragment after the timeout starts its packet anew", file: "tagcodec/packet/fragment.go", pkg: packet,
		old: "\t\t\ta.finish(pt.number)\n\t\t\tpt.data, pt.total = nil, 0", new: "\t\t\tpt.data, pt.total = nil, 0", run: "TestFragmentsGivenUp"},
	{name: "two goroutines handle a message", file: "tagcodec/packet/message.go", pkg: packet,
		old: "c.claimed = !in.inbox.claimed && c.number", new: "c.claimed = c.number", run: "TestMessageClaimed"},

	// Memory, limits and counters of sessions and servers.
	{name: "a handler's context is given to another peer", file: "tagcodec/packet/arrival.go", pkg: packet,
		old: "if a == nil || a.Context != parent {", new: "if a == nil {", run: "TestArrivalContext"},
	{name: "a welcome is kept in the buffer of the next reply", file: "tagcodec/packet/server_join.go", pkg: packet,
		old: "welcome: slices.Clone(reply)", new: "welcome: reply", run: "TestWelcomeOutlivesItsBuffer"},
	{name: "a server has one peer too many", file: "tagcodec/packet/server_join.go", pkg: packet,
		old: "peers >= s.config.MaxPeers", new: "peers > s.config.MaxPeers", run: "TestServerFull"},
	{name: "an address has one peer too many", file: "tagcodec/packet/server_join.go", pkg: packet,
		old: "neighbours >= s.config.PerAddress", new: "neighbours > s.config.PerAddress", run: "TestPerAddress"},
	{name: "shared counters do not count refusals", file: "tagcodec/packet/stats.go", pkg: packet,
		old: "\t\ts.counters.Refuse(r)", new: "", run: "TestStatsOfRefusals"},
	{name: "a place in the ring of sent datagrams is identified by its state alone", file: "tagcodec/packet/flights.go", pkg: packet,
		old: "fl.seq != seq || fl.state != state", new: "fl.state != state", run: "TestReportsBesideSending"},
	{name: "a datagram is lost one too late by order", file: "tagcodec/packet/flights.go", pkg: packet,
		old: "seq >= leastReorder+", new: "seq > leastReorder+", run: "TestLossByOrderAndTime"},
	{name: "a fragment gets the memory that it claims", file: "tagcodec/packet/fragment.go", pkg: packet,
		old: "data: data[:0]", new: "data: make([]byte, 0, f.total)", run: "TestFragmentsPayForMemory"},
}

const packet = "./tagcodec/packet"

package packet

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"net/netip"
	"sync"
	"time"
)

// limiter bounds how often something is done for an address, in fixed memory.
// Each address has a bucket of burst events that one event per interval
// refills. Addresses are IPv4 addresses and IPv6 networks of 64 bits.
//
// The table has sets of a few slots, and a seeded hash chooses the set of an
// address. An address without a slot takes the one of its set that owes least,
// with what that owes. So an address never gets more than its bucket holds,
// whatever others do to the table, and all together get at most what the slots
// allow.
type limiter struct {
	mu        sync.Mutex
	seed      maphash.Seed
	slots     []slot
	interval  int64 // nanoseconds
	tolerance int64 // of burst-1 events
}

// slot is an address and when its bucket will be full again, in nanoseconds.
type slot struct {
	address uint64
	full    int64
}

// slotsPerSet is the number of addresses that share a hash without one taking
// the slot of another.
const slotsPerSet = 4

func newLimiter(rate float64, burst, addresses int) *limiter {
	interval := max(1, int64(min(float64(time.Second)/rate, float64(time.Hour))))
	burst = min(burst, int(min(math.MaxInt/2, math.MaxInt64/4/interval)))
	l := &limiter{
		seed:      maphash.MakeSeed(),
		slots:     make([]slot, (addresses+slotsPerSet-1)/slotsPerSet*slotsPerSet),
		interval:  interval,
		tolerance: int64(burst-1) * interval,
	}
	for i := range l.slots {
		l.slots[i].full = math.MinInt64
	}
	return l
}

// allow reports whether an address may do it once more, and counts it if so.
// A clock that is set back makes an address wait no longer than an empty
// bucket does.
func (l *limiter) allow(a netip.Addr, now int64) bool {
	address := network(a)
	sets := uint64(len(l.slots) / slotsPerSet)
	at := maphash.Comparable(l.seed, address) % sets * slotsPerSet
	set := l.slots[at : at+slotsPerSet]
	l.mu.Lock()
	defer l.mu.Unlock()
	s := &set[0]
	for i := range set {
		if set[i].address == address {
			s = &set[i]
			break
		}
		if set[i].full < s.full {
			s = &set[i]
		}
	}
	s.full = min(s.full, now+l.tolerance+l.interval)
	full := max(s.full, now)
	if full-now > l.tolerance {
		return false
	}
	*s = slot{address, full + l.interval}
	return true
}

// network returns what of an address its owner cannot change at will: all of
// an IPv4 address and the first half of an IPv6 one. An IPv4 address is
// distinct from every network that datagrams come from: ff00::/8 is multicast.
func network(a netip.Addr) uint64 {
	b := a.As16()
	if a.Is4() || a.Is4In6() {
		return 0xffff<<48 | uint64(binary.BigEndian.Uint32(b[12:]))
	}
	return binary.BigEndian.Uint64(b[:8])
}

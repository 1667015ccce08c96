package packet

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"net/netip"
	"sync"
	"time"
)

// limiter bounds the rate of an event per address, in fixed memory. Each
// address has a token bucket that holds burst events and regains one per
// interval. An address is an IPv4 address or an IPv6 /64 network.
//
// The table consists of small sets of slots, and a seeded hash selects the set
// of an address. An address without a slot takes over the fullest bucket of its
// set at that bucket's current level. No address therefore ever gets more than
// its bucket holds, whatever other addresses do, and all addresses together get
// at most what the slots allow.
type limiter struct {
	mu        sync.Mutex
	seed      maphash.Seed
	slots     []slot
	interval  int64 // nanoseconds
	tolerance int64 // burst-1 intervals, in nanoseconds
}

// slot is an address and the time at which its bucket is full again, in
// nanoseconds.
type slot struct {
	address uint64
	full    int64
}

// slotsPerSet is the number of addresses with the same hash that can each keep
// a slot.
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

// allow reports whether the event is allowed for an address now, and counts it
// if so. After the clock is set back, an address waits no longer than with an
// empty bucket.
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

// network returns the part of an address that its owner cannot change freely: a
// whole IPv4 address, or the first half of an IPv6 address. An IPv4 address
// maps to a value in ff00::/8, which is multicast and therefore never a source
// address.
func network(a netip.Addr) uint64 {
	b := a.As16()
	if a.Is4() || a.Is4In6() {
		return 0xffff<<48 | uint64(binary.BigEndian.Uint32(b[12:]))
	}
	return binary.BigEndian.Uint64(b[:8])
}

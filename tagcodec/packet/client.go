package packet

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// ClientConfig configures a [Client].
type ClientConfig struct {
	// Send sends a datagram to the server. The bytes are valid until it
	// returns. Send is required. It is called without any lock held, by any
	// goroutine that calls a method of the client.
	Send func(datagram []byte)

	// User and Secret identify the client: see [Protocol.Join].
	User   uint64
	Secret []byte

	// Timeout is how long the server may stay silent, or 0 for
	// [DefaultTimeout].
	Timeout time.Duration
	// Keepalive is how long the client sends nothing before it sends a
	// keepalive, or 0 for a fifth of Timeout. It must be less than the server's
	// Timeout.
	Keepalive time.Duration
	// Reported is called with a report of each datagram that the client has
	// sent in its session, as by [Session.OnReport]. It may be nil, and must be
	// if the protocol has no [Config.Acks].
	Reported func(r Report)
	// Counters counts for the client and its session. If it is nil, the client
	// allocates its own.
	Counters *Counters
}

// joinInterval is how long a client waits for a reply before it sends its
// handshake datagram again.
const joinInterval = 200 * time.Millisecond

// ErrNotJoined says that a client has no session yet.
var ErrNotJoined = errors.New("packet: the client has not joined yet")

// Client is a client of a [Server]. It joins, opens the server's datagrams,
// sends keepalives, and detects when the server disconnects it or falls silent.
// It has no socket, clock or goroutine: the program calls [Client.Receive] with
// each datagram that arrives, and [Client.Tick] several times a second. It is
// safe for concurrent use.
//
// A client joins once. To join again, make another Client.
type Client struct {
	config  ClientConfig
	session atomic.Pointer[Session] // nil until the client has joined

	mu    sync.Mutex
	join  *Join
	err   error     // why the client has ended, or nil
	heard time.Time // when the server was last heard; at first the time of the first tick
	said  time.Time // when the client was last found to have sent something
	sent  uint64    // number of the session's datagrams sent by then
}

// NewClient returns a client of the protocol. It starts to join with the first
// [Client.Tick].
func (p *Protocol) NewClient(c ClientConfig) (*Client, error) {
	switch {
	case c.Send == nil:
		return nil, errors.New("packet: ClientConfig.Send is nil")
	case c.Timeout < 0 || c.Keepalive < 0:
		return nil, fmt.Errorf("packet: ClientConfig.Timeout is %v and Keepalive is %v; they must not be negative", c.Timeout, c.Keepalive)
	case c.Reported != nil && !p.config.Acks:
		return nil, errors.New("packet: ClientConfig.Reported needs a protocol with Acks")
	}
	join, err := p.Join(c.User, c.Secret)
	if err != nil {
		return nil, err
	}
	c.Timeout, c.Keepalive = intervals(c.Timeout, c.Keepalive)
	if c.Counters == nil {
		c.Counters = new(Counters)
	}
	return &Client{config: c, join: join}, nil
}

// Session returns the client's session, or nil if it has not joined yet.
func (c *Client) Session() *Session { return c.session.Load() }

// Counters returns the counters of the client and its session.
func (c *Client) Counters() *Counters { return c.config.Counters }

// Err returns why the client has ended, a [*RejectedError] or a [Reason], or
// nil.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Receive handles a datagram that arrived from the server and returns its
// contents, which [Mux.Serve] can dispatch. Receive handles the handshake,
// keepalives and disconnects itself; their contents have no packets. An error
// says why the client has ended or why the datagram was refused. A refusal has
// been counted, and the caller need not do anything about it. Receive
// overwrites the datagram.
func (c *Client) Receive(datagram []byte, now time.Time) (Contents, error) {
	s := c.Session()
	if s == nil {
		return Contents{}, c.joining(datagram, now)
	}
	if err := c.Err(); err != nil {
		return Contents{}, err
	}
	if IsHandshake(datagram) { // a repeated reply
		c.config.Counters.Refuse(ErrReplayed)
		return Contents{}, ErrReplayed
	}
	s.setTime(now)
	contents, err := s.Open(datagram)
	if err != nil {
		return Contents{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = now
	if contents.control == Disconnect && c.err == nil {
		c.err = contents.reason
	}
	return contents, nil
}

// joining handles a datagram of a client that has not joined yet, and sends the
// answer.
func (c *Client) joining(datagram []byte, now time.Time) error {
	buf := datagrams.Get().(*[]byte)
	defer datagrams.Put(buf)
	answer, err := c.answer((*buf)[:0], datagram, now)
	*buf = answer[:0]
	if len(answer) > 0 {
		c.config.Send(answer)
	}
	return err
}

func (c *Client) answer(dst, datagram []byte, now time.Time) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return dst, c.err
	}
	if c.session.Load() != nil { // another goroutine has just joined
		return dst, ErrReplayed
	}
	session, err := c.join.Read(datagram)
	var rejected *RejectedError
	switch {
	case errors.As(err, &rejected):
		c.err = err
	case err != nil:
		if r, ok := err.(Refusal); ok {
			c.config.Counters.Refuse(r)
		}
	case session != nil:
		session.CountIn(c.config.Counters)
		session.setTime(now)
		if c.config.Reported != nil {
			session.OnReport(c.config.Reported)
		}
		c.heard, c.said = now, now
		c.session.Store(session)
	default:
		c.said = now
		return c.join.Append(dst)
	}
	return dst, err
}

// Tick continues the handshake, sends a keepalive if the client has sent
// nothing else, and ends the client if the server has been silent for longer
// than the timeout. With [Config.Acks] it also reports what is lost, and
// acknowledges what has waited since the last tick. It returns why the client has ended, or nil. The program
// calls it several times a second, for example after each frame.
func (c *Client) Tick(now time.Time) error {
	buf := datagrams.Get().(*[]byte)
	defer datagrams.Put(buf)
	if s := c.Session(); s != nil && c.Err() == nil {
		s.Tick(now)
		c.flush(s, buf)
	}
	datagram, err := c.tick((*buf)[:0], now)
	*buf = datagram[:0]
	if len(datagram) > 0 {
		c.config.Send(datagram)
	}
	if reason, ok := err.(Reason); ok {
		c.end(reason)
	}
	return c.Err()
}

// flush sends what the session has to send. Errors show when the client itself
// sends.
func (c *Client) flush(s *Session, buf *[]byte) {
	datagram, err := s.Flush((*buf)[:0])
	*buf = datagram[:0]
	if err == nil && len(datagram) > 0 {
		c.config.Send(datagram)
	}
}

// tick appends the datagram to send now, if there is one. A [Reason] as error
// means that the client ends.
func (c *Client) tick(dst []byte, now time.Time) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return dst, nil
	}
	if c.heard.IsZero() { // the first tick
		c.heard, c.said = now, now.Add(-joinInterval)
	}
	if now.Sub(c.heard) > c.config.Timeout {
		return dst, ReasonTimeout
	}
	quiet := now.Sub(c.said)
	s := c.Session()
	if s == nil {
		if quiet < joinInterval {
			return dst, nil
		}
		c.said = now
		return c.join.Append(dst)
	}
	if sent := s.Sent(); sent != c.sent {
		c.sent, c.said = sent, now
		return dst, nil
	}
	if quiet < c.config.Keepalive {
		return dst, nil
	}
	dst, err := s.AppendKeepalive(dst)
	if err == ErrExhausted {
		return dst, ReasonExhausted
	}
	c.sent, c.said = c.sent+1, now
	return dst, err
}

// Send sends a datagram of packets to the server, built as by [Session.Append],
// or several if a packet is sent in fragments.
// It fails with [ErrNotJoined] before the client has joined, and with the error
// of [Client.Err] after the client has ended.
func (c *Client) Send(packets ...any) error {
	s := c.Session()
	if err := c.Err(); err != nil {
		return err
	}
	if s == nil {
		return ErrNotJoined
	}
	b := s.p.borrowBatch()
	defer batches.Put(b)
	if err := b.addAll(packets); err != nil {
		return err
	}
	return s.SealEach(b, func(datagram []byte) error {
		c.config.Send(datagram)
		return nil
	})
}

// Queue adds a message to those of the client's session: see [Session.Queue]. If
// nothing else is sent, [Client.Tick] sends it. It fails as [Client.Send] does if
// the client has not joined or has ended.
func (c *Client) Queue(v any) error {
	s := c.Session()
	if err := c.Err(); err != nil {
		return err
	}
	if s == nil {
		return ErrNotJoined
	}
	return s.Queue(v)
}

// Disconnect ends the client and sends the reason to the server: [ReasonLeft],
// or one that the program defines. It does nothing if the client has already
// ended. It panics if reason is 0.
func (c *Client) Disconnect(reason Reason) {
	if reason == 0 {
		panic("packet: Disconnect: the reason must not be 0")
	}
	c.end(reason)
}

func (c *Client) end(reason Reason) {
	c.mu.Lock()
	over := c.err != nil
	if !over {
		c.err = reason
	}
	c.mu.Unlock()
	if s := c.Session(); s != nil && !over {
		s.dismiss(reason, c.config.Send)
	}
}

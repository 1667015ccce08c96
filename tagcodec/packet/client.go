package packet

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// ClientConfig is what a [Client] is made with.
type ClientConfig struct {
	// Send sends a datagram to the server. The bytes are valid until it returns.
	// It must be set. It is called without any lock, by any goroutine that calls a
	// method of the client.
	Send func(datagram []byte)

	// User and Secret are as whom the client joins: see [Protocol.Join].
	User   uint64
	Secret []byte

	// Timeout is how long the server may be silent, or 0 for [DefaultTimeout].
	Timeout time.Duration
	// Keepalive is how long the client is silent before it sends a keepalive, or 0
	// for a fifth of the timeout. It must be less than the timeout of the server.
	Keepalive time.Duration
	// Counters is where the client and its session count, or nil.
	Counters *Counters
}

// joinInterval is how long a client waits for an answer of the handshake.
const joinInterval = 200 * time.Millisecond

// ErrNotJoined says that a client has no session yet.
var ErrNotJoined = errors.New("packet: the client has not joined yet")

// Client is a client of a [Server]. It joins, opens the server's datagrams,
// sends keepalives, and notices when the server disconnects it or falls silent.
// It has no socket, no clock and no goroutine: the program calls
// [Client.Receive] with each datagram that arrives and [Client.Tick] several
// times a second. It is safe for concurrent use.
//
// A client joins once. To join again, make another.
type Client struct {
	config  ClientConfig
	session atomic.Pointer[Session] // nil until it has joined

	mu    sync.Mutex
	join  *Join
	err   error     // why it is over
	heard time.Time // when the server was heard last, or since when it is waited for
	said  time.Time // when the client was last seen to have sent something
	sent  uint64    // how many datagrams of the session it had sent then
}

// NewClient returns a client of the protocol. The first [Client.Tick] starts to
// join.
func (p *Protocol) NewClient(c ClientConfig) (*Client, error) {
	switch {
	case c.Send == nil:
		return nil, errors.New("packet: a client needs a function that sends")
	case c.Timeout < 0 || c.Keepalive < 0:
		return nil, errors.New("packet: a client cannot have a timeout or keepalive below 0")
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

// Counters returns where the client and its session count.
func (c *Client) Counters() *Counters { return c.config.Counters }

// Err returns why the client is over, or nil: a [*RejectedError], or a [Reason].
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Receive takes a datagram that arrived from the server, and returns what it
// contains, such as packets for [Mux.Serve]. Datagrams of the handshake,
// keepalives and disconnects are dealt with, and their contents have no packets.
// The error is why the client is over, or why the datagram was refused. A
// refusal is counted, and there is nothing else to do about it. Receive
// overwrites the datagram.
func (c *Client) Receive(datagram []byte, now time.Time) (Contents, error) {
	s := c.Session()
	if s == nil {
		return Contents{}, c.joining(datagram, now)
	}
	if err := c.Err(); err != nil {
		return Contents{}, err
	}
	if IsHandshake(datagram) { // an answer that comes twice
		c.config.Counters.Refuse(ErrReplayed)
		return Contents{}, ErrReplayed
	}
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

// joining reads a datagram before the client has joined, and answers it.
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
	if c.session.Load() != nil { // another goroutine was faster
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
		c.heard, c.said = now, now
		c.session.Store(session)
	default:
		c.said = now
		return c.join.Append(dst)
	}
	return dst, err
}

// Tick joins, sends a keepalive if nothing else was sent, and notices when
// nothing was heard of the server for longer than the timeout. It returns why
// the client is over, or nil. The program calls it several times a second, such
// as after each frame.
func (c *Client) Tick(now time.Time) error {
	buf := datagrams.Get().(*[]byte)
	defer datagrams.Put(buf)
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

// tick appends the datagram to send now, if there is one. It returns a [Reason]
// to disconnect.
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

// Send sends a datagram of packets to the server, as [Session.Append] makes it.
// It fails with [ErrNotJoined] before the client has joined, and with what
// [Client.Err] returns when it is over.
func (c *Client) Send(packets ...any) error {
	s := c.Session()
	if err := c.Err(); err != nil {
		return err
	}
	if s == nil {
		return ErrNotJoined
	}
	buf := datagrams.Get().(*[]byte)
	defer datagrams.Put(buf)
	datagram, err := s.Append((*buf)[:0], packets...)
	if err != nil {
		return err
	}
	*buf = datagram
	c.config.Send(datagram)
	return nil
}

// Disconnect ends the client and tells the server, for a reason that must not be
// 0: [ReasonLeft], or one of the program. It does nothing if the client is over.
func (c *Client) Disconnect(reason Reason) {
	if reason == 0 {
		panic("packet: Disconnect: there is no reason 0")
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

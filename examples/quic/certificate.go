package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/big"
	"time"
)

// pin is the SHA-256 of a certificate. Clients get it with the address of the
// server, from a service that they trust. No certificate authority is needed.
type pin [sha256.Size]byte

// errCertificate means that the server does not have the certificate that the
// client expects.
var errCertificate = errors.New("quic: the server has another certificate")

// newCertificate returns a new self-signed certificate and its pin. Browsers
// take such certificates over WebTransport if they are valid for at most two
// weeks.
func newCertificate() (tls.Certificate, pin, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, pin{}, err
	}
	now := time.Now()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(0, 0, 13)}
	data, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, pin{}, err
	}
	return tls.Certificate{Certificate: [][]byte{data}, PrivateKey: key}, sha256.Sum256(data), nil
}

// serverTLS returns the TLS configuration of a server.
func serverTLS(certificate tls.Certificate) *tls.Config {
	return &tls.Config{
		MinVersion:   tls.VersionTLS13,
		NextProtos:   []string{protocol},
		Certificates: []tls.Certificate{certificate},
	}
}

// clientTLS returns the TLS configuration of a client that talks to no server
// but the one with the pinned certificate. The handshake proves that the server
// has the certificate's key.
func clientTLS(want pin, protocol string) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13,
		NextProtos: []string{protocol},
		// VerifyConnection replaces the checks that this turns off.
		InsecureSkipVerify: true,
		VerifyConnection: func(s tls.ConnectionState) error {
			if sha256.Sum256(s.PeerCertificates[0].Raw) != want {
				return errCertificate
			}
			return nil
		},
	}
}

// Package endpoint is what all adapters of model.Model need of HTTP: connections,
// redirects, bodies of bounded size, waits that are asked for, and addresses
// without their secrets.
package endpoint

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// Transport keeps enough connections open that no call waits for a handshake. conns is the most that are open to one server.
func Transport(conns int) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost, t.MaxConnsPerHost = conns, conns, conns
	t.ReadBufferSize, t.WriteBufferSize = 2<<10, 4<<10 // of each of a thousand connections; most short prompts are one write
	dialer := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return thriftyConn{conn}, nil
	}
	return t
}

// OnlySameServer follows a redirect that sends the same request to the same
// server, as http.Client.CheckRedirect. Any other ends the call with the redirect as its answer: the key and
// the prompt are for the address that was given, and a POST that is turned into
// a GET asks for something else.
func OnlySameServer(next *http.Request, sent []*http.Request) error {
	first := sent[0]
	if len(sent) < 4 && next.Method == first.Method && next.URL.Scheme == first.URL.Scheme && next.URL.Host == first.URL.Host {
		return nil
	}
	return http.ErrUseLastResponse
}

// A thriftyConn sends long bodies through shared buffers. Left alone, net/http
// makes new ones for each request that is longer than its write buffer, as
// prompts are, and collecting them costs more than sending.
type thriftyConn struct{ net.Conn }

var sendBuffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// ReadFrom implements io.ReaderFrom, which net/http looks for.
func (c thriftyConn) ReadFrom(r io.Reader) (int64, error) {
	buf := sendBuffers.Get().(*[32 << 10]byte)
	defer sendBuffers.Put(buf)
	return io.CopyBuffer(struct{ io.Writer }{c.Conn}, r, buf[:])
}

package pgtest

import (
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"omniscope/internal/testing/fixture"
)

// A Proxy stands between clients and a server, and can cut all connections.
type Proxy struct {
	server   string
	listener net.Listener

	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

// NewProxy starts a proxy and returns the database's address by way of it.
func NewProxy(t testing.TB, s *Server, address string) (*Proxy, string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "pgproxy") // not the test's own: paths of sockets must be short
	fixture.OK(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	p := &Proxy{server: s.Socket(), conns: make(map[net.Conn]struct{})}
	if p.listener, err = net.Listen("unix", filepath.Join(dir, filepath.Base(s.Socket()))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.listener.Close()
		p.Cut()
	})
	go p.serve()
	u, err := url.Parse(address)
	fixture.OK(t, err)
	u.RawQuery = url.Values{"host": {dir}}.Encode()
	return p, u.String()
}

func (p *Proxy) serve() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("unix", p.server)
		if err != nil {
			client.Close()
			continue
		}
		p.mu.Lock()
		p.conns[client], p.conns[server] = struct{}{}, struct{}{}
		p.mu.Unlock()
		go p.pass(client, server)
		go p.pass(server, client)
	}
}

func (p *Proxy) pass(from, to net.Conn) {
	_, _ = io.Copy(to, from)
	from.Close()
	to.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, from)
	delete(p.conns, to)
}

// Cut cuts all connections, wherever in a message they are.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.Close()
	}
}

// Package web serves pages to a browser: the look they share, the files they need, and
// who may ask. What the pages show is in the packages below.
package web

import (
	"context"
	"crypto/tls"
	"embed"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/webpage"
)

//go:embed static/htmx.min.js static/page.js
var static embed.FS

// policy keeps a page to what this server serves: whatever a model or a data set wrote,
// no script of theirs runs, and nothing is asked of another server.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

//go:embed static/page.css
var ownStyle string

// Handler puts what all pages have in common around the pages: their files below
// /static/, the style sheet with what the pages add to it, and headers that keep them to
// this server. Only requests that name one of hosts are answered, so that a page from
// elsewhere cannot reach a server on this machine under a name of its own; nil answers
// all.
func Handler(pages http.Handler, style string, hosts []string) http.Handler {
	mux := http.NewServeMux()
	started := time.Now()
	mux.HandleFunc("GET /static/page.css", func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "page.css", started, strings.NewReader(webpage.Style+ownStyle+style))
	})
	files, err := fs.Sub(static, "static")
	if err != nil {
		panic(err) // the name is a constant
	}
	mux.Handle("GET /static/", http.StripPrefix("/static/", http.FileServerFS(files)))
	mux.Handle("/", pages)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isAllowed(r.Host, hosts) {
			http.Error(w, "This server does not answer for "+r.Host+".", http.StatusForbidden)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		mux.ServeHTTP(w, r)
	})
}

func isAllowed(asked string, hosts []string) bool {
	if hosts == nil {
		return true
	}
	name, _, err := net.SplitHostPort(asked)
	if err != nil {
		name = asked
	}
	for _, host := range hosts {
		if name == host || name == "["+host+"]" {
			return true
		}
	}
	return false
}

// A Server is a listener that is open.
type Server struct {
	URL   string   // of the first page
	Hosts []string // for Handler; nil = any
	Open  bool     // other machines can reach it

	listener net.Listener
}

// Secure has the server speak TLS, or answer for the host name of a proxy that does; nil and ""
// change nothing.
func (s *Server) Secure(c *tls.Config, proxy string) error {
	if c != nil {
		s.listener = tls.NewListener(s.listener, c)
		s.URL = "https" + strings.TrimPrefix(s.URL, "http")
	}
	if proxy == "" {
		return nil
	}
	if strings.ContainsAny(proxy, "/: ") {
		return omniscope.Usagef("--behind-proxy wants the host name alone, such as annotate.example.org, not %q", proxy)
	}
	s.URL, s.Hosts = "https://"+proxy+"/", append(s.Hosts, proxy)
	return nil
}

// Close closes a server that does not serve.
func (s *Server) Close() error { return s.listener.Close() }

// Listen opens an address, host:port. Where the port is taken and the address was not
// asked for, any free one is taken.
func Listen(address string, asked bool) (*Server, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, omniscope.Usagef("--listen wants HOST:PORT, such as 127.0.0.1:7460, not %q", address)
	}
	l, err := net.Listen("tcp", address)
	if err != nil && !asked {
		l, err = net.Listen("tcp", net.JoinHostPort(host, "0"))
	}
	if err != nil {
		return nil, omniscope.Usagef("cannot listen at %s: %w; give another address with --listen", address, err)
	}
	s := &Server{URL: "http://" + l.Addr().String() + "/", listener: l}
	if at, err := netip.ParseAddrPort(l.Addr().String()); err == nil && at.Addr().IsLoopback() {
		s.Hosts = []string{"localhost", "127.0.0.1", "::1"}
	} else {
		s.Open = true
	}
	return s, nil
}

// Serve answers requests until ctx ends.
func (s *Server) Serve(ctx context.Context, pages http.Handler, style string) error {
	server := &http.Server{Handler: Handler(pages, style, s.Hosts), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, BaseContext: func(net.Listener) context.Context { return ctx }}
	stop := context.AfterFunc(ctx, func() {
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		if server.Shutdown(late) != nil {
			_ = server.Close() // a film may still be on its way
		}
	})
	defer stop()
	if err := server.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Fail answers with an error.
func Fail(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	switch omniscope.KindOf(err) {
	case omniscope.NotFound:
		status = http.StatusNotFound
	case omniscope.Usage, omniscope.Invalid:
		status = http.StatusBadRequest
	}
	Write(w, status, failure(err))
}

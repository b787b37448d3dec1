package predict

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"omniscope"
	"omniscope/bench/predict"
	"omniscope/session/catalog"
)

// AsData sends media in the request. The other ways are catalog.AsFile and AsHTTP.
const AsData = "data"

// linkMedia gives files that are sent whole an address, if they are to have one.
func (w *Run) linkMedia() (err error) {
	switch w.MediaAs {
	case catalog.AsFile:
		w.Tested.Link = fileURL
	case catalog.AsHTTP:
		if w.served, err = serveMedia(w.ServeMedia); err != nil {
			return err
		}
		w.Tested.Link = w.served.add
		fmt.Fprintf(w.Warnings, "media are served at %s while this command runs\n", w.served.base)
	}
	return nil
}

// CheckMediaAs refuses a way of sending media that the model's provider or the
// profile does not know.
func CheckMediaAs(way, serve, model string, p *predict.Profile) error {
	if serve != "" && way != catalog.AsHTTP {
		return omniscope.Usagef("--serve-media is for --media-as http")
	}
	if way == "" || way == AsData {
		return nil
	}
	name, _, _ := strings.Cut(model, "/")
	i := slices.IndexFunc(catalog.Providers, func(p catalog.Provider) bool { return p.Name == name })
	if i < 0 || !slices.Contains(catalog.Providers[i].Fetches, way) {
		return omniscope.Usagef("--media-as %s: models of %s do not get media that way", way, name)
	}
	if p.Send != predict.AsVideo {
		return omniscope.Usagef("--media-as %s is for files that are sent whole: profile %s sends frames and sound that are made of them (send: video in a profile)", way, p.Name)
	}
	return nil
}

// fileURL is a file's address for a program that sees the same disk.
func fileURL(path string) (string, error) {
	whole, err := filepath.Abs(path)
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(whole)}).String(), err
}

// A mediaFileServer serves files by HTTP. Each file has a random name, and only files that
// were given a name are served.
type mediaFileServer struct {
	base   string
	server *http.Server
	done   chan error

	mu    sync.Mutex
	paths map[string]string // by the name in the address
	names map[string]string // by path
}

// serveMedia begins to serve at a host and port; "" is any port of 127.0.0.1.
func serveMedia(address string) (*mediaFileServer, error) {
	if address == "" {
		address = "127.0.0.1:0"
	}
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || host == "" || ip != nil && ip.IsUnspecified() {
		return nil, omniscope.Usagef("--serve-media %s: give the host, as the endpoint reaches it, and a port, such as 10.0.0.5:8080", address)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "serve media", Err: err}
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	s := &mediaFileServer{base: "http://" + net.JoinHostPort(host, port), done: make(chan error, 1), paths: make(map[string]string), names: make(map[string]string)}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	go func() { s.done <- s.server.Serve(listener) }()
	return s, nil
}

// add returns the address of a file.
func (s *mediaFileServer) add(path string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, there := s.names[path]
	if !there {
		name = "/" + rand.Text() + strings.ToLower(filepath.Ext(path))
		s.names[path], s.paths[name] = name, path
	}
	return s.base + (&url.URL{Path: name}).String(), nil
}

func (s *mediaFileServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	path, there := s.paths[r.URL.Path]
	s.mu.Unlock()
	switch {
	case !there:
		http.NotFound(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		http.Error(w, "GET or HEAD", http.StatusMethodNotAllowed)
	default:
		http.ServeFile(w, r, path) // with ranges; what is named is a file and not a folder
	}
}

// Close ends the server, and what is being fetched from it.
func (s *mediaFileServer) Close() error {
	if s == nil {
		return nil
	}
	err := s.server.Close()
	if ended := <-s.done; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return err
}

package production

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/sha256hex"
	"omniscope/run"
)

// A Fetcher downloads media from the web into a folder, each address once, and removes a file after
// its last row is done. It is safe for concurrent use.
type Fetcher struct {
	dir  string
	keep bool
	most int64 // bytes of a file
	wait time.Duration
	http *http.Client

	mu    sync.Mutex
	files map[string]*fetched // by address
}

type fetched struct {
	wanted int // by how many rows
	mu     sync.Mutex
	path   string // "" = not fetched yet
	err    error  // why it cannot be had: it is not asked for again by this command
}

// Bounds of one address.
const (
	fetchTries = 4
	fetchQuiet = time.Minute // a server that sends nothing for so long is given up
)

// NewFetcher makes a fetcher for the media of rows. No other process may use the folder meanwhile. most
// is the largest size of a file in bytes. With keep, files stay; without it, files that a killed process
// left are removed as well.
func NewFetcher(dir string, rows []Row, most int64, keep bool) *Fetcher {
	if keep {
		left, _ := filepath.Glob(filepath.Join(escaped(dir), "*", ".fetching-*")) // halves; the folder may not be there
		for _, half := range left {
			os.Remove(half)
		}
	} else {
		os.RemoveAll(dir)
	}
	f := &Fetcher{dir: dir, keep: keep, most: most, wait: time.Second, http: &http.Client{Transport: http.DefaultTransport}, files: make(map[string]*fetched)}
	for i := range rows {
		if !rows[i].Remote() {
			continue
		}
		if f.files[rows[i].Path] == nil {
			f.files[rows[i].Path] = &fetched{}
		}
		f.files[rows[i].Path].wanted++
	}
	return f
}

// Get returns the file of a row, fetched if it lies on the web, and a function to call when
// the row is done with it.
func (f *Fetcher) Get(ctx context.Context, r *Row) (file string, release func(), err error) {
	if !r.Remote() {
		return r.Path, func() {}, nil
	}
	f.mu.Lock()
	of := f.files[r.Path]
	f.mu.Unlock()
	of.mu.Lock()
	defer of.mu.Unlock()
	if of.path == "" && of.err == nil {
		if of.path, err = f.fetch(ctx, r.Path); Refused(err) {
			of.err = err
		}
	}
	return of.path, func() { f.release(r.Path) }, cmp.Or(of.err, err)
}

func (f *Fetcher) release(address string) {
	f.mu.Lock()
	of := f.files[address]
	of.wanted--
	last := of.wanted == 0
	f.mu.Unlock()
	if of.mu.Lock(); last && !f.keep && of.path != "" {
		os.Remove(of.path) // one that stays takes room and does no harm
		of.path = ""
	}
	of.mu.Unlock()
}

// Close removes what was fetched for rows that are not done, unless files stay.
func (f *Fetcher) Close() error {
	if f.keep {
		return nil
	}
	return os.RemoveAll(f.dir)
}

// place is where an address's file lies. Its ending helps tools that go by one.
func (f *Fetcher) place(address string) string {
	sum := sha256hex.Of(address)
	ending := ""
	if u, err := url.Parse(address); err == nil {
		if ext := strings.ToLower(path.Ext(u.Path)); len(ext) > 1 && len(ext) < 6 && strings.Trim(ext[1:], "abcdefghijklmnopqrstuvwxyz0123456789") == "" {
			ending = ext
		}
	}
	return filepath.Join(f.dir, sum[:2], sum+ending)
}

func (f *Fetcher) fetch(ctx context.Context, address string) (string, error) {
	to := f.place(address)
	if ondisk.IsFile(to) {
		return to, nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return "", err
	}
	var err error
	for try := range fetchTries {
		if try > 0 && !sleep(ctx, f.wait<<(try-1), err) {
			return "", err
		}
		if err = f.receive(ctx, address, to); err == nil {
			return to, nil
		}
		if !again(err) || run.Stopping(ctx).Err() != nil {
			break
		}
	}
	return "", err
}

// A refusal is what a server answered in place of the file.
type refusal struct {
	err   error // an omniscope.Error
	again bool
	after time.Duration // as the server wants it; 0 = it does not say
}

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// Refused reports whether an error of Get is of the address alone, and not of this machine's disk.
func Refused(err error) bool { return errors.As(err, new(*refusal)) }

func again(err error) bool {
	var r *refusal
	return errors.As(err, &r) && r.again
}

// sleep waits before a try, and reports whether it is to be made.
func sleep(ctx context.Context, d time.Duration, err error) bool {
	var r *refusal
	if errors.As(err, &r) && r.after > 0 {
		d = min(r.after, time.Minute)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-run.Stopping(ctx).Done():
	case <-ctx.Done():
	}
	return false
}

func (f *Fetcher) refuse(address string, again bool, format string, args ...any) *refusal {
	return &refusal{&omniscope.Error{Kind: omniscope.Invalid, Op: "fetch " + redacted(address), Err: fmt.Errorf(format, args...)}, again, 0}
}

// redacted is an address without what may be secret in it: user, password and query.
func redacted(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "an address that cannot be read"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// receive writes what is at an address into a file, as a whole or not at all.
func (f *Fetcher) receive(ctx context.Context, address, to string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(run.Stopping(ctx), stop)()
	quiet := time.AfterFunc(fetchQuiet, stop)
	defer quiet.Stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return f.refuse(address, false, "it is no address")
	}
	reply, err := f.http.Do(request)
	if err != nil {
		return f.refuse(address, true, "%s", withoutAddress(err))
	}
	defer reply.Body.Close()
	if refused := f.unwanted(address, reply); refused != nil {
		return refused
	}
	part, err := os.CreateTemp(filepath.Dir(to), ".fetching-*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	n, err := io.Copy(part, &heard{io.LimitReader(reply.Body, f.most+1), func() { quiet.Reset(fetchQuiet) }})
	closed := part.Close()
	var disk *os.PathError
	switch {
	case errors.As(err, &disk):
		return err
	case err != nil:
		return f.refuse(address, true, "the transfer broke off after %d bytes: %s", n, withoutAddress(err))
	case closed != nil:
		return closed
	case n > f.most:
		return f.refuse(address, false, "the file has more than the %d bytes of --max-file-size", f.most)
	case reply.ContentLength >= 0 && n < reply.ContentLength:
		return f.refuse(address, true, "the transfer broke off after %d of %d bytes", n, reply.ContentLength)
	case n == 0:
		return f.refuse(address, false, "there is nothing in it")
	}
	return os.Rename(part.Name(), to)
}

// unwanted is why the body of a reply is not read; nil = it is.
func (f *Fetcher) unwanted(address string, reply *http.Response) error {
	switch status := reply.StatusCode; {
	case status != http.StatusOK:
		r := f.refuse(address, status == http.StatusTooManyRequests || status >= 500, "the server says %s", reply.Status)
		if seconds, err := strconv.Atoi(reply.Header.Get("Retry-After")); err == nil && seconds > 0 {
			r.after = time.Duration(seconds) * time.Second
		}
		return r
	case reply.ContentLength > f.most:
		return f.refuse(address, false, "the file has %d bytes, more than the %d of --max-file-size", reply.ContentLength, f.most)
	}
	return nil
}

// withoutAddress is an error of the network without the address, which may hold a secret.
func withoutAddress(err error) string {
	var of *url.Error
	if errors.As(err, &of) {
		return of.Err.Error()
	}
	return err.Error()
}

// heard tells of each read that brings something.
type heard struct {
	io.Reader
	tell func()
}

func (h *heard) Read(p []byte) (int, error) {
	n, err := h.Reader.Read(p)
	if n > 0 {
		h.tell()
	}
	return n, err
}

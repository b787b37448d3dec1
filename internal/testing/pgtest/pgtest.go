// Package pgtest starts a PostgreSQL server of its own for tests, on a Unix socket,
// and removes it afterwards.
package pgtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"omniscope/internal/ondisk"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// Settings of the environment.
const (
	URL  = "OMNISCOPE_TEST_POSTGRES"   // a server to use in place of one that is started
	Need = "OMNISCOPE_NEED_POSTGRES"   // not empty: a test fails where there is none, and is else skipped
	bins = "/usr/lib/postgresql/*/bin" // where Debian puts the server's programs
)

// A Server is a running PostgreSQL server.
type Server struct {
	base   string // its URL, up to the database
	dir    string // of its data; "" = it is somebody else's
	bin    string
	as     *syscall.SysProcAttr
	socket string
}

var shared = sync.OnceValues(start)

// New returns the address of a new database, on a server that all tests of the
// program share. Main must be called for the server to be removed.
func New(t testing.TB) string {
	t.Helper()
	need.Processes(t)
	s, err := shared()
	if err != nil {
		skip(t, err)
	}
	address, err := s.Database(context.Background())
	fixture.OK(t, err)
	return address
}

// Own returns a server that the test may stop.
func Own(t testing.TB) *Server {
	t.Helper()
	need.Processes(t)
	if os.Getenv(URL) != "" {
		t.Skip("a server that the test may stop has to be started by it: unset " + URL)
	}
	s, err := start()
	if err != nil {
		skip(t, err)
	}
	t.Cleanup(s.remove)
	return s
}

func skip(t testing.TB, err error) {
	t.Helper()
	if os.Getenv(Need) != "" {
		t.Fatalf("no PostgreSQL: %v", err)
	}
	t.Skipf("left out, for want of PostgreSQL: %v", err)
}

// Main runs the tests and removes the shared server.
func Main(m *testing.M) int {
	defer Stop()
	return m.Run()
}

var started bool

// Stop removes the shared server, if there is one.
func Stop() {
	if !started {
		return
	}
	if s, err := shared(); err == nil {
		s.remove()
	}
}

func start() (*Server, error) {
	if address := os.Getenv(URL); address != "" {
		return &Server{base: address}, nil
	}
	initdb, err := program("initdb")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pg")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, bin: filepath.Dir(initdb), socket: dir}
	if s.as, err = asAnother(dir); err != nil {
		return nil, err
	}
	if err := s.run("initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"); err != nil {
		s.remove()
		return nil, err
	}
	s.base = "postgres://postgres@/?host=" + url.QueryEscape(s.socket)
	started = true
	return s, s.Start()
}

func program(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		if path, err := filepath.EvalSymlinks(path); err == nil {
			if ondisk.Exists(filepath.Join(filepath.Dir(path), "postgres")) {
				return path, nil
			}
		}
	}
	found, _ := filepath.Glob(filepath.Join(bins, name))
	if len(found) == 0 {
		return "", fmt.Errorf("there is no %s on the PATH and in %s", name, bins)
	}
	return found[len(found)-1], nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) run(name string, args ...string) error {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.SysProcAttr, cmd.Dir = s.as, s.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	log, err := os.CreateTemp(s.dir, name)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log // not a pipe: the server would hold it open
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(log.Name())
		return fmt.Errorf("%s: %w\n%s", name, err, said)
	}
	return nil
}

// Start starts the server after Stop or Kill, and waits until it answers.
func (s *Server) Start() error {
	options := "-c listen_addresses='' -c unix_socket_directories='" + s.socket + "' -c max_connections=200 -c max_wal_size=1GB"
	// The children of a server that was killed may be a moment behind it, and a new one
	// does not start beside them.
	for tries := 0; ; tries++ {
		err := s.run("pg_ctl", "-D", s.data(), "-w", "-t", "60", "-l", filepath.Join(s.dir, "log"), "-o", options, "start")
		if err == nil || tries == 20 {
			return err
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// Stop ends the server as an operator would: connections are cut.
func (s *Server) Stop() error {
	return s.run("pg_ctl", "-D", s.data(), "-w", "-m", "fast", "stop")
}

// Kill ends the server as a power cut of its machine would, but for what the disk had
// not taken yet.
func (s *Server) Kill() error {
	pid, err := s.pid()
	if err != nil {
		return err
	}
	// Its children notice that it is gone and end; a new one waits for them.
	return kill(pid)
}

func (s *Server) pid() (pid int, err error) {
	text, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	_, err = fmt.Sscan(string(text), &pid)
	return pid, err
}

// Socket is the path of the server's socket.
func (s *Server) Socket() string { return filepath.Join(s.socket, ".s.PGSQL.5432") }

// Database makes a new database and returns its address.
func (s *Server) Database(ctx context.Context) (string, error) {
	conn, err := pgx.Connect(ctx, s.base)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	name := "t" + strings.ToLower(rand.Text())
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		return "", err
	}
	u, err := url.Parse(s.base)
	if err != nil {
		return "", err
	}
	u.Path = "/" + name
	return u.String(), nil
}

func (s *Server) remove() {
	if s.dir == "" {
		return
	}
	pid, err := s.pid()
	if err == nil {
		err = s.run("pg_ctl", "-D", s.data(), "-m", "immediate", "-w", "stop")
	}
	if err != nil && pid > 0 {
		_ = kill(pid)
		time.Sleep(100 * time.Millisecond)
	}
	os.RemoveAll(s.dir)
}

// CPU is the processor time that the server has used so far for its connections and
// for itself. It is known on Linux only, else 0.
func (s *Server) CPU() (used time.Duration) {
	pid, err := s.pid()
	if err != nil {
		return 0
	}
	parent := fmt.Sprint(pid)
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		own := strings.Fields(string(text[:strings.IndexByte(string(text), ' ')]))[0]
		f := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(f) < 15 || f[1] != parent && own != parent {
			continue
		}
		first := 11 // user and system time; of the parent also those of children that have ended
		last := first + 2
		if own == parent {
			last += 2
		}
		for _, ticks := range f[first:last] {
			var n int64
			_, _ = fmt.Sscan(ticks, &n) // the system writes numbers
			used += time.Duration(n) * 10 * time.Millisecond
		}
	}
	return used
}

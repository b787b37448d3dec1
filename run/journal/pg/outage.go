package pg

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"omniscope"
	"omniscope/internal/pgserver"
)

// The server may be restarted, or a network may fail, while a run that has taken hours
// goes on. What is asked of the server is asked again until it answers; meanwhile
// nothing new starts, for each new call asks it first.

const (
	firstWait   = 50 * time.Millisecond
	longestWait = 2 * time.Second
)

// An outage is the time for which the server has not answered.
type outage struct {
	store *Store
	mu    sync.Mutex
	since time.Time // zero = it answers
	ends  time.Time // when the run was told to end; zero = it was not
}

// Try does something else on the journal's server, as the store does what is its own:
// see retry.
func (s *Store) Try(ctx context.Context, do func(context.Context) error) error {
	if err := s.retry(ctx, do); err != nil {
		return s.fail("ask the server", err)
	}
	return nil
}

// retry does something on the server until it succeeds, the server's absence has
// lasted too long, ctx ends, or it fails for another reason.
func (s *Store) retry(ctx context.Context, do func(context.Context) error) error {
	for wait := firstWait; ; wait = min(2*wait, longestWait) {
		err := do(ctx)
		if !passing(err) || ctx.Err() != nil {
			if err == nil {
				s.outage.over()
			}
			return err
		}
		if !pgserver.Conflict(err) && !s.outage.goesOn(err) {
			return &omniscope.Error{Kind: omniscope.Unreachable, Err: fmt.Errorf("the server has been away for too long: %w", err)}
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// goesOn notes that the server is away, and reports whether to wait on.
func (o *outage) goesOn(err error) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := time.Now()
	if o.since.IsZero() {
		o.since = now
		fmt.Fprintf(o.store.options.Warnings, "warning: the journal in %s does not answer (%v); nothing new starts until it does, for %s at most\n", o.store.where, reason(err), o.store.options.Patience)
	}
	return now.Sub(o.since) < o.store.options.Patience && (o.ends.IsZero() || now.Sub(later(o.ends, o.since)) < hurry)
}

// hurry is how long an absent server is waited for once the run was told to end.
const hurry = 10 * time.Second

func (o *outage) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ends = time.Now()
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (o *outage) over() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.since.IsZero() {
		fmt.Fprintf(o.store.options.Warnings, "the journal answers again, after %s\n", time.Since(o.since).Round(time.Second))
		o.since = time.Time{}
	}
}

// passing reports whether the same may succeed later: the server or the way to it is
// gone, or two processes were in each other's way.
func passing(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) {
		return false
	}
	if kind := omniscope.KindOf(err); kind != omniscope.Internal {
		return kind == omniscope.Transient
	}
	return pgserver.Passing(err)
}

// reason is an error of the connection in one line, without addresses.
func reason(err error) string {
	var connect *pgconn.ConnectError
	if errors.As(err, &connect) {
		err = connect.Unwrap()
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// explain says what to do about the usual troubles.
func (s *Store) explain(err error) error {
	is := func(code string) bool { return pgserver.IsCode(err, code) }
	var connect *pgconn.ConnectError
	switch {
	case is("28"):
		return &omniscope.Error{Kind: omniscope.Denied, Err: fmt.Errorf("%w; the password is taken from PGPASSWORD, ~/.pgpass or the address", err)}
	case is("3D000"):
		return omniscope.NotFoundf("%w; make the database with `createdb`", err)
	case is("0A000") && strings.Contains(err.Error(), "lz4"):
		return omniscope.Usagef("%w; the journal packs answers by lz4: take a PostgreSQL that was built with it, as packages are", err)
	case is("42501"):
		return &omniscope.Error{Kind: omniscope.Denied, Err: fmt.Errorf("%w; the user needs the right to make tables in the database", err)}
	case is("53300"):
		return &omniscope.Error{Kind: omniscope.Exhausted, Err: fmt.Errorf("%w; each process takes up to 10 connections: raise max_connections, or put PgBouncer between", err)}
	case is("53"):
		return fmt.Errorf("%w; the server has no room: make some, then run the same command again to go on", err)
	case is(""):
		return err
	case errors.As(err, &connect) && omniscope.KindOf(err) == omniscope.Internal:
		return &omniscope.Error{Kind: omniscope.Unreachable, Err: fmt.Errorf("the server cannot be reached: %s", reason(err))}
	case errors.Is(err, pgx.ErrNoRows):
		return errors.New("what was asked for is not there")
	}
	return err
}

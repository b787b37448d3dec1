// Package pg keeps the journal of paid answers in a PostgreSQL database that many
// machines share. Answers are on the server's disk before the caller gets them.
//
// The processes that work on a journal claim each call before they make it. A claim
// belongs to a holder, which is one process at work on one run, and lasts while that
// process renews its lease. docs/design/machines.md gives the reasons.
package pg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"omniscope"
	"omniscope/internal/pgserver"
	"omniscope/run/journal"
)

// Options say how a journal is worked on. The zero value is the usual way.
type Options struct {
	Lease    time.Duration // how long a process may be silent before others take over its calls; 0 = 1m
	Patience time.Duration // how long an absent server is waited for; 0 = 15m
	Warnings io.Writer     // nil = nowhere

	// Rescue opens another journal for answers that the server could not be given by
	// then; nil = they are lost.
	Rescue func() (journal.Store, error)
}

// A Store is an open journal in a database. It is safe for concurrent use.
type Store struct {
	options Options
	config  *pgxpool.Config
	pool    *pgxpool.Pool // every commit waits for the disk
	loose   *pgxpool.Pool // commits do not: what they write can be made again
	where   string
	outage  outage
}

var _ journal.Store = (*Store)(nil)

// Is reports whether a journal's address names a database.
func Is(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// Open opens the journal in the database at an address such as
// postgres://user@host/name, and makes its tables if they are not there.
func Open(ctx context.Context, address string, o Options) (*Store, error) {
	if o.Lease == 0 {
		o.Lease = time.Minute
	}
	if o.Patience == 0 {
		o.Patience = 15 * time.Minute
	}
	if o.Warnings == nil {
		o.Warnings = io.Discard
	}
	s := &Store{options: o, where: shown(address)}
	s.outage.store = s
	if err := s.open(ctx, address); err != nil {
		return nil, errors.Join(s.fail("open", err), s.Close())
	}
	return s, nil
}

// shown is a database's address without password, as messages show it.
func shown(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the database of --journal"
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	q := u.Query()
	for name := range q {
		if name != "host" && name != "port" && name != "sslmode" {
			q.Del(name)
		}
	}
	u.RawQuery = q.Encode()
	return u.String()
}

func (s *Store) open(ctx context.Context, address string) (err error) {
	if s.config, err = pgserver.Config(address); err != nil {
		return err
	}
	s.config.ConnConfig.RuntimeParams["application_name"] = "omniscope"
	if s.pool, err = s.connect(ctx, "on"); err != nil {
		return err
	}
	if s.loose, err = s.connect(ctx, "off"); err != nil {
		return err
	}
	if err := s.pool.Ping(ctx); err != nil {
		return err
	}
	return s.migrate(ctx)
}

func (s *Store) connect(ctx context.Context, synchronous string) (*pgxpool.Pool, error) {
	c := s.config.Copy()
	c.MaxConns = 4
	c.ConnConfig.RuntimeParams["synchronous_commit"] = synchronous
	return pgxpool.NewWithConfig(ctx, c)
}

// connection opens a connection of its own, outside the pools.
func (s *Store) connection(ctx context.Context) (*pgx.Conn, error) {
	c := s.config.ConnConfig.Copy()
	c.RuntimeParams["synchronous_commit"] = "on"
	return pgx.ConnectConfig(ctx, c)
}

// Where implements store.Store.
func (s *Store) Where() string { return s.where }

// Close closes the store. Journals of its runs must be closed before.
func (s *Store) Close() error {
	for _, p := range []*pgxpool.Pool{s.pool, s.loose} {
		if p != nil {
			p.Close()
		}
	}
	return nil
}

// do is retry with an error that names what was being done.
func (s *Store) do(ctx context.Context, what string, operation func(context.Context) error) error {
	return s.fail(what, s.retry(ctx, operation))
}

// collect does a query and returns its rows.
func collect[T any](ctx context.Context, s *Store, what, query string, read pgx.RowToFunc[T], args ...any) (all []T, err error) {
	err = s.do(ctx, what, func(ctx context.Context) error {
		rows, _ := s.loose.Query(ctx, query, args...) // the rows have its error
		read, err := pgx.CollectRows(rows, read)
		all = read
		return err
	})
	return all, err
}

// fail adds the operation and the journal to err, and keeps its kind; nil stays nil.
func (s *Store) fail(op string, err error) error {
	if err == nil {
		return nil
	}
	err = s.explain(err)
	return &journal.Error{Err: &omniscope.Error{Kind: omniscope.KindOf(err), Op: fmt.Sprintf("journal in %s: %s", s.where, op), Err: err}}
}

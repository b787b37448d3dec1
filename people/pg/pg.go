// Package pg keeps the events of projects in a PostgreSQL database, many projects in one, beside
// a journal if there is one. Every commit is on the server's disk before it is acknowledged.
//
// One process at a time writes a project. It holds a lock of the server for as long as its
// connection lasts, and a number, which each process that opens the project raises. A process
// whose connection broke takes the lock again before it reads or writes anything: by then its
// old connection has ended, so what a broken commit came to is certain. If another process has
// opened the project meanwhile, its number is not the last one any more, and it is refused for
// good. The lock is that of a session, so the address must lead to the server itself or to a pool
// by sessions, not to a pool by transactions.
package pg

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"omniscope"
	"omniscope/internal/pgserver"
	"omniscope/internal/pgtext"
	"omniscope/people"
)

// A Log is an open log. It is safe for concurrent use.
type Log struct {
	config  *pgx.ConnConfig
	pool    *pgxpool.Pool // for reading
	project string
	id      int32 // of the project
	reads   bool  // it is open for reading only

	holds atomic.Bool // this process holds the lock, as far as it knows

	mu     sync.Mutex
	conn   *pgx.Conn // that writes; nil = it broke
	pid    uint32    // of the server's process for the last connection
	writer int64     // number of this process among those that opened the project
	last   int64     // place of the last event
	closed bool
}

var _ people.Log = (*Log)(nil)

// Open opens the log of a project in the database at an address such as
// postgres://user@host/name, and makes it if it is not there. A log that another process has open
// for writing is an error of kind Usage.
func Open(ctx context.Context, address, project string) (*Log, error) {
	return open(ctx, address, project, false)
}

// OpenToRead opens the log of a project for reading, while another process may write it.
func OpenToRead(ctx context.Context, address, project string) (*Log, error) {
	return open(ctx, address, project, true)
}

func open(ctx context.Context, address, project string, reads bool) (*Log, error) {
	if project == "" {
		return nil, omniscope.Usagef("name a project")
	}
	l := &Log{project: project, reads: reads}
	err := l.connect(ctx, address)
	switch {
	case err != nil:
	case reads:
		err = l.find(ctx)
	default:
		err = l.begin(ctx)
	}
	if err != nil {
		return nil, errors.Join(l.fail("open", err), l.Close())
	}
	return l, nil
}

// connect makes the pool for reading, and the tables where a project may be made.
func (l *Log) connect(ctx context.Context, address string) error {
	config, err := settings(address)
	if err != nil {
		return err
	}
	l.config = config.ConnConfig.Copy()
	if l.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return err
	}
	if !l.reads {
		return prepare(ctx, l.pool)
	}
	return l.pool.Ping(ctx)
}

// settings reads an address.
func settings(address string) (*pgxpool.Config, error) {
	config, err := pgserver.Config(address)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"application_name":   "omniscope people",
		"synchronous_commit": "on",
		// The server ends the connection of a machine that is gone, and gives up its lock.
		"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "4",
	} {
		if _, set := config.ConnConfig.RuntimeParams[name]; !set || name == "synchronous_commit" {
			config.ConnConfig.RuntimeParams[name] = value
		}
	}
	return config, nil
}

// find finds a project that is there.
func (l *Log) find(ctx context.Context) error {
	missing := omniscope.NotFoundf("there is no project %q: make one with `omniscope people new`", l.project)
	there, err := prepared(ctx, l.pool)
	if err != nil {
		return err
	}
	if !there {
		return missing
	}
	err = l.pool.QueryRow(ctx, "SELECT id FROM omniscope_people.project WHERE name = $1", pgtext.Encode(l.project)).Scan(&l.id)
	if errors.Is(err, pgx.ErrNoRows) {
		return missing
	}
	return err
}

// begin makes the project if it is not there, takes the lock and becomes its last writer.
func (l *Log) begin(ctx context.Context) error {
	if _, err := l.pool.Exec(ctx, "INSERT INTO omniscope_people.project(name) VALUES($1) ON CONFLICT DO NOTHING", pgtext.Encode(l.project)); err != nil {
		return err
	}
	if err := l.find(ctx); err != nil {
		return err
	}
	conn, err := l.first(ctx)
	if err != nil {
		return err
	}
	err = conn.QueryRow(ctx, "UPDATE omniscope_people.project SET writer = writer + 1 WHERE id = $1 RETURNING writer", l.id).Scan(&l.writer)
	if err != nil {
		conn.Close(ctx)
		return err
	}
	return l.use(ctx, conn)
}

// endPatience is how long the server is given to notice that the process before has ended.
const endPatience = time.Second

// first takes the lock of a project that is opened.
func (l *Log) first(ctx context.Context) (*pgx.Conn, error) {
	for until := time.Now().Add(endPatience); ; time.Sleep(20 * time.Millisecond) {
		conn, got, err := l.lock(ctx)
		if err != nil || got {
			return conn, err
		}
		conn.Close(ctx)
		if time.Now().After(until) {
			return nil, omniscope.Usagef("another process works on this project: end it first (omniscope people serve, or another command). While it is served, invite and assign people on its page Overview")
		}
	}
}

// lockSpace is the first number of the advisory locks of projects ("ompe").
const lockSpace = 0x6f6d7065

// lock opens a connection and tries to take the project's lock.
func (l *Log) lock(ctx context.Context) (conn *pgx.Conn, got bool, err error) {
	if conn, err = pgx.ConnectConfig(ctx, l.config); err != nil {
		return nil, false, err
	}
	err = conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1::int, $2::int)", lockSpace, l.id).Scan(&got)
	if err != nil {
		conn.Close(ctx)
	}
	return conn, got, err
}

// use makes a connection that holds the lock the one that writes.
func (l *Log) use(ctx context.Context, conn *pgx.Conn) error {
	err := conn.QueryRow(ctx, "SELECT coalesce(max(seq), 0) FROM omniscope_people.event WHERE project = $1", l.id).Scan(&l.last)
	if err != nil {
		conn.Close(ctx)
		return err
	}
	l.conn, l.pid = conn, conn.PgConn().PID()
	l.holds.Store(true)
	return nil
}

// Append implements people.Log. If the connection breaks, the error is of kind Transient, and the
// events may be in the log or not. Whoever reads on finds out: nothing is read before that is
// certain. Events that are appended again after they were written are not written twice.
func (l *Log) Append(ctx context.Context, events []*people.Event) error {
	if len(events) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reads {
		return l.fail("write", omniscope.Usagef("the log is open for reading only"))
	}
	if err := l.ready(ctx); err != nil {
		return l.fail("write", err)
	}
	if err := l.append(ctx, events); err != nil {
		if l.conn.IsClosed() || pgserver.Passing(err) {
			l.breakOff()
			err = transient(err)
		}
		return l.fail("write", err)
	}
	return nil
}

func (l *Log) append(ctx context.Context, events []*people.Event) error {
	if there, err := l.written(ctx, events); there || err != nil {
		return err
	}
	c := newColumns(len(events))
	for i, e := range events {
		if want := l.last + int64(i) + 1; e.Seq != want {
			return fmt.Errorf("event %s has the place %d and not %d: another process writes here", e.ID, e.Seq, want)
		}
		c.add(e)
	}
	// One statement is one transaction: all events or none. The row of the project is locked, so
	// that nobody becomes its writer meanwhile.
	tag, err := l.conn.Exec(ctx, `
		WITH mine AS (SELECT id FROM omniscope_people.project WHERE id = $1 AND writer = $2 FOR UPDATE)
		INSERT INTO omniscope_people.event
		SELECT mine.id, e.* FROM mine, unnest($3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::bytea[]) AS e`,
		append([]any{l.id, l.writer}, c.all()...)...)
	if err != nil {
		return err
	}
	if tag.RowsAffected() != int64(len(events)) {
		return errTaken
	}
	l.last = events[len(events)-1].Seq
	return nil
}

// written reports whether these very events are in the log, from an Append that broke after its
// commit.
func (l *Log) written(ctx context.Context, events []*people.Event) (bool, error) {
	last := events[len(events)-1]
	if last.Seq != l.last {
		return false, nil
	}
	var id string
	err := l.conn.QueryRow(ctx, "SELECT id FROM omniscope_people.event WHERE project = $1 AND seq = $2", l.id, last.Seq).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil && pgtext.Decode(id) == last.ID, err
}

// columns are events as lists of values, column by column.
type columns struct {
	seq, at, base, active             []int64
	id, by, kind, item, stage, person []string
	body                              [][]byte
}

func newColumns(n int) *columns {
	numbers, texts := func() []int64 { return make([]int64, 0, n) }, func() []string { return make([]string, 0, n) }
	return &columns{seq: numbers(), at: numbers(), base: numbers(), active: numbers(), id: texts(), by: texts(), kind: texts(), item: texts(), stage: texts(), person: texts(), body: make([][]byte, 0, n)}
}

func (c *columns) add(e *people.Event) {
	c.seq, c.id, c.at, c.by, c.kind = append(c.seq, e.Seq), append(c.id, pgtext.Encode(e.ID)), append(c.at, e.At.UnixMicro()), append(c.by, pgtext.Encode(e.By)), append(c.kind, pgtext.Encode(string(e.Kind)))
	c.item, c.stage, c.person = append(c.item, pgtext.Encode(e.Task.Item)), append(c.stage, pgtext.Encode(e.Task.Stage)), append(c.person, pgtext.Encode(e.Task.Person))
	c.base, c.active, c.body = append(c.base, e.Base), append(c.active, e.ActiveMS), append(c.body, append([]byte{}, e.Body...))
}

// all are the columns in the order of the table.
func (c *columns) all() []any {
	return []any{c.seq, c.id, c.at, c.by, c.kind, c.item, c.stage, c.person, c.base, c.active, c.body}
}

// Known implements people.Log.
func (l *Log) Known(ctx context.Context, ids []string) (map[string]int64, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	known := make(map[string]int64)
	if err := l.certain(ctx); err != nil {
		return nil, err
	}
	encoded := make([]string, len(ids))
	for i, id := range ids {
		encoded[i] = pgtext.Encode(id)
	}
	// Id by id: the server looks each up in the index, whatever it thinks of the table. Without
	// statistics, as in a new project, = ANY reads all events.
	rows, err := l.pool.Query(ctx, "SELECT asked, seq FROM unnest($2::text[]) asked, LATERAL (SELECT seq FROM omniscope_people.event WHERE project = $1 AND id = asked OFFSET 0) found", l.id, encoded)
	if err != nil {
		return nil, l.fail("read", err)
	}
	var id string
	var seq int64
	_, err = pgx.ForEachRow(rows, []any{&id, &seq}, func() error {
		known[pgtext.Decode(id)] = seq
		return nil
	})
	if err != nil {
		return nil, l.fail("read", err)
	}
	return known, nil
}

// Events implements people.Log.
func (l *Log) Events(ctx context.Context, after int64) iter.Seq2[*people.Event, error] {
	return l.query(ctx, "seq > $2 ORDER BY seq", after)
}

// OfTask implements people.Log.
func (l *Log) OfTask(ctx context.Context, t people.TaskID) iter.Seq2[*people.Event, error] {
	return l.queryInTime(ctx, "item = $2 AND item <> '' AND stage = $3 AND person = $4 ORDER BY seq", pgtext.Encode(t.Item), pgtext.Encode(t.Stage), pgtext.Encode(t.Person))
}

// At implements people.Log.
func (l *Log) At(ctx context.Context, seq int64) (*people.Event, error) {
	for e, err := range l.queryInTime(ctx, "seq = $2", seq) {
		return e, err
	}
	return nil, omniscope.NotFoundf("there is no event %d", seq)
}

// queryInTime reads a few events.
func (l *Log) queryInTime(ctx context.Context, where string, args ...any) iter.Seq2[*people.Event, error] {
	return func(yield func(*people.Event, error) bool) {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		l.query(ctx, where, args...)(yield)
	}
}

func (l *Log) query(ctx context.Context, where string, args ...any) iter.Seq2[*people.Event, error] {
	return func(yield func(*people.Event, error) bool) {
		if err := l.certain(ctx); err != nil {
			yield(nil, err)
			return
		}
		rows, err := l.pool.Query(ctx, "SELECT "+people.EventColumns+" FROM omniscope_people.event WHERE project = $1 AND "+where, append([]any{l.id}, args...)...)
		if err != nil {
			yield(nil, l.fail("read", err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			e, err := people.ScanEvent(rows)
			for _, text := range []*string{&e.ID, &e.By, (*string)(&e.Kind), &e.Task.Item, &e.Task.Stage, &e.Task.Person} {
				*text = pgtext.Decode(*text)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, l.fail("read", err))
		}
	}
}

// Close implements people.Log.
func (l *Log) Close() error {
	l.mu.Lock()
	l.closed = true
	if l.conn != nil {
		l.breakOff()
	}
	l.mu.Unlock() // what still reads may ask for it
	if l.pool != nil {
		l.pool.Close()
	}
	return nil
}

// Projects are the names of the projects in a database, in order.
func Projects(ctx context.Context, address string) ([]string, error) {
	config, err := settings(address)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, explain("list projects", err)
	}
	defer pool.Close()
	there, err := prepared(ctx, pool)
	if err != nil || !there {
		return nil, explain("list projects", err)
	}
	rows, err := pool.Query(ctx, "SELECT name FROM omniscope_people.project p WHERE EXISTS (SELECT 1 FROM omniscope_people.event WHERE project = p.id) ORDER BY name")
	if err != nil {
		return nil, explain("list projects", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	for i := range names {
		names[i] = pgtext.Decode(names[i])
	}
	return names, explain("list projects", err)
}

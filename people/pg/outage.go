package pg

import (
	"context"
	"errors"
	"fmt"
	"time"

	"omniscope"
	"omniscope/internal/pgserver"
)

// errTaken is that of a process after which another one opened the project.
var errTaken = omniscope.Usagef("another process has opened this project since the connection broke, and works on it now: end this one")

// certain waits, in a log that writes, until it is known what the last commit came to: until this
// process holds the lock again.
func (l *Log) certain(ctx context.Context) error {
	if l.reads || l.holds.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.ready(ctx); err != nil {
		return l.fail("read", err)
	}
	return nil
}

// patience is how long the server may take for one step. A network that swallows everything shows
// in no other way. Tests shorten it.
var patience = 30 * time.Second

// lockPatience is how long the server is given to end a connection that broke.
const lockPatience = 3 * time.Second

// ready takes the lock again after the connection broke.
func (l *Log) ready(ctx context.Context) error {
	if l.closed {
		return omniscope.Usagef("the log is closed")
	}
	if l.conn != nil && !l.conn.IsClosed() {
		return nil
	}
	l.holds.Store(false)
	l.conn = nil
	for until := time.Now().Add(lockPatience); ; time.Sleep(20 * time.Millisecond) {
		conn, got, err := l.lock(ctx)
		if err != nil {
			return transient(err)
		}
		var writer int64
		if err := conn.QueryRow(ctx, "SELECT writer FROM omniscope_people.project WHERE id = $1", l.id).Scan(&writer); err != nil {
			conn.Close(ctx)
			return transient(err)
		}
		switch {
		case writer != l.writer:
			conn.Close(ctx)
			return errTaken
		case got:
			return l.use(ctx, conn)
		}
		// The lock is still held for the connection that broke: the server has not noticed.
		_, err = conn.Exec(ctx, "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = $1::bigint::oid AND objid = $2::bigint::oid AND pid = $3", int64(lockSpace), int64(l.id), int64(l.pid))
		conn.Close(ctx)
		switch {
		case err != nil:
			return transient(err)
		case time.Now().After(until):
			return errHeld
		}
	}
}

// breakOff ends the connection that writes. The server gives up its lock then.
func (l *Log) breakOff() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	l.holds.Store(false)
	l.conn.Close(ctx)
	l.conn = nil
}

// errHeld is that of a lock which the server has not given up.
var errHeld = &omniscope.Error{Kind: omniscope.Transient, Err: errors.New("the database still holds the lock of the connection that broke: what was sent is sent again in a moment")}

// transient marks an error of the way to the server as one that passes; others stay as they are.
func transient(err error) error {
	if omniscope.KindOf(err) != omniscope.Internal || !pgserver.Passing(err) {
		return err
	}
	return &omniscope.Error{Kind: omniscope.Transient, Err: fmt.Errorf("the database does not answer, what was sent is sent again when it does: %w", err)}
}

// fail says what was being done to which project, and what to do about the usual troubles.
func (l *Log) fail(op string, err error) error {
	return explain(fmt.Sprintf("project %s: %s", l.project, op), err)
}

func explain(op string, err error) error {
	if err == nil {
		return nil
	}
	kind := omniscope.KindOf(err)
	switch {
	case kind != omniscope.Internal:
	case pgserver.IsCode(err, "28"):
		kind, err = omniscope.Denied, fmt.Errorf("%w; the password is taken from PGPASSWORD, ~/.pgpass or the address", err)
	case pgserver.IsCode(err, "3D000"):
		kind, err = omniscope.NotFound, fmt.Errorf("%w; make the database with `createdb`", err)
	case pgserver.IsCode(err, "42501"):
		kind, err = omniscope.Denied, fmt.Errorf("%w; the user needs the right to make a schema in the database", err)
	case pgserver.IsCode(err, "53300"):
		kind, err = omniscope.Transient, fmt.Errorf("%w; each process takes up to 9 connections: raise max_connections", err)
	case pgserver.IsCode(err, "53"):
		err = fmt.Errorf("%w; the server has no space left: make some", err)
	case pgserver.Passing(err):
		kind, err = omniscope.Transient, fmt.Errorf("the database does not answer: %w", err)
	}
	return &omniscope.Error{Kind: kind, Op: op, Err: err}
}

package pg

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"

	"omniscope"
	"omniscope/internal/pgtext"
	"omniscope/run"
	"omniscope/run/journal"
)

const (
	// batchMost bounds one commit, and so the time a single answer waits for it.
	batchMost = 1024
	// resultMost is well below what a column takes, so that one absurd result fails
	// alone and not with the batch it is in.
	resultMost = 512 << 20
)

// A writer appends what has gathered while the commit before was on its way to the disk.
type writer struct {
	journal *Journal
	queue   chan *pending
	done    sync.WaitGroup
	conn    *pgx.Conn // nil = none
	id      [16]byte  // of its receipts
	batch   int64     // number of the last batch
	rescue  journal.Journal
	rescued journal.Store
}

type pending struct {
	entry *run.Entry
	done  chan error // takes one value without waiting
}

func (w *writer) start(ctx context.Context, j *Journal) error {
	w.journal, w.queue = j, make(chan *pending, 2*batchMost)
	rand.Read(w.id[:])
	err := j.store.retry(ctx, func(ctx context.Context) error {
		_, err := j.store.pool.Exec(ctx, "INSERT INTO receipt VALUES($1, 0, now()) ON CONFLICT DO NOTHING", w.id)
		return err
	})
	if err == nil {
		w.done.Go(w.loop)
	}
	return err
}

// Append implements run.Journal. It is not cut short by ctx: an answer that arrived is
// kept.
func (j *Journal) Append(_ context.Context, e *run.Entry) error {
	op := "append " + e.Step
	if len(e.Result) > resultMost {
		return j.store.fail(op, fmt.Errorf("a result of %d bytes is more than %d", len(e.Result), resultMost))
	}
	if !j.enter() {
		return j.store.fail(op, errClosed)
	}
	defer j.inside.Done()
	p := &pending{entry: e, done: make(chan error, 1)}
	j.writer.queue <- p
	return j.store.fail(op, <-p.done)
}

func (w *writer) loop() {
	var batch []*pending
	for p := range w.queue {
		batch = append(batch[:0], p)
		for len(batch) < batchMost && len(w.queue) > 0 {
			batch = append(batch, <-w.queue)
		}
		err := w.commit(context.Background(), batch)
		w.journal.forget(batch)
		if omniscope.KindOf(err) == omniscope.Unreachable {
			err = w.keepElsewhere(batch, err)
		}
		for i, p := range batch {
			p.done <- err
			batch[i] = nil
		}
	}
}

// close writes what is left.
func (w *writer) close() error {
	close(w.queue)
	w.done.Wait()
	w.disconnect()
	if w.rescue == nil {
		return nil
	}
	return errors.Join(w.rescue.Close(), w.rescued.Close())
}

// forgetReceipt deletes the receipt once no batch can need it. Where that fails, it is
// deleted after some time.
func (w *writer) forgetReceipt(ctx context.Context) {
	_, _ = w.journal.store.loose.Exec(ctx, "DELETE FROM receipt WHERE writer = $1", w.id)
}

func (w *writer) disconnect() {
	if w.conn != nil {
		w.conn.Close(context.Background()) // what was committed is there, what was not is not
		w.conn = nil
	}
}

// commit makes a batch durable.
func (w *writer) commit(ctx context.Context, batch []*pending) error {
	w.batch++
	again := false
	return w.journal.store.retry(ctx, func(ctx context.Context) error {
		err := w.try(ctx, batch, again)
		if err != nil {
			w.disconnect()
			again = true
		}
		return err
	})
}

// try commits a batch; again, unless an earlier try has done so.
func (w *writer) try(ctx context.Context, batch []*pending, again bool) (err error) {
	if w.conn == nil {
		if w.conn, err = w.journal.store.connection(ctx); err != nil {
			return err
		}
	}
	if again {
		if done, err := w.committed(ctx); done || err != nil {
			return err
		}
	}
	if err := w.writeRequests(ctx, batch); err != nil {
		return err
	}
	late, err := w.begin(ctx, batch)
	if err != nil {
		return err
	}
	holder := w.journal.holder.id.Load()
	_, err = w.conn.CopyFrom(ctx, pgx.Identifier{"call"}, columnsOfCall, pgx.CopyFromSlice(len(batch), func(i int) ([]any, error) {
		return w.journal.row(batch[i].entry, late[i], holder), nil
	}))
	if err != nil {
		return err
	}
	_, err = w.conn.Exec(ctx, "COMMIT")
	return err
}

// committed reports whether the batch has been committed by a connection that was cut.
// Only the server knows: the answer to COMMIT may have been lost on its way. Where the
// server still works for that connection, this waits for it.
func (w *writer) committed(ctx context.Context) (bool, error) {
	var last int64
	err := w.conn.QueryRow(ctx, "SELECT batch FROM receipt WHERE writer = $1 FOR UPDATE", w.id).Scan(&last)
	return last == w.batch, err
}

// begin begins the transaction, leaves its receipt, gives up the claims of its calls, and
// reports which calls have been taken over by others.
func (w *writer) begin(ctx context.Context, batch []*pending) ([]bool, error) {
	claimed := w.journal.claimsOf(batch)
	keys, sources := columns(claimed)
	still := make(map[call]bool, len(claimed))
	var b pgx.Batch
	b.Queue("BEGIN")
	b.Queue("UPDATE receipt SET batch = $2, at = now() WHERE writer = $1", w.id, w.batch)
	b.Queue(releaseAll, keys, sources, w.journal.holder.id.Load()).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			c, err := scanClaim(rows)
			if err != nil {
				return err
			}
			still[c] = true
		}
		return rows.Err()
	})
	late := make([]bool, len(batch))
	if err := w.conn.SendBatch(ctx, &b).Close(); err != nil || len(still) == len(claimed) {
		return late, err
	}
	lost := slices.DeleteFunc(claimed, func(c call) bool { return still[c] })
	taken, err := w.taken(ctx, lost)
	for i, p := range batch {
		for _, c := range possibleClaims(p.entry) {
			late[i] = late[i] || taken[c]
		}
	}
	return late, err
}

// taken returns the calls that another process makes or has made. A claim may also be
// lost when the server loses power. Then no other process makes the call, and the answer
// of this one counts.
func (w *writer) taken(ctx context.Context, lost []call) (map[call]bool, error) {
	keys, sources := columns(lost)
	rows, err := w.conn.Query(ctx, `SELECT key, source FROM unnest($1::uuid[], $2::text[]) t(key, source)
		WHERE EXISTS (SELECT 1 FROM claim c WHERE c.key = t.key AND c.source = t.source)
		   OR EXISTS (SELECT 1 FROM call a WHERE a.key = t.key AND outcome = 1 AND NOT late AND (t.source = '' OR a.source = t.source))`, keys, sources)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	taken := make(map[call]bool)
	for rows.Next() {
		c, err := scanClaim(rows)
		if err != nil {
			return nil, err
		}
		taken[c] = true
	}
	return taken, rows.Err()
}

// possibleClaims are those under which a call may have been made.
func possibleClaims(e *run.Entry) [2]call { return [2]call{{e.Key, e.Source}, {e.Key, ""}} }

// claimsOf returns the claims under which calls were made, which end now, in the order
// in which all lock them.
func (j *Journal) claimsOf(batch []*pending) (claims []call) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, p := range batch {
		for _, c := range possibleClaims(p.entry) {
			if _, ok := j.claimed[c]; ok {
				claims = append(claims, c)
			}
		}
	}
	slices.SortFunc(claims, func(a, b call) int {
		return cmp.Or(slices.Compare(a.key[:], b.key[:]), cmp.Compare(a.source, b.source))
	})
	return slices.Compact(claims)
}

// forget forgets claims that have ended.
func (j *Journal) forget(batch []*pending) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, p := range batch {
		for _, c := range possibleClaims(p.entry) {
			delete(j.claimed, c)
		}
	}
}

// requestsAtOnce bounds the bytes of one statement's texts, since the server takes no more
// than a gigabyte.
const requestsAtOnce = 32 << 20

// writeRequests writes the texts of requests, each once. They can be made again from
// the inputs, so nobody waits until they are on the disk.
func (w *writer) writeRequests(ctx context.Context, batch []*pending) error {
	for len(batch) > 0 {
		var keys [][16]byte
		var texts [][]byte
		size := 0
		for len(batch) > 0 && size < requestsAtOnce {
			if e := batch[0].entry; len(e.Request) > 0 {
				keys, texts = append(keys, e.Key), append(texts, e.Request)
				size += len(e.Request)
			}
			batch = batch[1:]
		}
		if len(keys) == 0 {
			return nil
		}
		if _, err := w.journal.store.loose.Exec(ctx, `INSERT INTO request SELECT key, body FROM unnest($1::uuid[], $2::bytea[]) t(key, body)
			ORDER BY key ON CONFLICT DO NOTHING`, keys, texts); err != nil {
			return err
		}
	}
	return nil
}

var columnsOfCall = []string{"key", "run", "step", "attempt", "kind", "source", "outcome", "late", "holder", "started", "result",
	"tokens_in", "tokens_out", "cost_usd", "tries", "rate_limited", "lost_tries", "lost_tokens_in", "lost_tokens_out", "lost_cost_usd",
	"request_bytes", "checksum", "request_checksum"}

// row is an entry in columnsOfCall.
func (j *Journal) row(e *run.Entry, late bool, holder int64) []any {
	result := e.Result
	if result == nil {
		result = []byte{}
	}
	c, l := &e.Cost, &e.Cost.Lost
	return []any{[16]byte(e.Key), j.id, pgtext.Encode(e.Step), e.Attempt, pgtext.Encode(e.Kind), pgtext.Encode(e.Source), int16(e.Outcome), late, holder, e.Started.UnixMicro(), result,
		c.TokensIn, c.TokensOut, c.USD, c.Tries, c.RateLimited, l.Tries, l.TokensIn, l.TokensOut, l.USD,
		len(e.Request), journal.RowChecksum(e), journal.RequestChecksum(e.Request)}
}

// keepElsewhere keeps answers that the server could not be given, and returns the error
// that says where.
func (w *writer) keepElsewhere(batch []*pending, why error) error {
	open := w.journal.store.options.Rescue
	if open == nil {
		return why
	}
	if w.rescue == nil {
		var err error
		if w.rescued, err = open(); err == nil {
			w.rescue, err = w.rescued.Run(context.Background(), w.journal.described)
		}
		if err != nil {
			return errors.Join(why, err)
		}
	}
	for _, p := range batch {
		if err := w.rescue.Append(context.Background(), p.entry); err != nil {
			return errors.Join(why, err)
		}
	}
	return &omniscope.Error{Kind: omniscope.Unreachable, Err: fmt.Errorf("%w; the answers under way are kept in %s: once the server is back, `omniscope journal merge %s` gives them to it", why, w.rescued.Where(), w.rescued.Where())}
}

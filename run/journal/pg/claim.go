package pg

import (
	"context"
	"omniscope/internal/pgtext"

	"github.com/jackc/pgx/v5"

	"omniscope/run"
)

// Calls are claimed first and looked up then, with a new snapshot. The other order would
// pay twice: the answer may come, and its claim go, between the two.

// Rows are locked in the order of the key everywhere: else processes would wait for
// each other in circles.
const claimAll = `INSERT INTO claim AS c SELECT key, source, $3 FROM unnest($1::uuid[], $2::text[]) t(key, source) GROUP BY key, source ORDER BY key, source COLLATE "C"
	ON CONFLICT (key, source) DO UPDATE SET holder = excluded.holder
		WHERE c.holder = excluded.holder OR NOT EXISTS (SELECT 1 FROM holder h WHERE h.id = c.holder AND h.until > now())
	RETURNING key, source`

// foundSince finds what was appended meanwhile: an answer, or else the failure of
// another process since this one opened the journal.
const foundSince = `SELECT k.n, c.* FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS k(asked, by, n),
	LATERAL ((SELECT ` + columnsOfAnswer + ` FROM call WHERE key = k.asked AND outcome = 1 AND NOT late AND (k.by = '' OR source = k.by)
			AND ($3 = 0 OR run = $3 AND id > $4) ORDER BY id DESC LIMIT 1)
		UNION ALL
		(SELECT ` + columnsOfAnswer + ` FROM call WHERE key = k.asked AND outcome <> 1 AND (k.by = '' OR source = k.by)
			AND run = $5 AND id > $6 AND holder <> $7 ORDER BY id DESC LIMIT 1)
		LIMIT 1) c`

const releaseAll = `WITH mine AS (SELECT c.key, c.source FROM claim c JOIN unnest($1::uuid[], $2::text[]) t(key, source) USING (key, source)
		WHERE c.holder = $3 ORDER BY c.key, c.source FOR UPDATE OF c)
	DELETE FROM claim USING mine WHERE claim.key = mine.key AND claim.source = mine.source
	RETURNING claim.key, claim.source`

// A claimed says what became of asking for a claim.
type claimed struct {
	mine bool
	answer
}

// Claim implements run.Claimer.
func (j *Journal) Claim(ctx context.Context, key run.Key, source string) (run.Claim, error) {
	if !j.enter() {
		return run.Claim{}, j.store.fail("claim "+key.String(), errClosed)
	}
	defer j.inside.Done()
	c := call{key, source}
	q := j.claims.put(c)
	select {
	case <-q.done:
	case <-ctx.Done():
		j.inside.Add(1)
		go func() { // nobody waits for it any more, but it may be ours
			defer j.inside.Done()
			if <-q.done; q.err == nil && q.answer.mine {
				j.release([]call{c})
			}
		}()
		return run.Claim{}, ctx.Err()
	}
	err := q.err
	if err == nil {
		err = q.answer.damaged
	}
	if err != nil {
		return run.Claim{}, j.store.fail("claim "+key.String(), err)
	}
	if q.answer.Entry != nil {
		j.used(&q.answer.answer)
	}
	return run.Claim{Mine: q.answer.mine, Entry: q.answer.Entry}, nil
}

// claimTogether claims calls for this process and says what became of each.
func (j *Journal) claimTogether(ctx context.Context, asked []call) (became []claimed, err error) {
	var slept int64
	err = j.store.retry(ctx, func(ctx context.Context) error {
		if err := j.holder.awake(ctx); err != nil {
			return err
		}
		slept = j.holder.slept.Load()
		became, err = j.tryClaims(ctx, asked)
		return err
	})
	if err == nil {
		j.noteClaims(asked, became, slept)
	}
	return became, err
}

func (j *Journal) tryClaims(ctx context.Context, asked []call) ([]claimed, error) {
	keys, sources := columns(asked)
	holder := j.holder.id.Load()
	became := make([]claimed, len(asked))
	mine := make(map[call]bool, len(asked))
	var batch pgx.Batch
	batch.Queue(claimAll, keys, sources, holder).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			c, err := scanClaim(rows)
			if err != nil {
				return err
			}
			mine[c] = true
		}
		return rows.Err()
	})
	batch.Queue(foundSince, keys, sources, j.from.run, j.from.call, j.id, j.opened, holder).Query(func(rows pgx.Rows) error {
		found, err := scanAnswers(rows, len(asked))
		for i := range found {
			became[i].answer = found[i]
		}
		return err
	})
	// Both run in one transaction, each with a snapshot of its own.
	if err := j.store.loose.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, err
	}
	var needless []call
	for i, c := range asked {
		if became[i].mine = mine[c]; mine[c] && became[i].Entry != nil {
			became[i].mine = false
			needless = append(needless, c)
		}
	}
	j.release(needless)
	return became, nil
}

func scanClaim(row pgx.Row) (call, error) {
	var c call
	err := row.Scan((*[16]byte)(&c.key), &c.source)
	c.source = pgtext.Decode(c.source)
	return c, err
}

// noteClaims keeps which calls this process has claimed: the answer to one that it has
// lost to another process comes late.
func (j *Journal) noteClaims(asked []call, became []claimed, slept int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i, c := range asked {
		if became[i].mine {
			j.claimed[c] = slept
		}
	}
}

// Renew implements run.Claimer.
func (j *Journal) Renew(ctx context.Context, key run.Key, source string) (run.Claim, error) {
	if j.holder.isAwake() {
		j.mu.Lock()
		then, claimed := j.claimed[call{key, source}]
		j.mu.Unlock()
		if claimed && then == j.holder.slept.Load() {
			return run.Claim{Mine: true}, nil
		}
	}
	return j.Claim(ctx, key, source)
}

// Release implements run.Claimer.
func (j *Journal) Release(key run.Key, source string) {
	if j.enter() {
		defer j.inside.Done()
		j.release([]call{{key, source}})
	}
}

// release gives up claims. Where that fails, they end with the holder's lease or when
// the journal is closed.
func (j *Journal) release(calls []call) {
	if len(calls) == 0 {
		return
	}
	j.mu.Lock()
	for _, c := range calls {
		delete(j.claimed, c)
	}
	j.mu.Unlock()
	keys, sources := columns(calls)
	ctx, cancel := context.WithTimeout(context.Background(), j.store.options.Lease)
	defer cancel()
	_ = j.store.retry(ctx, func(ctx context.Context) error {
		_, err := j.store.loose.Exec(ctx, releaseAll, keys, sources, j.holder.id.Load())
		return err
	})
}

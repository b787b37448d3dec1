package sqlite

import (
	"context"
	"database/sql"

	"omniscope/run"
	"omniscope/run/journal"
)

// Usage adds up what the run took, what this process did included.
func (j *Journal) Usage(ctx context.Context, old journal.CostOf) (journal.Usage, error) {
	j.usedMu.Lock()
	err := j.writeUsed()
	j.usedMu.Unlock()
	if err != nil {
		return journal.Usage{}, j.store.fail("add up usage", err)
	}
	return j.store.Usage(ctx, j.name, old)
}

// Usage adds up what the run called name took.
func (s *Store) Usage(ctx context.Context, name string, old journal.CostOf) (journal.Usage, error) {
	u, err := s.usage(ctx, name, old)
	return u, s.fail("add up usage of run "+name, err)
}

// sumUsage reads an index only, not the answers.
const sumUsage = `SELECT count(*), total(outcome = 1), total(max(coalesce(tries, 0) - 1, 0)), total(rate_limited),
	  total(tokens_in), total(tokens_out), total(cost_usd),
	  total(iif(cost_usd = 0, tokens_in, 0)), total(iif(cost_usd = 0, tokens_out, 0)), total(tokens_in IS NULL),
	  total(lost_tries), total(lost_tokens_in), total(lost_tokens_out), total(lost_cost_usd),
	  total(iif(lost_cost_usd = 0, lost_tokens_in, 0)), total(iif(lost_cost_usd = 0, lost_tokens_out, 0))
	FROM call INDEXED BY call_step WHERE run = ? AND kind IN ('model', 'transcript')`

func (s *Store) usage(ctx context.Context, name string, costOf journal.CostOf) (u journal.Usage, err error) {
	var id int64
	if err := s.read.QueryRowContext(ctx, "SELECT id, (SELECT count(*) FROM used WHERE run = run.id) FROM run WHERE name = ?", name).
		Scan(&id, &u.Remembered); err != nil {
		return u, &brokenRow{err}
	}
	var n [12]float64 // SQLite's total() is a real number
	var old float64
	if err := s.read.QueryRowContext(ctx, sumUsage, id).
		Scan(&u.Calls, &n[0], &n[1], &n[2], &n[3], &n[4], &u.CostUSD, &n[5], &n[6], &old, &n[7], &n[8], &n[9], &u.Lost.USD, &n[10], &n[11]); err != nil {
		return u, err
	}
	for i, to := range []*int{&u.Answers, &u.Retries, &u.RateLimited, &u.TokensIn, &u.TokensOut, &u.UnpricedIn, &u.UnpricedOut,
		&u.Lost.Tries, &u.Lost.TokensIn, &u.Lost.TokensOut, &u.UnpricedLostIn, &u.UnpricedLostOut} {
		*to = int(n[i])
	}
	u.Failed = u.Calls - u.Answers
	if old > 0 {
		err = s.addOld(ctx, id, costOf, &u)
	}
	return u, err
}

// addOld adds the rows of version 1, whose usage stands in their results only.
func (s *Store) addOld(ctx context.Context, id int64, costOf journal.CostOf, u *journal.Usage) error {
	return each(ctx, s.read, func(rows *sql.Rows) error {
		var result sql.RawBytes
		if err := rows.Scan(&result); err != nil {
			return err
		}
		c := costOf(result)
		u.TokensIn += c.TokensIn
		u.TokensOut += c.TokensOut
		u.CostUSD += c.USD
		u.Retries += max(c.Tries-1, 0)
		if c.USD == 0 {
			u.UnpricedIn += c.TokensIn
			u.UnpricedOut += c.TokensOut
		}
		return nil
	}, "SELECT result FROM call INDEXED BY call_step WHERE run = ? AND kind = 'model' AND tokens_in IS NULL", id)
}

const sumBills = `SELECT count(*), coalesce(sum(tokens_in), 0), coalesce(sum(tokens_out), 0), coalesce(max(tokens_in), 0), coalesce(max(tokens_out), 0) FROM (
	SELECT tokens_in - coalesce(lost_tokens_in, 0) AS tokens_in, tokens_out - coalesce(lost_tokens_out, 0) AS tokens_out FROM call
	WHERE id > (SELECT max(id) FROM call) - 100000 AND outcome = 1 AND source = ? AND substr(result, 1, ?) = ? AND tokens_in IS NOT NULL)`

// Bills implements journal.Journal.
func (j *Journal) Bills(ctx context.Context, begins, source string) (b run.Bills, err error) {
	err = j.store.read.QueryRowContext(ctx, sumBills, source, len(begins), []byte(begins)).Scan(&b.Calls, &b.In, &b.Out, &b.MostIn, &b.MostOut)
	return b, j.store.fail("add up bills", err)
}

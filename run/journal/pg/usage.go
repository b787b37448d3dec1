package pg

import (
	"context"

	"omniscope/internal/pgtext"
	"omniscope/run"
	"omniscope/run/journal"
)

// Usage implements store.Journal.
func (j *Journal) Usage(ctx context.Context, old journal.CostOf) (journal.Usage, error) {
	if err := j.writeUsed(ctx); err != nil {
		return journal.Usage{}, j.store.fail("add up usage", err)
	}
	return j.store.Usage(ctx, j.name, old)
}

const sumUsage = `SELECT (SELECT count(*) FROM used WHERE run = this.id),
	count(call.id), count(call.id) FILTER (WHERE outcome = 1), coalesce(sum(greatest(tries - 1, 0)), 0), coalesce(sum(rate_limited), 0),
	coalesce(sum(tokens_in), 0)::bigint, coalesce(sum(tokens_out), 0)::bigint, coalesce(sum(cost_usd), 0),
	coalesce(sum(tokens_in) FILTER (WHERE cost_usd = 0), 0)::bigint, coalesce(sum(tokens_out) FILTER (WHERE cost_usd = 0), 0)::bigint,
	coalesce(sum(lost_tries), 0), coalesce(sum(lost_tokens_in), 0)::bigint, coalesce(sum(lost_tokens_out), 0)::bigint, coalesce(sum(lost_cost_usd), 0),
	coalesce(sum(lost_tokens_in) FILTER (WHERE lost_cost_usd = 0), 0)::bigint, coalesce(sum(lost_tokens_out) FILTER (WHERE lost_cost_usd = 0), 0)::bigint
	FROM run this LEFT JOIN call ON call.run = this.id AND call.kind IN ('model', 'transcript') WHERE this.name = $1 GROUP BY this.id`

// Usage implements store.Store. All rows have their costs in columns.
func (s *Store) Usage(ctx context.Context, name string, _ journal.CostOf) (u journal.Usage, err error) {
	err = s.retry(ctx, func(ctx context.Context) error {
		return s.loose.QueryRow(ctx, sumUsage, pgtext.Encode(name)).Scan(&u.Remembered, &u.Calls, &u.Answers, &u.Retries, &u.RateLimited,
			&u.TokensIn, &u.TokensOut, &u.CostUSD, &u.UnpricedIn, &u.UnpricedOut,
			&u.Lost.Tries, &u.Lost.TokensIn, &u.Lost.TokensOut, &u.Lost.USD, &u.UnpricedLostIn, &u.UnpricedLostOut)
	})
	if err != nil {
		return u, s.fail("add up usage of run "+name, err)
	}
	u.Failed = u.Calls - u.Answers
	return u, nil
}

const sumBills = `SELECT count(*), coalesce(sum(tokens_in), 0)::bigint, coalesce(sum(tokens_out), 0)::bigint, coalesce(max(tokens_in), 0), coalesce(max(tokens_out), 0) FROM (
	SELECT tokens_in - lost_tokens_in AS tokens_in, tokens_out - lost_tokens_out AS tokens_out FROM call
	WHERE id > (SELECT max(id) FROM call) - 100000 AND outcome = 1 AND source = $1 AND substr(result, 1, $2) = $3) c`

// Bills implements journal.Journal.
func (j *Journal) Bills(ctx context.Context, begins, source string) (b run.Bills, err error) {
	err = j.store.do(ctx, "add up bills", func(ctx context.Context) error {
		return j.store.loose.QueryRow(ctx, sumBills, pgtext.Encode(source), len(begins), []byte(begins)).Scan(&b.Calls, &b.In, &b.Out, &b.MostIn, &b.MostOut)
	})
	return b, err
}

-- What a call took, so that a run's usage can be added up without reading its
-- answers. NULL in rows of version 1: their usage stands in result only.
ALTER TABLE call ADD COLUMN tokens_in    INTEGER;
ALTER TABLE call ADD COLUMN tokens_out   INTEGER;
ALTER TABLE call ADD COLUMN cost_usd     REAL;
ALTER TABLE call ADD COLUMN tries        INTEGER;
ALTER TABLE call ADD COLUMN rate_limited INTEGER;

-- The part of it that went to tries which brought nothing usable and may have to
-- be paid for.
ALTER TABLE call ADD COLUMN lost_tries      INTEGER;
ALTER TABLE call ADD COLUMN lost_tokens_in  INTEGER;
ALTER TABLE call ADD COLUMN lost_tokens_out INTEGER;
ALTER TABLE call ADD COLUMN lost_cost_usd   REAL;

-- CRC-32C of the row and of its request's text; see store/checksum.go. NULL in
-- rows of version 1: they were written without.
ALTER TABLE call ADD COLUMN checksum         INTEGER;
ALTER TABLE call ADD COLUMN request_checksum INTEGER;

-- It covers what usage is added up from.
DROP INDEX call_step;
CREATE INDEX call_step ON call(run, step, outcome, kind, tokens_in, tokens_out, cost_usd, tries, rate_limited,
	lost_tries, lost_tokens_in, lost_tokens_out, lost_cost_usd);

-- Of a run with --fresh: its answers count from the call after fresh_from on,
-- until fresh_ended. NULL: the run was never fresh.
ALTER TABLE run ADD COLUMN fresh_from  INTEGER;
ALTER TABLE run ADD COLUMN fresh_ended INTEGER;

PRAGMA application_id = 0x6f6d6e69; -- "omni": a journal of ours

-- One row per run of a command; name is stable, so the same command finds its run again.
CREATE TABLE run (
  id       INTEGER PRIMARY KEY,
  name     TEXT NOT NULL UNIQUE,
  created  TEXT NOT NULL,
  manifest TEXT NOT NULL            -- JSON: command, inputs and their digests
);

-- One row per call that was paid for, or that failed. result is JSON.
-- The text of the request lies in requests/<run name>.jsonl at request_at.
CREATE TABLE call (
  id            INTEGER PRIMARY KEY,
  key           BLOB NOT NULL,
  run           INTEGER NOT NULL REFERENCES run(id),
  step          TEXT NOT NULL,
  attempt       INTEGER NOT NULL,
  kind          TEXT NOT NULL,
  source        TEXT NOT NULL,
  outcome       INTEGER NOT NULL,
  started       INTEGER NOT NULL,   -- microseconds since 1970, UTC
  request_at    INTEGER NOT NULL,
  request_bytes INTEGER NOT NULL,
  result        BLOB NOT NULL
);

-- Only usable answers are found again. Of several under one key and source the
-- newest counts; the others were paid for, and stay.
CREATE INDEX call_answer ON call(key, source) WHERE outcome = 1;
CREATE INDEX call_step ON call(run, step, outcome);

-- Answers of other runs that a run was given: its scores rest on these, too.
CREATE TABLE used (
  run  INTEGER NOT NULL REFERENCES run(id),
  call INTEGER NOT NULL REFERENCES call(id),
  PRIMARY KEY (run, call)
) WITHOUT ROWID;

-- One row per run of a command; name is stable, so the same command finds its run again.
CREATE TABLE run (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name        text COLLATE "C" NOT NULL UNIQUE,
  created     timestamptz NOT NULL DEFAULT now(),
  manifest    text NOT NULL,            -- JSON: command, inputs and their digests
  fresh_from  bigint,                   -- of a run with --fresh: its answers count from the call after this one on,
  fresh_ended boolean,                  -- until it has ended; NULL: the run was never fresh
  work_order  text                      -- JSON: how workers do its units; NULL: no worker does them
);

-- One row per call that was paid for, or that failed. result is JSON.
-- The text of the request lies in request, once for all calls that asked the same.
CREATE TABLE call (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key              uuid NOT NULL,
  run              bigint NOT NULL,
  step             text COLLATE "C" NOT NULL,
  attempt          integer NOT NULL,
  kind             text COLLATE "C" NOT NULL,
  source           text COLLATE "C" NOT NULL,
  outcome          smallint NOT NULL,
  late             boolean NOT NULL,    -- it came when another process had taken the call over: kept, and not found
  holder           bigint NOT NULL,     -- the process that appended it
  started          bigint NOT NULL,     -- microseconds since 1970, UTC
  result           bytea COMPRESSION lz4 NOT NULL,
  tokens_in        bigint NOT NULL,
  tokens_out       bigint NOT NULL,
  cost_usd         double precision NOT NULL,
  tries            integer NOT NULL,
  rate_limited     integer NOT NULL,
  lost_tries       integer NOT NULL,
  lost_tokens_in   bigint NOT NULL,
  lost_tokens_out  bigint NOT NULL,
  lost_cost_usd    double precision NOT NULL,
  request_bytes    integer NOT NULL,
  checksum         bigint NOT NULL,     -- CRC-32C of the row and of its request's text; see store/checksum.go
  request_checksum bigint NOT NULL
);

-- Only usable answers are found again. Of several under one key and source the newest
-- counts; the others were paid for, and stay.
CREATE INDEX call_answer ON call(key, source, id) WHERE outcome = 1 AND NOT late;
CREATE INDEX call_failure ON call(key) WHERE outcome <> 1;
CREATE INDEX call_step ON call(run, step);

CREATE TABLE request (
  key  uuid PRIMARY KEY,
  body bytea COMPRESSION lz4 NOT NULL
);

-- Answers of other runs that a run was given: its scores rest on these, too.
CREATE TABLE used (
  run  bigint NOT NULL,
  call bigint NOT NULL,
  PRIMARY KEY (run, call)
);

-- One row per process that works on a run. It is alive until then, by this server's clock.
CREATE TABLE holder (
  id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run     bigint NOT NULL,
  name    text NOT NULL,
  started timestamptz NOT NULL DEFAULT now(),
  until   timestamptz NOT NULL
);

-- Calls that are being made, and by whom. source is '' where that of any endpoint will do.
CREATE TABLE claim (
  key    uuid NOT NULL,
  source text COLLATE "C" NOT NULL,
  holder bigint NOT NULL,
  PRIMARY KEY (key, source)
) WITH (fillfactor = 70);

-- The last batch that a process has committed, so that it can tell, after its connection
-- was cut, whether that was before or after. Numbers of transactions would not do: a
-- server that was killed gives them to others.
CREATE TABLE receipt (
  writer uuid PRIMARY KEY,
  batch  bigint NOT NULL,
  at     timestamptz NOT NULL
);

-- What the processes that work on a run have drawn of its budget, since the first of them
-- began, or since the run was handed out to workers.
CREATE TABLE budget (
  run      bigint PRIMARY KEY,
  id       bigint GENERATED ALWAYS AS IDENTITY, -- another each time that it begins anew
  nano_usd bigint NOT NULL,
  tokens   bigint NOT NULL,
  calls    bigint NOT NULL
);

-- One row per process that does parts of any run. It is alive until then.
CREATE TABLE worker (
  name  text PRIMARY KEY,
  facts text NOT NULL,                  -- JSON: what it is and has, for those who wonder
  ahead double precision NOT NULL,      -- seconds by which its clock is ahead of the server's
  jobs  bigint[] NOT NULL,              -- that it had in hand
  seen  timestamptz NOT NULL,           -- when it said so
  until timestamptz NOT NULL
);

-- When the next call may be sent to an endpoint that takes so many a minute.
CREATE TABLE pace (
  place text PRIMARY KEY,
  next  timestamptz NOT NULL
);

-- Units of runs of which all is in the journal, so that processes that go round through all
-- units can leave them out. since: of a run with --fresh, its fresh_from; else 0.
CREATE TABLE done (
  run   bigint NOT NULL,
  since bigint NOT NULL,
  unit  integer NOT NULL,
  PRIMARY KEY (run, since, unit)
);

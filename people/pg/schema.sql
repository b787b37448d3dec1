-- Projects of people's work, many in one database, beside a journal if there is one.
CREATE SCHEMA omniscope_people;

-- writer counts the processes that have opened a project for writing. Events are added only by
-- the one whose number is the last: an earlier one that comes back is refused.
CREATE TABLE omniscope_people.project (
  id     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name   text COLLATE "C" NOT NULL UNIQUE,
  writer bigint NOT NULL DEFAULT 0
);

CREATE TABLE omniscope_people.event (
  project   integer NOT NULL,
  seq       bigint NOT NULL,
  id        text COLLATE "C" NOT NULL,
  at        bigint NOT NULL,           -- microseconds since 1970, UTC
  by        text COLLATE "C" NOT NULL,
  kind      text COLLATE "C" NOT NULL,
  item      text COLLATE "C" NOT NULL,
  stage     text COLLATE "C" NOT NULL,
  person    text COLLATE "C" NOT NULL,
  base      bigint NOT NULL,
  active_ms bigint NOT NULL,
  body      bytea NOT NULL,            -- JSON as it was sent, to the byte
  PRIMARY KEY (project, seq),
  UNIQUE (project, id)
);

CREATE INDEX event_task ON omniscope_people.event(project, item, stage, person, seq) WHERE item <> '';

CREATE FUNCTION omniscope_people.keep() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'events are only added'; END $$;
CREATE TRIGGER event_stays BEFORE UPDATE OR DELETE ON omniscope_people.event
  FOR EACH STATEMENT EXECUTE FUNCTION omniscope_people.keep();

CREATE TABLE omniscope_people.version (version integer NOT NULL);
INSERT INTO omniscope_people.version VALUES (1);

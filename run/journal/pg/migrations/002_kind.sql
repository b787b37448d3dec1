-- What a run does, such as eval or predict: who can open it again.
ALTER TABLE run ADD COLUMN kind text NOT NULL DEFAULT '';

package journal

// KindsOfEarlierRuns is SQL that gives runs of versions without kinds the kind that their names
// and descriptions tell. SQLite and PostgreSQL take it.
const KindsOfEarlierRuns = `UPDATE run SET kind = CASE
	WHEN name LIKE 'investigate-%' THEN 'caption'
	WHEN name LIKE 'predict-%' THEN 'predict'
	WHEN name LIKE 'audit-%' THEN 'audit'
	WHEN name LIKE 'probe-%' THEN 'probe'
	WHEN name LIKE 'curate-%' THEN 'rows'
	WHEN manifest LIKE '{"command":%' THEN 'score'
	WHEN manifest LIKE '{"spec":%' OR manifest LIKE '{"benchmark":%' THEN 'eval'
	ELSE '' END
	WHERE kind = ''`

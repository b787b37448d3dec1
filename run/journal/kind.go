package journal

// KindsOfEarlierRuns is SQL for SQLite and PostgreSQL. It sets the kind of runs that versions without
// kinds recorded, from their names and manifests.
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

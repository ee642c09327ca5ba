-- name: begin_pass!
INSERT INTO passes (team, id, kind, worker, started_at) VALUES (:team, :id, :kind, :worker, :now);

-- name: finish_pass!
UPDATE passes SET finished_at = :now, summary = :summary WHERE team = :team AND id = :id;

-- name: last_passes
SELECT id, kind, worker, started_at, finished_at, summary FROM passes
WHERE team = :team ORDER BY started_at DESC, id LIMIT :most;

-- name: counts
SELECT 'sessions' AS noun, state AS name, COUNT(*) AS number FROM sessions
WHERE team = :team AND path <> key GROUP BY state
UNION ALL SELECT 'facts', state, COUNT(*) FROM facts WHERE team = :team GROUP BY state
UNION ALL SELECT 'candidates', disposition, COUNT(*) FROM candidates WHERE team = :team GROUP BY disposition
UNION ALL SELECT 'reviews', state, COUNT(*) FROM reviews WHERE team = :team GROUP BY state
UNION ALL SELECT 'tokens', 'input', COALESCE(SUM(input_tokens), 0) FROM sessions WHERE team = :team
UNION ALL SELECT 'tokens', 'output', COALESCE(SUM(output_tokens), 0) FROM sessions WHERE team = :team
UNION ALL SELECT 'schema', 'version', MAX(version) FROM migrations;

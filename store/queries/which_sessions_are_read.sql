-- name: seen_files
SELECT path, size, mtime_ns FROM files WHERE team = :team;

-- name: see_file_again!
UPDATE files SET session_key = :session_key, size = :size, mtime_ns = :mtime_ns, seen_at = :now
WHERE team = :team AND path = :path;

-- name: see_file!
INSERT INTO files (team, path, session_key, size, mtime_ns, seen_at)
VALUES (:team, :path, :session_key, :size, :mtime_ns, :now);

-- name: has_session$
SELECT key FROM sessions WHERE team = :team AND key = :key;

-- name: unsee_file!
DELETE FROM files WHERE team = :team AND path = :path;

-- name: session_by_key^
SELECT key, agent, native_id, path, state, repo, developer, size, mtime_ns, fingerprint, last_turn, turn_count,
    attempts, next_attempt_at, lease_owner, lease_until, error_step, error, error_next, input_tokens, output_tokens,
    seconds, model, started_at, ended_at, skip_code, skip_reason, recorded_at, updated_at, note_problem
FROM sessions WHERE team = :team AND key = :key;

-- name: sessions_named
SELECT key, agent, native_id, path, state, repo, developer, size, mtime_ns, fingerprint, last_turn, turn_count,
    attempts, next_attempt_at, lease_owner, lease_until, error_step, error, error_next, input_tokens, output_tokens,
    seconds, model, started_at, ended_at, skip_code, skip_reason, recorded_at, updated_at, note_problem
FROM sessions WHERE team = :team AND (key = :name OR native_id = :name OR path = :name)
ORDER BY updated_at DESC, key;

-- name: sessions_in
SELECT key, agent, native_id, path, state, repo, developer, size, mtime_ns, fingerprint, last_turn, turn_count,
    attempts, next_attempt_at, lease_owner, lease_until, error_step, error, error_next, input_tokens, output_tokens,
    seconds, model, started_at, ended_at, skip_code, skip_reason, recorded_at, updated_at, note_problem
FROM sessions WHERE team = :team AND state = ANY(CAST(:states AS TEXT[]))
ORDER BY COALESCE(ended_at, recorded_at), key;

-- name: sessions_by_keys
SELECT key, agent, native_id, path, state, repo, developer, size, mtime_ns, fingerprint, last_turn, turn_count,
    attempts, next_attempt_at, lease_owner, lease_until, error_step, error, error_next, input_tokens, output_tokens,
    seconds, model, started_at, ended_at, skip_code, skip_reason, recorded_at, updated_at, note_problem
FROM sessions WHERE team = :team AND key = ANY(CAST(:keys AS TEXT[]));

-- name: paths_seen
SELECT path FROM files WHERE team = :team AND path = ANY(CAST(:paths AS TEXT[]));

-- name: see_files!
INSERT INTO files (team, path, session_key, size, mtime_ns, seen_at)
SELECT
    :team, unnest(CAST(:path AS TEXT[])), unnest(CAST(:session_key AS TEXT[])), unnest(CAST(:size AS BIGINT[])),
    unnest(CAST(:mtime_ns AS BIGINT[])), CAST(:now AS TIMESTAMPTZ);

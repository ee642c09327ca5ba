-- name: add_session!
INSERT INTO sessions (
    team, key, agent, native_id, path, state, repo, developer, size, mtime_ns, fingerprint, last_turn, turn_count,
    attempts, lease_owner, lease_until, input_tokens, output_tokens, seconds, started_at, ended_at, skip_code,
    skip_reason, recorded_at, updated_at
) VALUES (
    :team, :key, :agent, :native_id, :path, :state, :repo, :developer, :size, :mtime_ns, :fingerprint, NULL, 0,
    0, :lease_owner, :lease_until, 0, 0, 0, :started_at, :ended_at, :skip_code,
    :skip_reason, :now, :now
);

-- name: take_session!
UPDATE sessions SET
    state = 'running', lease_owner = :worker, lease_until = :lease_until, path = :path, size = :size,
    mtime_ns = :mtime_ns, fingerprint = :fingerprint, repo = COALESCE(:repo, repo),
    developer = COALESCE(:developer, developer), started_at = COALESCE(:started_at, started_at),
    ended_at = COALESCE(:ended_at, ended_at), attempts = :attempts, updated_at = :now
WHERE team = :team AND key = :key AND state = :state
    AND lease_owner IS NOT DISTINCT FROM :lease_owner AND updated_at = :updated_at;

-- name: renew_lease!
UPDATE sessions SET lease_until = :lease_until, updated_at = :now
WHERE team = :team AND key = :key AND state = 'running' AND lease_owner = :worker;

-- name: give_session_back!
UPDATE sessions SET state = 'pending', lease_owner = NULL, lease_until = NULL, updated_at = :now
WHERE team = :team AND key = :key AND state = 'running' AND lease_owner = :worker;

-- name: skip_session!
UPDATE sessions SET
    state = 'skipped', path = :path, size = :size, mtime_ns = :mtime_ns, fingerprint = :fingerprint,
    skip_code = :skip_code, skip_reason = :skip_reason, lease_owner = NULL, lease_until = NULL, error_step = NULL,
    error = NULL, error_next = NULL, next_attempt_at = NULL, updated_at = :now
WHERE team = :team AND key = :key AND (state <> 'running' OR lease_owner = :worker);

-- name: fail_session!
UPDATE sessions SET
    state = :state, attempts = :attempts, next_attempt_at = :next_attempt_at, error_step = :error_step,
    error = :error, error_next = :error_next, lease_owner = NULL, lease_until = NULL, updated_at = :now
WHERE team = :team AND key = :key AND state = 'running' AND lease_owner = :worker;

-- name: reopen_failed_sessions!
UPDATE sessions SET state = 'pending', attempts = 0, next_attempt_at = NULL, updated_at = :now
WHERE team = :team AND state = 'failed' AND (:every OR key = ANY(CAST(:keys AS TEXT[])));

-- name: finish_session!
UPDATE sessions SET
    state = 'done', path = :path, size = :size, mtime_ns = :mtime_ns, fingerprint = :fingerprint,
    last_turn = :last_turn, turn_count = :turn_count, repo = :repo, developer = :developer,
    input_tokens = input_tokens + :input_tokens, output_tokens = output_tokens + :output_tokens,
    seconds = seconds + :seconds, model = COALESCE(:model, model), started_at = COALESCE(:started_at, started_at),
    ended_at = COALESCE(:ended_at, ended_at), attempts = 0, next_attempt_at = NULL, lease_owner = NULL,
    lease_until = NULL, error_step = NULL, error = NULL, error_next = NULL, skip_code = NULL, skip_reason = NULL,
    updated_at = :now
WHERE team = :team AND key = :key AND (state <> 'running' OR lease_owner = :worker)
    AND (CAST(:worker AS TEXT) IS NULL OR state = 'running');

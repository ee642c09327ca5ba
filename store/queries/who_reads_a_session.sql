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

-- name: add_sessions!
INSERT INTO sessions (
    team, key, agent, native_id, path, state, repo, developer, size, mtime_ns, fingerprint, last_turn, turn_count,
    attempts, lease_owner, lease_until, input_tokens, output_tokens, seconds, started_at, ended_at, skip_code,
    skip_reason, recorded_at, updated_at
)
SELECT
    :team, unnest(CAST(:key AS TEXT[])), unnest(CAST(:agent AS TEXT[])), unnest(CAST(:native_id AS TEXT[])),
    unnest(CAST(:path AS TEXT[])), 'running', unnest(CAST(:repo AS TEXT[])), unnest(CAST(:developer AS TEXT[])),
    unnest(CAST(:size AS BIGINT[])), unnest(CAST(:mtime_ns AS BIGINT[])), unnest(CAST(:fingerprint AS TEXT[])), NULL,
    0, 0, :worker, CAST(:lease_until AS TIMESTAMPTZ), 0, 0, 0, unnest(CAST(:started_at AS TIMESTAMPTZ[])),
    unnest(CAST(:ended_at AS TIMESTAMPTZ[])), NULL, NULL, CAST(:now AS TIMESTAMPTZ), CAST(:now AS TIMESTAMPTZ);

-- name: finish_sessions
UPDATE sessions SET
    state = 'done', path = new.path, size = new.size, mtime_ns = new.mtime_ns, fingerprint = new.fingerprint,
    last_turn = new.last_turn, turn_count = new.turn_count, repo = new.repo, developer = new.developer,
    input_tokens = sessions.input_tokens + new.input_tokens,
    output_tokens = sessions.output_tokens + new.output_tokens, seconds = sessions.seconds + new.seconds,
    model = COALESCE(new.model, sessions.model), started_at = COALESCE(new.started_at, sessions.started_at),
    ended_at = COALESCE(new.ended_at, sessions.ended_at), attempts = 0, next_attempt_at = NULL, lease_owner = NULL,
    lease_until = NULL, error_step = NULL, error = NULL, error_next = NULL, skip_code = NULL, skip_reason = NULL,
    updated_at = CAST(:now AS TIMESTAMPTZ)
FROM (
    SELECT
        unnest(CAST(:key AS TEXT[])) AS key, unnest(CAST(:path AS TEXT[])) AS path,
        unnest(CAST(:size AS BIGINT[])) AS size, unnest(CAST(:mtime_ns AS BIGINT[])) AS mtime_ns,
        unnest(CAST(:fingerprint AS TEXT[])) AS fingerprint, unnest(CAST(:last_turn AS TEXT[])) AS last_turn,
        unnest(CAST(:turn_count AS INTEGER[])) AS turn_count, unnest(CAST(:repo AS TEXT[])) AS repo,
        unnest(CAST(:developer AS TEXT[])) AS developer, unnest(CAST(:input_tokens AS BIGINT[])) AS input_tokens,
        unnest(CAST(:output_tokens AS BIGINT[])) AS output_tokens,
        unnest(CAST(:seconds AS DOUBLE PRECISION[])) AS seconds, unnest(CAST(:model AS TEXT[])) AS model,
        unnest(CAST(:started_at AS TIMESTAMPTZ[])) AS started_at, unnest(CAST(:ended_at AS TIMESTAMPTZ[])) AS ended_at
) AS new
WHERE sessions.team = :team AND sessions.key = new.key AND sessions.state = 'running' AND sessions.lease_owner = :worker
RETURNING sessions.key;

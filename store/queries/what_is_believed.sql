-- name: known_facts
-- Two halves, because a scan for one owner costs a tenth of a scan for either of two.
SELECT id, type, subject, value, stated_at, confirmed_at, valid_until
FROM facts WHERE team = :team AND state = 'active' AND scope = 'repo' AND owner = :repo
UNION ALL
SELECT id, type, subject, value, stated_at, confirmed_at, valid_until
FROM facts WHERE team = :team AND state = 'active' AND scope = 'developer' AND owner = :developer
ORDER BY type, subject, stated_at, id;

-- name: known_tombstones
SELECT type, subject, forgotten_at, value_hash, recorded_at
FROM tombstones
WHERE team = :team AND withdrawn_at IS NULL
    AND ((scope = 'repo' AND owner = :repo) OR (scope = 'developer' AND owner = :developer))
ORDER BY forgotten_at, id;

-- name: known_refusals
SELECT type, subject, value, refused_at
FROM refusals
WHERE team = :team AND withdrawn_at IS NULL
    AND ((scope = 'repo' AND owner = :repo) OR (scope = 'developer' AND owner = :developer))
ORDER BY refused_at, id;

-- name: facts_of
SELECT
    id, owner, scope, type, subject, value, state, multi, stakes, stated_at, recorded_at, valid_from, valid_until, ended_at,
    superseded_at, superseded_by, confirmed_at, confirmed_by, times_stated, derived_from, developer, rewrite_at,
    archived_from, evidence_session, evidence_session_key, evidence_turn, evidence_start, evidence_end, evidence_text,
    evidence_said_at, evidence_path, evidence_transcript_hash
FROM facts
WHERE team = :team AND scope = :scope AND owner = :owner AND (:every OR state = 'active')
ORDER BY owner, type, subject, stated_at, id;

-- name: facts_of_all
SELECT
    id, owner, scope, type, subject, value, state, multi, stakes, stated_at, recorded_at, valid_from, valid_until, ended_at,
    superseded_at, superseded_by, confirmed_at, confirmed_by, times_stated, derived_from, developer, rewrite_at,
    archived_from, evidence_session, evidence_session_key, evidence_turn, evidence_start, evidence_end, evidence_text,
    evidence_said_at, evidence_path, evidence_transcript_hash
FROM facts
WHERE team = :team AND (:every OR state = 'active')
ORDER BY owner, type, subject, stated_at, id;

-- name: facts_named
SELECT * FROM facts_with_evidence WHERE team = :team AND id = ANY(CAST(:ids AS TEXT[]));

-- name: fact_ids_like
SELECT id FROM facts WHERE team = :team AND starts_with(id, :beginning) ORDER BY id;

-- name: states_as_of
SELECT e.fact_id, e.to_state
FROM events AS e
JOIN (
    SELECT fact_id, MAX(number) AS number FROM events
    WHERE team = :team AND fact_id IS NOT NULL AND happened_at <= :as_of
    GROUP BY fact_id
) AS latest ON latest.number = e.number
WHERE e.team = :team;

-- name: undone_facts
SELECT DISTINCT fact_id FROM events
WHERE team = :team AND action = 'retired' AND review_id IS NOT NULL AND fact_id IS NOT NULL;

-- name: events_of_slot
SELECT number, happened_at, actor, action, fact_id, review_id, from_state, to_state, reason, session_key
FROM events WHERE team = :team AND slot = :slot ORDER BY number;

-- name: facts_of_slot
SELECT * FROM facts_with_evidence
WHERE team = :team AND scope = :scope AND owner = :owner AND type = :type AND subject = :subject
ORDER BY recorded_at, id;

-- name: ends_of_rows
SELECT scope, owner, type, subject, multi, state, archived_from, valid_from, superseded_at, ended_at, valid_until
FROM facts
WHERE team = :team AND (CAST(:repo AS TEXT) IS NULL OR (scope = 'repo' AND owner = :repo))
ORDER BY scope, owner, type, subject, valid_from;

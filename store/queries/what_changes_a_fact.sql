-- name: add_fact!
INSERT INTO facts (
    team, id, owner, scope, type, subject, value, state, multi, stakes, slot, active_key, stated_at, recorded_at,
    valid_from, valid_until, confirmed_at, confirmed_by, times_stated, derived_from, developer, evidence_id,
    evidence_session, evidence_session_key, evidence_turn, evidence_start, evidence_end, evidence_text,
    evidence_said_at, evidence_path, evidence_transcript_hash, evidence_turn_id
) VALUES (
    :team, :id, :owner, :scope, :type, :subject, :value, 'active', :multi, :stakes, :slot, :active_key, :stated_at,
    :now, :valid_from, :valid_until, :confirmed_at, :confirmed_by, :times_stated, :derived_from, :developer,
    :evidence_id, :session, :session_key, :turn, :start_char, :end_char, :quote, :said_at, :path, :transcript_hash,
    :turn_id
);

-- name: restate_fact!
UPDATE facts SET
    stated_at = :stated_at, times_stated = :times_stated, confirmed_at = :confirmed_at, confirmed_by = :confirmed_by
WHERE team = :team AND id = :id AND state = 'active' AND times_stated = :times_before;

-- name: end_fact!
UPDATE facts SET
    state = :to_state, active_key = NULL, ended_at = :now, superseded_at = :superseded_at,
    superseded_by = :superseded_by, erase_at = :erase_at
WHERE team = :team AND id = :id AND state = :from_state;

-- name: revive_fact!
UPDATE facts SET
    state = 'active', active_key = :active_key, ended_at = NULL, superseded_at = NULL, superseded_by = NULL,
    erase_at = NULL, archived_from = NULL
WHERE team = :team AND id = :id AND state = :from_state;

-- name: add_statement*!
INSERT INTO statements (
    team, id, fact_id, candidate_id, session_key, session, turn, start_char, end_char, quote, stated_at, said_at,
    turn_hash, turn_id, recorded_at
) VALUES (
    :team, :id, :fact_id, :candidate_id, :session_key, :session, :turn, :start_char, :end_char, :quote, :stated_at,
    :said_at, :turn_hash, :turn_id, :now
);

-- name: drop_statements!
DELETE FROM statements WHERE team = :team AND id = ANY(CAST(:ids AS TEXT[]));

-- name: add_event*!
INSERT INTO events (
    team, number, happened_at, actor, action, owner, type, subject, slot, fact_id, review_id, from_state, to_state,
    reason, session_key
) VALUES (
    :team, nextval('event_number'), :now, :actor, :action, :owner, :type, :subject, :slot, :fact_id, :review_id,
    :from_state, :to_state, :reason, :session_key
);

-- name: add_tombstone*!
INSERT INTO tombstones (
    team, id, owner, scope, type, subject, slot, value_hash, forgotten_at, recorded_at, actor, reason, session_key
) VALUES (
    :team, :id, :owner, :scope, :type, :subject, :slot, :value_hash, :forgotten_at, :now, :actor, :reason, :session_key
);

-- name: withdraw_tombstones!
UPDATE tombstones SET withdrawn_at = :now
WHERE team = :team AND id = ANY(CAST(:ids AS TEXT[])) AND withdrawn_at IS NULL;

-- name: is_taken$
SELECT COUNT(*) FROM (
    SELECT id FROM facts WHERE team = :team AND id = :id
    UNION ALL SELECT id FROM reviews WHERE team = :team AND id = :id
    UNION ALL SELECT id FROM tombstones WHERE team = :team AND id = :id
) AS ids;

-- name: last_event$
SELECT COALESCE(MAX(number), 0) FROM events WHERE team = :team;

-- name: holder_of$
SELECT id FROM facts WHERE team = :team AND active_key = :active_key;

-- name: tombstones_of_slot
SELECT id, recorded_at, value_hash FROM tombstones WHERE team = :team AND slot = :slot AND withdrawn_at IS NULL;

-- name: end_of_fact^
SELECT ended_at, superseded_at FROM facts WHERE team = :team AND id = :id;

-- name: forget_past_fact!
UPDATE facts SET state = 'forgotten' WHERE team = :team AND id = :id AND state = :from_state;

-- name: archive_fact!
UPDATE facts SET state = 'archived', archived_from = state WHERE team = :team AND id = :id AND state = :from_state;

-- name: active_rows
SELECT id, owner, scope, type, subject, multi, stakes, value, state, stated_at, valid_until, confirmed_at,
    confirmed_by, times_stated
FROM facts
WHERE team = :team AND state = 'active' AND (slot = ANY(CAST(:slots AS TEXT[])) OR id = ANY(CAST(:ids AS TEXT[])));

-- name: fact_row^
SELECT id, owner, scope, type, subject, multi, stakes, value, state, stated_at, valid_until, confirmed_at,
    confirmed_by, times_stated
FROM facts WHERE team = :team AND id = :id;

-- name: said_about_slots
SELECT f.slot, f.id AS row_id, 'fact' AS noun, f.value, f.state, '' AS kind, s.session_key, s.session, s.turn,
    s.start_char, s.end_char, s.quote, s.stated_at, s.said_at, s.turn_hash, s.turn_id, s.candidate_id
FROM statements AS s JOIN facts AS f ON f.team = s.team AND f.id = s.fact_id
WHERE f.team = :team AND f.slot = ANY(CAST(:slots AS TEXT[]))
UNION ALL
SELECT r.slot, r.id, 'review', p.value, r.state, r.kind, p.session_key, p.session, p.turn,
    p.start_char, p.end_char, p.quote, p.stated_at, p.said_at, p.turn_hash, p.turn_id, p.candidate_id
FROM proposals AS p JOIN reviews AS r ON r.team = p.team AND r.id = p.review_id
WHERE r.team = :team AND r.slot = ANY(CAST(:slots AS TEXT[]));

-- name: open_items_of_slots
SELECT id, kind, owner, scope, type, subject, multi, stakes, slot, open_key, state, base_fact, base_value, proposed,
    until, opened_at, updated_at
FROM reviews
WHERE team = :team AND state = 'open' AND slot = ANY(CAST(:slots AS TEXT[]));

-- name: slots_changed_after$
SELECT COUNT(*) FROM events
WHERE team = :team AND number > :mark AND slot = ANY(CAST(:slots AS TEXT[]));

-- name: open_item!
INSERT INTO reviews (
    team, id, kind, owner, scope, type, subject, multi, stakes, slot, open_key, state, base_fact, base_value, proposed,
    until, detail, opened_at, updated_at
) VALUES (
    :team, :id, :kind, :owner, :scope, :type, :subject, :multi, :stakes, :slot, :open_key, 'open', :base_fact,
    :base_value, :proposed, :until, :detail, :now, :now
);

-- name: renew_item!
UPDATE reviews SET
    proposed = :proposed, until = :until, detail = :detail, base_fact = :base_fact, base_value = :base_value,
    updated_at = :now
WHERE team = :team AND id = :id AND state = 'open';

-- name: add_proposal!
INSERT INTO proposals (
    team, id, review_id, candidate_id, value, until, session_key, session, turn, start_char, end_char, quote, stated_at,
    said_at, turn_hash, turn_id, developer, recorded_at
) VALUES (
    :team, :id, :review_id, :candidate_id, :value, :until, :session_key, :session, :turn, :start_char, :end_char, :quote,
    :stated_at, :said_at, :turn_hash, :turn_id, :developer, :now
);

-- name: newest_proposal$
SELECT MAX(stated_at) FROM proposals WHERE team = :team AND review_id = :review_id;

-- name: close_items!
UPDATE reviews SET
    state = 'expired', open_key = NULL, decided_at = :now, decided_by = :actor, reason = :reason, updated_at = :now
WHERE team = :team AND state = 'open' AND id = ANY(CAST(:ids AS TEXT[]));

-- name: items_in
SELECT r.id, r.kind, r.owner, r.scope, r.type, r.subject, r.multi, r.stakes, r.slot, r.state, r.base_fact,
    r.base_value, r.proposed, r.until, r.detail, r.opened_at, r.updated_at, r.snoozed_until, r.decided_at, r.decided_by,
    r.decided_value, r.decided_event, r.reason, r.result_fact, r.undo_data, r.open_key, b.state AS base_state,
    n.value AS now_value
FROM reviews AS r
LEFT JOIN facts AS b ON b.team = r.team AND b.id = r.base_fact
LEFT JOIN facts AS n ON n.team = r.team AND n.active_key = r.slot
WHERE r.team = :team AND (:every OR r.state = 'open')
    AND (:any_owner OR (r.scope = 'repo' AND r.owner = :repo) OR (r.scope = 'developer' AND r.owner = :developer))
ORDER BY r.opened_at, r.id;

-- name: item_named^
SELECT r.id, r.kind, r.owner, r.scope, r.type, r.subject, r.multi, r.stakes, r.slot, r.state, r.base_fact,
    r.base_value, r.proposed, r.until, r.detail, r.opened_at, r.updated_at, r.snoozed_until, r.decided_at, r.decided_by,
    r.decided_value, r.decided_event, r.reason, r.result_fact, r.undo_data, r.open_key, b.state AS base_state,
    n.value AS now_value
FROM reviews AS r
LEFT JOIN facts AS b ON b.team = r.team AND b.id = r.base_fact
LEFT JOIN facts AS n ON n.team = r.team AND n.active_key = r.slot
WHERE r.team = :team AND r.id = :id;

-- name: item_ids_like
SELECT id FROM reviews WHERE team = :team AND starts_with(id, :beginning) ORDER BY id;

-- name: proposals_of
SELECT * FROM proposals_with_evidence
WHERE team = :team AND review_id = ANY(CAST(:ids AS TEXT[]))
ORDER BY stated_at DESC, recorded_at DESC, id;

-- name: proposal_statements
SELECT p.value, p.session_key, p.session, p.turn, p.start_char, p.end_char, p.quote, p.stated_at, p.said_at, p.turn_hash,
    p.turn_id, p.candidate_id, p.developer, t.path, t.transcript_hash
FROM proposals AS p LEFT JOIN turns AS t ON t.team = p.team AND t.id = p.turn_id
WHERE p.team = :team AND p.review_id = :review_id
ORDER BY p.stated_at DESC, p.recorded_at DESC, p.id;

-- name: refusals_of_slots
SELECT slot, value FROM refusals
WHERE team = :team AND withdrawn_at IS NULL AND slot = ANY(CAST(:slots AS TEXT[]));

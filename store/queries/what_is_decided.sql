-- name: decide_item!
UPDATE reviews SET
    state = :state, open_key = NULL, decided_at = :now, decided_by = :actor, decided_value = :decided_value,
    decided_event = :decided_event, reason = :reason, result_fact = :result_fact, undo_data = :undo_data,
    updated_at = :now
WHERE team = :team AND id = :id AND state = 'open';

-- name: reopen_item!
UPDATE reviews SET
    state = 'open', open_key = :open_key, decided_at = NULL, decided_by = NULL, decided_value = NULL,
    decided_event = NULL, reason = NULL, result_fact = NULL, undo_data = NULL, updated_at = :now
WHERE team = :team AND id = :id AND state = :from_state;

-- name: closed_items
SELECT id, kind, owner, scope, type, subject, multi, stakes, base_fact, proposed
FROM reviews WHERE team = :team AND state = 'expired' AND id = ANY(CAST(:ids AS TEXT[]));

-- name: item_with_open_key$
SELECT id FROM reviews WHERE team = :team AND open_key = :open_key;

-- name: facts_changed_after$
SELECT COUNT(*) FROM events
WHERE team = :team AND slot = :slot AND number > :mark AND fact_id IS NOT NULL;

-- name: add_refusal!
INSERT INTO refusals (team, id, owner, scope, type, subject, slot, value, refused_at, actor, review_id)
VALUES (:team, :id, :owner, :scope, :type, :subject, :slot, :value, :now, :actor, :review_id);

-- name: withdraw_refusal!
UPDATE refusals SET withdrawn_at = :now WHERE team = :team AND id = :id AND withdrawn_at IS NULL;

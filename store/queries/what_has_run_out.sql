-- name: dated_rules_over
SELECT id, owner, scope, type, subject, multi, stakes, value, state, stated_at, valid_until, confirmed_at,
    confirmed_by, times_stated
FROM facts WHERE team = :team AND state = 'active' AND valid_until < :today ORDER BY id;

-- name: rows_past_horizon
SELECT id, owner, scope, type, subject, multi, stakes, value, state, stated_at, valid_until, confirmed_at,
    confirmed_by, times_stated
FROM facts
WHERE team = :team AND state IN ('superseded', 'wrong', 'retired', 'expired') AND ended_at < :before ORDER BY id;

-- name: undecided_items
SELECT id, kind, owner, scope, type, subject, multi, stakes, slot, open_key, state, base_fact, base_value, proposed,
    until, opened_at, updated_at
FROM reviews
WHERE team = :team AND state = 'open' AND updated_at < :before
    AND (snoozed_until IS NULL OR snoozed_until < :now) ORDER BY id;

-- name: old_replies$
SELECT COUNT(*) FROM calls WHERE team = :team AND recorded_at < :before AND reply <> '';

-- name: empty_old_replies!
UPDATE calls SET reply = '' WHERE team = :team AND recorded_at < :before AND reply <> '';

-- name: loose_turns
SELECT id FROM turns
WHERE team = :team AND recorded_at < :before
    AND id NOT IN (SELECT turn_id FROM statements WHERE team = :team AND turn_id IS NOT NULL)
    AND id NOT IN (SELECT turn_id FROM proposals WHERE team = :team AND turn_id IS NOT NULL)
    AND id NOT IN (
        SELECT t.before_id FROM turns AS t
        WHERE t.team = :team AND t.before_id IS NOT NULL AND (
            t.recorded_at >= :before
            OR t.id IN (SELECT turn_id FROM statements WHERE team = :team AND turn_id IS NOT NULL)
            OR t.id IN (SELECT turn_id FROM proposals WHERE team = :team AND turn_id IS NOT NULL)
        )
    )
ORDER BY id;

-- name: old_notes
SELECT id FROM notes WHERE team = :team AND happened_at < :before ORDER BY id;

-- name: drop_turns!
DELETE FROM turns WHERE team = :team AND id = ANY(CAST(:ids AS TEXT[]));

-- name: loosen_candidates!
UPDATE candidates SET turn_id = NULL WHERE team = :team AND turn_id = ANY(CAST(:ids AS TEXT[]));

-- name: snooze_item!
UPDATE reviews SET snoozed_until = :snoozed_until, updated_at = :now
WHERE team = :team AND id = :id AND state = 'open';

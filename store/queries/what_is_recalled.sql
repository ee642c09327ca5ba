-- name: count_to_recall$
SELECT COUNT(*) FROM facts WHERE team = :team AND state = 'active' AND scope = :scope AND owner = :owner;

-- name: facts_to_recall
SELECT id, type, subject, value, stated_at, confirmed_at, valid_until, times_stated, developer
FROM facts WHERE team = :team AND state = 'active' AND scope = :scope AND owner = :owner
ORDER BY type, subject, stated_at, id;

-- name: items_to_recall
SELECT r.id, r.kind, r.type, r.subject, r.multi, r.state, r.base_fact, r.base_value, r.proposed, r.until,
    b.state AS base_state, n.value AS now_value, (
        SELECT MAX(p.stated_at) FROM proposals AS p WHERE p.team = r.team AND p.review_id = r.id
    ) AS said, COALESCE((
        SELECT BOOL_AND(p.session_key LIKE :files) FROM proposals AS p WHERE p.team = r.team AND p.review_id = r.id
    ), FALSE) AS by_files
FROM reviews AS r
LEFT JOIN facts AS b ON b.team = r.team AND b.id = r.base_fact
LEFT JOIN facts AS n ON n.team = r.team AND n.active_key = r.slot
WHERE r.team = :team AND r.state = 'open' AND r.scope = :scope AND r.owner = :owner
ORDER BY r.opened_at, r.id;

-- name: broken_active_keys
-- A row has an active key exactly while it is active.
SELECT id FROM facts WHERE team = :team AND (state = 'active') <> (active_key IS NOT NULL) ORDER BY id;

-- name: broken_slots
-- A slot with one value holds at most one active row that is no dated rule.
SELECT MIN(id) AS id FROM facts
WHERE team = :team AND state = 'active' AND NOT multi AND valid_until IS NULL
GROUP BY slot HAVING COUNT(*) > 1 ORDER BY 1;

-- name: broken_successors
-- Whatever says that it was superseded says by what, and that row exists.
SELECT f.id FROM facts AS f LEFT JOIN facts AS s ON s.team = f.team AND s.id = f.superseded_by
WHERE f.team = :team AND ((f.state = 'superseded' AND f.superseded_by IS NULL)
    OR (f.superseded_by IS NOT NULL AND s.id IS NULL))
ORDER BY f.id;

-- name: broken_ends
-- A row has ended exactly when it is not active.
SELECT id FROM facts WHERE team = :team AND (state = 'active') <> (ended_at IS NULL) ORDER BY id;

-- name: broken_evidence
-- A fact has its evidence, as its statement has it, unless it was erased.
SELECT f.id FROM facts AS f LEFT JOIN statements AS s ON s.team = f.team AND s.id = f.evidence_id AND s.fact_id = f.id
WHERE f.team = :team AND ((f.erased_at IS NULL AND (s.id IS NULL OR s.quote <> f.evidence_text OR s.turn <> f.evidence_turn))
    OR (f.erased_at IS NOT NULL AND (f.evidence_id IS NOT NULL OR f.evidence_text IS NOT NULL)))
ORDER BY f.id;

-- name: broken_counts
-- A fact was stated as often as it has statements; a fact that was confirmed by hand may have more confirmations.
SELECT f.id FROM facts AS f
LEFT JOIN (
    SELECT fact_id, COUNT(*) AS said FROM statements WHERE team = :team GROUP BY fact_id
) AS s ON s.fact_id = f.id
WHERE f.team = :team AND f.times_stated <> COALESCE(s.said, 0) ORDER BY f.id;

-- name: broken_erasures
-- An erased fact has no value and no words; one that has a value was not erased.
SELECT f.id FROM facts AS f LEFT JOIN statements AS s ON s.team = f.team AND s.fact_id = f.id
WHERE f.team = :team AND ((f.erased_at IS NOT NULL AND (f.value <> '' OR s.id IS NOT NULL))
    OR (f.erased_at IS NULL AND f.value = ''))
ORDER BY f.id;

-- name: orphaned_statements
SELECT s.id FROM statements AS s
LEFT JOIN facts AS f ON f.team = s.team AND f.id = s.fact_id
LEFT JOIN turns AS t ON t.team = s.team AND t.id = s.turn_id
WHERE s.team = :team AND (f.id IS NULL OR (s.turn_id IS NOT NULL AND t.id IS NULL)) ORDER BY s.id;

-- name: orphaned_proposals
SELECT p.id FROM proposals AS p
LEFT JOIN reviews AS r ON r.team = p.team AND r.id = p.review_id
LEFT JOIN turns AS t ON t.team = p.team AND t.id = p.turn_id
WHERE p.team = :team AND (r.id IS NULL OR (p.turn_id IS NOT NULL AND t.id IS NULL)) ORDER BY p.id;

-- name: orphaned_candidates
SELECT c.id FROM candidates AS c
LEFT JOIN sessions AS x ON x.team = c.team AND x.key = c.session_key
LEFT JOIN facts AS f ON f.team = c.team AND f.id = c.fact_id
LEFT JOIN reviews AS r ON r.team = c.team AND r.id = c.review_id
LEFT JOIN turns AS t ON t.team = c.team AND t.id = c.turn_id
WHERE c.team = :team AND (x.key IS NULL OR (c.fact_id IS NOT NULL AND f.id IS NULL)
    OR (c.review_id IS NOT NULL AND r.id IS NULL) OR (c.turn_id IS NOT NULL AND t.id IS NULL))
ORDER BY c.id;

-- name: broken_open_keys
-- A review item has an open key exactly while it is open.
SELECT id FROM reviews WHERE team = :team AND (state = 'open') <> (open_key IS NOT NULL) ORDER BY id;

-- name: broken_items
-- A review item has at least one proposal, and the facts that it names exist.
SELECT r.id FROM reviews AS r
LEFT JOIN facts AS b ON b.team = r.team AND b.id = r.base_fact
LEFT JOIN facts AS n ON n.team = r.team AND n.id = r.result_fact
LEFT JOIN (SELECT review_id FROM proposals WHERE team = :team GROUP BY review_id) AS p ON p.review_id = r.id
WHERE r.team = :team AND (p.review_id IS NULL OR (r.base_fact IS NOT NULL AND b.id IS NULL)
    OR (r.result_fact IS NOT NULL AND n.id IS NULL))
ORDER BY r.id;

-- name: broken_fact_stories
-- The event log, replayed, gives every fact the state that it has, and no step begins where the last did not end.
SELECT f.id FROM facts AS f
LEFT JOIN (
    SELECT fact_id, MAX(CASE WHEN place = 1 THEN to_state END) AS last_state,
        SUM(CASE WHEN COALESCE(from_state, '') <> COALESCE(state_before, '') THEN 1 ELSE 0 END) AS breaks
    FROM (
        SELECT fact_id, from_state, to_state,
            LAG(to_state) OVER (PARTITION BY fact_id ORDER BY number) AS state_before,
            ROW_NUMBER() OVER (PARTITION BY fact_id ORDER BY number DESC) AS place
        FROM events WHERE team = :team AND fact_id IS NOT NULL AND to_state IS NOT NULL
    ) AS steps
    GROUP BY fact_id
) AS e ON e.fact_id = f.id
WHERE f.team = :team AND (e.fact_id IS NULL OR e.last_state <> f.state OR e.breaks > 0) ORDER BY f.id;

-- name: broken_item_stories
SELECT r.id FROM reviews AS r
LEFT JOIN (
    SELECT review_id, MAX(CASE WHEN place = 1 THEN to_state END) AS last_state
    FROM (
        SELECT review_id, to_state, ROW_NUMBER() OVER (PARTITION BY review_id ORDER BY number DESC) AS place
        FROM events WHERE team = :team AND review_id IS NOT NULL AND fact_id IS NULL AND to_state IS NOT NULL
    ) AS steps
    GROUP BY review_id
) AS e ON e.review_id = r.id
WHERE r.team = :team AND (e.review_id IS NULL OR e.last_state <> r.state) ORDER BY r.id;

-- name: orphaned_events
SELECT CAST(e.number AS TEXT) AS id FROM events AS e
LEFT JOIN facts AS f ON f.team = e.team AND f.id = e.fact_id
LEFT JOIN reviews AS r ON r.team = e.team AND r.id = e.review_id
WHERE e.team = :team AND ((e.fact_id IS NOT NULL AND f.id IS NULL) OR (e.review_id IS NOT NULL AND r.id IS NULL))
ORDER BY e.number;

-- name: missing_tombstones
-- Every forgotten fact left a tombstone in its slot.
SELECT f.id FROM facts AS f
LEFT JOIN (SELECT slot FROM tombstones WHERE team = :team AND withdrawn_at IS NULL GROUP BY slot) AS x ON x.slot = f.slot
WHERE f.team = :team AND f.state = 'forgotten' AND x.slot IS NULL ORDER BY f.id;

-- name: orphaned_recalled
SELECT d.recall_id AS id FROM recalled AS d
LEFT JOIN recalls AS r ON r.team = d.team AND r.id = d.recall_id AND r.session = d.session
LEFT JOIN facts AS f ON f.team = d.team AND f.id = d.fact_id
WHERE d.team = :team AND (r.id IS NULL OR f.id IS NULL) ORDER BY d.recall_id;

-- name: orphaned_answered
SELECT a.fact_id AS id FROM answered AS a LEFT JOIN facts AS f ON f.team = a.team AND f.id = a.fact_id
WHERE a.team = :team AND f.id IS NULL ORDER BY a.fact_id;

-- name: broken_notes
-- A session's note is of a session that was read, and the only one of it.
SELECT n.id FROM notes AS n LEFT JOIN sessions AS s ON s.team = n.team AND s.key = n.session_key
WHERE n.team = :team AND n.outcome IS NOT NULL AND (
    s.key IS NULL OR EXISTS (
        SELECT 1 FROM notes AS o
        WHERE o.team = n.team AND o.session_key = n.session_key AND o.outcome IS NOT NULL AND o.id > n.id
    )
)
ORDER BY n.id;

-- name: broken_leases
-- A session has a lease exactly while it is running.
SELECT key AS id FROM sessions WHERE team = :team AND (state = 'running') <> (lease_owner IS NOT NULL) ORDER BY key;

-- name: statements_in_turns
SELECT s.id, s.quote, t.text FROM statements AS s JOIN turns AS t ON t.team = s.team AND t.id = s.turn_id
WHERE s.team = :team ORDER BY s.id;

-- name: kept_texts
SELECT id, text, text_hash FROM turns WHERE team = :team ORDER BY id;

-- name: active_keys
SELECT id, owner, scope, type, subject, multi, stakes, value, state, stated_at, valid_until, confirmed_at,
    confirmed_by, times_stated, slot, active_key
FROM facts WHERE team = :team AND active_key IS NOT NULL ORDER BY id;

-- name: named_sources
SELECT id, derived_from FROM facts WHERE team = :team AND derived_from <> '[]'
UNION ALL SELECT id, derived_from FROM notes WHERE team = :team AND derived_from <> '[]';

-- name: source_ids
SELECT id FROM facts WHERE team = :team UNION ALL SELECT id FROM notes WHERE team = :team;

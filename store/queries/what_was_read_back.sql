-- name: recalls_there
SELECT id FROM recalls WHERE team = :team AND id = ANY(CAST(:ids AS TEXT[]));

-- name: facts_there
SELECT id FROM facts WHERE team = :team AND id = ANY(CAST(:ids AS TEXT[]));

-- name: add_recalls!
INSERT INTO recalls (
    team, id, happened_at, caller, event, session, repo, developer, query, eligible, tokens, ms, recorded_at
)
SELECT
    :team, unnest(CAST(:id AS TEXT[])), unnest(CAST(:happened_at AS TIMESTAMPTZ[])), unnest(CAST(:caller AS TEXT[])),
    unnest(CAST(:event AS TEXT[])), unnest(CAST(:session AS TEXT[])), unnest(CAST(:repo AS TEXT[])),
    unnest(CAST(:developer AS TEXT[])), unnest(CAST(:query AS TEXT[])), unnest(CAST(:eligible AS TEXT[])),
    unnest(CAST(:tokens AS INTEGER[])), unnest(CAST(:ms AS INTEGER[])), CAST(:now AS TIMESTAMPTZ);

-- name: add_recalled!
INSERT INTO recalled (team, recall_id, fact_id, session, placement, shown, asked)
SELECT
    :team, unnest(CAST(:recall_id AS TEXT[])), unnest(CAST(:fact_id AS TEXT[])), unnest(CAST(:session AS TEXT[])),
    unnest(CAST(:placement AS TEXT[])), unnest(CAST(:shown AS BOOLEAN[])), unnest(CAST(:asked AS BOOLEAN[]));

-- name: told_to
-- What sessions were told and are not known to have used yet.
SELECT d.recall_id, d.fact_id, d.session, r.happened_at, f.value
FROM recalled AS d
JOIN recalls AS r ON r.team = d.team AND r.id = d.recall_id
JOIN facts AS f ON f.team = d.team AND f.id = d.fact_id
WHERE d.team = :team AND d.session = ANY(CAST(:sessions AS TEXT[])) AND d.shown AND d.used IS DISTINCT FROM TRUE;

-- name: mark_used!
UPDATE recalled SET used = m.used
FROM (
    SELECT unnest(CAST(:recall_id AS TEXT[])) AS recall_id, unnest(CAST(:fact_id AS TEXT[])) AS fact_id,
        unnest(CAST(:used AS BOOLEAN[])) AS used
) AS m
WHERE recalled.team = :team AND recalled.recall_id = m.recall_id AND recalled.fact_id = m.fact_id;

-- name: recalls_by_caller
-- Notes are told without a fact.
SELECT caller, COUNT(*) AS times,
    SUM(CASE WHEN told.recall_id IS NULL AND r.tokens = 0 THEN 1 ELSE 0 END) AS silent, SUM(r.tokens) AS tokens, CAST(PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY r.ms) AS INTEGER) AS ms_p50,
    CAST(PERCENTILE_DISC(0.95) WITHIN GROUP (ORDER BY r.ms) AS INTEGER) AS ms_p95
FROM recalls AS r
LEFT JOIN (SELECT DISTINCT recall_id FROM recalled WHERE team = :team AND shown) AS told ON told.recall_id = r.id
WHERE r.team = :team AND r.happened_at >= :since AND (CAST(:repo AS TEXT) IS NULL OR r.repo = :repo)
GROUP BY caller ORDER BY caller;

-- name: told_facts
-- Each fact once for each session that was told it. It was stale where we know by now that it did not hold then.
SELECT d.session, d.fact_id, f.type, MIN(r.happened_at) AS told_at,
    MAX(CASE WHEN d.asked THEN 1 ELSE 0 END) AS asked,
    MAX(CASE WHEN d.placement = 'load' AND NOT d.asked THEN 1 ELSE 0 END) AS loaded,
    MAX(CASE WHEN d.used THEN 1 WHEN NOT d.used THEN 0 END) AS used,
    MAX(CASE WHEN d.placement = 'load' AND NOT d.asked
        AND (COALESCE(f.archived_from, f.state) = 'wrong' OR f.superseded_at < r.happened_at) THEN 1 ELSE 0 END) AS stale
FROM recalled AS d
JOIN recalls AS r ON r.team = d.team AND r.id = d.recall_id
JOIN facts AS f ON f.team = d.team AND f.id = d.fact_id
WHERE d.team = :team AND d.shown AND r.happened_at >= :since AND (CAST(:repo AS TEXT) IS NULL OR r.repo = :repo)
GROUP BY d.session, d.fact_id, f.type ORDER BY d.session, d.fact_id;

-- name: said_of_facts
-- What developers said again, or otherwise, of facts that the store held then; whether an agent had asked.
SELECT c.session, f.id AS fact_id, f.type, c.code, c.stated_at,
    CASE WHEN POSITION('?' IN RIGHT(b.text, 600)) > 0 THEN 1 ELSE 0 END AS was_asked
FROM candidates AS c
LEFT JOIN reviews AS r ON r.team = c.team AND r.id = c.review_id
JOIN facts AS f ON f.team = c.team AND f.id = COALESCE(r.base_fact, c.fact_id)
LEFT JOIN turns AS t ON t.team = c.team AND t.id = c.turn_id
LEFT JOIN turns AS b ON b.team = t.team AND b.id = t.before_id
WHERE c.team = :team AND c.code IN ('same_value', 'replacement', 'correction')
    AND c.applied NOT IN ('kept', 'already_used') AND c.stated_at >= :since AND f.recorded_at < c.stated_at
    AND (CAST(:repo AS TEXT) IS NULL OR f.owner = :repo OR f.scope = 'developer')
UNION ALL
SELECT a.session, f.id, f.type, 'answered', a.said_at, 1
FROM answered AS a JOIN facts AS f ON f.team = a.team AND f.id = a.fact_id
WHERE a.team = :team AND a.said_at >= :since
    AND (CAST(:repo AS TEXT) IS NULL OR f.owner = :repo OR f.scope = 'developer')
ORDER BY stated_at, fact_id;

-- name: held_values
SELECT id, owner, type, subject, value, recorded_at FROM facts
WHERE team = :team AND owner = ANY(CAST(:owners AS TEXT[])) AND state = 'active' ORDER BY id;

-- name: add_answered!
INSERT INTO answered (team, session, fact_id, said_at)
SELECT
    :team, unnest(CAST(:session AS TEXT[])), unnest(CAST(:fact_id AS TEXT[])),
    unnest(CAST(:said_at AS TIMESTAMPTZ[]))
ON CONFLICT DO NOTHING;

-- name: sessions_read$
SELECT COUNT(*) FROM sessions
WHERE team = :team AND state = 'done' AND path <> key AND ended_at >= :since AND (CAST(:repo AS TEXT) IS NULL OR repo = :repo);

-- name: old_recalls
SELECT id FROM recalls WHERE team = :team AND happened_at < :before ORDER BY id;

-- name: drop_recalls!
DELETE FROM recalls WHERE team = :team AND id = ANY(CAST(:ids AS TEXT[]));

-- name: drop_recalled!
DELETE FROM recalled WHERE team = :team AND recall_id = ANY(CAST(:ids AS TEXT[]));

-- name: requests_of_owner
SELECT id, query FROM recalls WHERE team = :team AND query <> '' AND (repo = :owner OR developer = :owner);

-- name: reword_recall!
UPDATE recalls SET query = :query WHERE team = :team AND id = :id;

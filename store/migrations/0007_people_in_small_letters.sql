-- An e-mail address is one developer in any spelling of its letters: what was kept under capitals is found again.

UPDATE sessions SET developer = lower(developer) WHERE developer LIKE '%_@_%' AND developer <> lower(developer);
UPDATE facts SET developer = lower(developer) WHERE developer LIKE '%_@_%' AND developer <> lower(developer);
UPDATE proposals SET developer = lower(developer) WHERE developer LIKE '%_@_%' AND developer <> lower(developer);
UPDATE notes SET developer = lower(developer) WHERE developer LIKE '%_@_%' AND developer <> lower(developer);
UPDATE recalls SET developer = lower(developer) WHERE developer LIKE '%_@_%' AND developer <> lower(developer);
UPDATE notes SET owner = lower(owner) WHERE scope = 'developer' AND owner LIKE '%_@_%' AND owner <> lower(owner);
UPDATE candidates SET owner = lower(owner) WHERE owner IN (
    SELECT owner FROM facts WHERE scope = 'developer' UNION SELECT owner FROM reviews WHERE scope = 'developer'
    UNION SELECT owner FROM tombstones WHERE scope = 'developer'
) AND owner LIKE '%_@_%' AND owner <> lower(owner);

-- Of active facts that fill one place then, the one that was said last stays; the others are superseded by it.
CREATE TABLE one_place AS
SELECT team, id, ROW_NUMBER() OVER place AS rank, FIRST_VALUE(id) OVER place AS first,
    FIRST_VALUE(stated_at) OVER place AS first_stated
FROM (
    SELECT team, id, owner, stated_at, lower(owner) || substr(active_key, length('developer' || chr(31) || owner) + 1)
        AS key
    FROM facts WHERE scope = 'developer' AND active_key IS NOT NULL AND owner LIKE '%_@_%'
) AS active
WINDOW place AS (PARTITION BY team, key ORDER BY stated_at DESC, owner DESC, id);

INSERT INTO events (
    team, number, happened_at, actor, action, owner, type, subject, slot, fact_id, from_state, to_state, reason
)
SELECT f.team, nextval('event_number'), now(), 'upkeep', 'superseded', f.owner, f.type, f.subject, f.slot, f.id,
    'active', 'superseded', 'the same developer in another spelling'
FROM facts AS f JOIN one_place AS p ON p.team = f.team AND p.id = f.id WHERE p.rank > 1;

UPDATE facts SET
    state = 'superseded', active_key = NULL, superseded_by = p.first, superseded_at = p.first_stated, ended_at = now()
FROM one_place AS p WHERE p.team = facts.team AND p.id = facts.id AND p.rank > 1;

DROP TABLE one_place;

-- Of open questions alike, the one that was raised last stays.
CREATE TABLE one_question AS
SELECT team, id, ROW_NUMBER() OVER place AS rank
FROM (
    SELECT team, id, owner, updated_at, lower(owner) || substr(open_key, length('developer' || chr(31) || owner) + 1)
        AS key
    FROM reviews WHERE scope = 'developer' AND open_key IS NOT NULL AND owner LIKE '%_@_%'
) AS asked
WINDOW place AS (PARTITION BY team, key ORDER BY updated_at DESC, owner DESC, id);

INSERT INTO events (
    team, number, happened_at, actor, action, owner, type, subject, slot, review_id, from_state, to_state, reason
)
SELECT r.team, nextval('event_number'), now(), 'upkeep', 'closed', r.owner, r.type, r.subject, r.slot, r.id,
    'open', 'expired', 'the same developer in another spelling'
FROM reviews AS r JOIN one_question AS q ON q.team = r.team AND q.id = r.id WHERE q.rank > 1;

UPDATE reviews SET
    state = 'expired', open_key = NULL, decided_at = now(), decided_by = 'upkeep', updated_at = now(),
    reason = 'the same developer in another spelling'
FROM one_question AS q WHERE q.team = reviews.team AND q.id = reviews.id AND q.rank > 1;

DROP TABLE one_question;

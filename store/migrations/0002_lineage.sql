-- What is built on facts (notes, summaries, procedures), so that a forget or a correction finds it.

CREATE TABLE notes (
    team TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,               -- note, summary, procedure
    owner TEXT NOT NULL,
    scope TEXT NOT NULL,
    session_key TEXT,
    text TEXT NOT NULL,
    embedding TEXT,                   -- JSON: numbers
    embedding_model TEXT,
    derived_from TEXT NOT NULL,       -- JSON: ids of facts and notes
    happened_at TIMESTAMPTZ NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    rewrite_at TIMESTAMPTZ,           -- set when something it was built on turned out wrong
    PRIMARY KEY (team, id)
);

ALTER TABLE facts ADD COLUMN rewrite_at TIMESTAMPTZ;
ALTER TABLE facts ADD COLUMN archived_from TEXT;

DROP VIEW facts_with_evidence;
CREATE VIEW facts_with_evidence AS
SELECT f.team, f.id, f.owner, f.scope, f.type, f.subject, f.value, f.state, f.multi, f.stakes, f.stated_at,
    f.recorded_at, f.valid_from, f.valid_until, f.ended_at, f.superseded_at, f.superseded_by, f.confirmed_at,
    f.confirmed_by, f.times_stated, f.derived_from, f.developer, f.rewrite_at, f.archived_from, s.session AS evidence_session,
    s.session_key AS evidence_session_key, s.turn AS evidence_turn, s.start_char AS evidence_start,
    s.end_char AS evidence_end, s.quote AS evidence_text, s.said_at AS evidence_said_at, t.path AS evidence_path,
    t.transcript_hash AS evidence_transcript_hash, t.text AS evidence_turn_text, b.text AS evidence_before_text
FROM facts AS f
LEFT JOIN statements AS s ON s.team = f.team AND s.id = f.evidence_id
LEFT JOIN turns AS t ON t.team = s.team AND t.id = s.turn_id
LEFT JOIN turns AS b ON b.team = t.team AND b.id = t.before_id;

-- What has to be done outside a transaction: after an erasure the file is written anew, so that no old byte stays.
CREATE TABLE chores (
    team TEXT NOT NULL,
    name TEXT NOT NULL,               -- compact
    since TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (team, name)
);

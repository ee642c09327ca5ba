-- A fact carries the words behind it: listing a repository's facts no longer looks through every statement there is.

DROP VIEW facts_with_evidence;

ALTER TABLE facts ADD COLUMN evidence_session TEXT;
ALTER TABLE facts ADD COLUMN evidence_session_key TEXT;
ALTER TABLE facts ADD COLUMN evidence_turn TEXT;
ALTER TABLE facts ADD COLUMN evidence_start INTEGER;
ALTER TABLE facts ADD COLUMN evidence_end INTEGER;
ALTER TABLE facts ADD COLUMN evidence_text TEXT;
ALTER TABLE facts ADD COLUMN evidence_said_at TIMESTAMPTZ;
ALTER TABLE facts ADD COLUMN evidence_path TEXT;
ALTER TABLE facts ADD COLUMN evidence_transcript_hash TEXT;
ALTER TABLE facts ADD COLUMN evidence_turn_id TEXT;

UPDATE facts SET
    evidence_session = s.session, evidence_session_key = s.session_key, evidence_turn = s.turn,
    evidence_start = s.start_char, evidence_end = s.end_char, evidence_text = s.quote, evidence_said_at = s.said_at,
    evidence_turn_id = s.turn_id
FROM statements AS s WHERE s.team = facts.team AND s.id = facts.evidence_id;

UPDATE facts SET evidence_path = t.path, evidence_transcript_hash = t.transcript_hash
FROM turns AS t WHERE t.team = facts.team AND t.id = facts.evidence_turn_id;

CREATE VIEW facts_with_evidence AS
SELECT f.team, f.id, f.owner, f.scope, f.type, f.subject, f.value, f.state, f.multi, f.stakes, f.stated_at,
    f.recorded_at, f.valid_from, f.valid_until, f.ended_at, f.superseded_at, f.superseded_by, f.confirmed_at,
    f.confirmed_by, f.times_stated, f.derived_from, f.developer, f.rewrite_at, f.archived_from, f.evidence_session,
    f.evidence_session_key, f.evidence_turn, f.evidence_start, f.evidence_end, f.evidence_text, f.evidence_said_at,
    f.evidence_path, f.evidence_transcript_hash, t.text AS evidence_turn_text, b.text AS evidence_before_text
FROM facts AS f
LEFT JOIN turns AS t ON t.team = f.team AND t.id = f.evidence_turn_id
LEFT JOIN turns AS b ON b.team = t.team AND b.id = t.before_id;

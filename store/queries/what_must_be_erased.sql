-- name: rows_of_slot
SELECT id, owner, scope, type, subject, multi, stakes, value, state, stated_at, valid_until, confirmed_at,
    confirmed_by, times_stated
FROM facts WHERE team = :team AND slot = :slot;

-- name: rows_of_owner
SELECT id, owner, scope, type, subject, multi, stakes, value, state, stated_at, valid_until, confirmed_at,
    confirmed_by, times_stated
FROM facts WHERE team = :team AND scope = :scope AND owner = :owner AND erased_at IS NULL;

-- name: due_for_erasure
SELECT id, owner, scope, type, subject, multi, stakes, value, state, stated_at, valid_until, confirmed_at,
    confirmed_by, times_stated
FROM facts WHERE team = :team AND state = 'forgotten' AND erase_at <= :now ORDER BY slot, id;

-- name: erase_facts!
UPDATE facts SET
    value = '', evidence_id = NULL, evidence_session = NULL, evidence_session_key = NULL, evidence_turn = NULL,
    evidence_start = NULL, evidence_end = NULL, evidence_text = NULL, evidence_said_at = NULL, evidence_path = NULL,
    evidence_transcript_hash = NULL, evidence_turn_id = NULL, active_key = NULL, erase_at = NULL, erased_at = :now,
    times_stated = 0
WHERE team = :team AND id = ANY(CAST(:ids AS TEXT[])) AND state <> 'active';

-- name: mark_facts_for_rewriting!
UPDATE facts SET rewrite_at = :now
WHERE team = :team AND rewrite_at IS NULL AND state = 'active' AND id = ANY(CAST(:ids AS TEXT[]));

-- name: statements_of_owner
SELECT s.id, s.fact_id, s.session_key, s.quote, s.turn_id FROM statements AS s
JOIN facts AS f ON f.team = s.team AND f.id = s.fact_id
WHERE s.team = :team AND f.scope = :scope AND f.owner = :owner;

-- name: reword_statement!
UPDATE statements SET quote = :quote WHERE team = :team AND id = :id;

-- name: reword_evidence!
UPDATE facts SET evidence_text = :quote WHERE team = :team AND evidence_id = :id;

-- name: erase_statements!
DELETE FROM statements WHERE team = :team AND fact_id = ANY(CAST(:ids AS TEXT[]));

-- name: items_of_owner
SELECT id, slot, state, base_fact, base_value, proposed, decided_value, detail, reason, result_fact FROM reviews
WHERE team = :team AND scope = :scope AND owner = :owner;

-- name: reword_item!
UPDATE reviews SET
    base_value = :base_value, proposed = :proposed, decided_value = :decided_value, detail = :detail,
    reason = :reason, undo_data = CASE WHEN :undoable THEN undo_data ELSE NULL END
WHERE team = :team AND id = :id;

-- name: proposals_of_owner
SELECT p.id, p.review_id, r.slot, p.session_key, p.value, p.quote, p.turn_id FROM proposals AS p
JOIN reviews AS r ON r.team = p.team AND r.id = p.review_id
WHERE p.team = :team AND r.scope = :scope AND r.owner = :owner;

-- name: reword_proposal!
UPDATE proposals SET value = :value, quote = :quote WHERE team = :team AND id = :id;

-- name: refusals_of_slot
SELECT id, value FROM refusals WHERE team = :team AND slot = :slot;

-- name: erase_refusals!
DELETE FROM refusals WHERE team = :team AND id = ANY(CAST(:ids AS TEXT[]));

-- name: session_texts_of_owner
SELECT key, error, error_next, skip_reason, note_problem FROM sessions
WHERE team = :team AND ((:scope = 'repo' AND repo = :owner) OR (:scope = 'developer' AND developer = :owner));

-- name: reword_session!
UPDATE sessions SET
    error = :error, error_next = :error_next, skip_reason = :skip_reason, note_problem = :note_problem
WHERE team = :team AND key = :key;

-- name: candidate_texts
SELECT id, session_key, owner, type, subject, value, raw, quote, detail, verdicts, fact_id, review_id, turn_id, applied
FROM candidates WHERE team = :team AND session_key = ANY(CAST(:keys AS TEXT[]));

-- name: reword_candidate!
UPDATE candidates SET
    value = :value, subject = :subject, raw = :raw, quote = :quote, detail = :detail, verdicts = :verdicts
WHERE team = :team AND id = :id;

-- name: call_texts
SELECT id, session_key, parameters, reply, error FROM calls
WHERE team = :team AND session_key = ANY(CAST(:keys AS TEXT[]));

-- name: reword_call!
UPDATE calls SET parameters = :parameters, reply = :reply, error = :error WHERE team = :team AND id = :id;

-- name: turn_texts
SELECT id, session_key, text, before_id FROM turns WHERE team = :team AND session_key = ANY(CAST(:keys AS TEXT[]));

-- name: reword_turn!
UPDATE turns SET text = :text, text_hash = :text_hash WHERE team = :team AND id = :id;

-- name: event_reasons
SELECT number, reason FROM events WHERE team = :team AND owner = :owner AND reason <> '';

-- name: reword_event!
UPDATE events SET reason = :reason WHERE team = :team AND number = :number;

-- name: tombstone_reasons
SELECT id, reason FROM tombstones WHERE team = :team AND owner = :owner AND reason <> '';

-- name: reword_tombstone!
UPDATE tombstones SET reason = :reason WHERE team = :team AND id = :id;

-- name: pass_summaries
SELECT id, summary FROM passes WHERE team = :team AND summary IS NOT NULL;

-- name: reword_pass!
UPDATE passes SET summary = :summary WHERE team = :team AND id = :id;

-- name: notes_of_owner
SELECT id, text, files FROM notes
WHERE team = :team AND ((scope = :scope AND owner = :owner) OR (:scope = 'developer' AND developer = :owner));

-- name: reword_note!
UPDATE notes SET
    text = :text, files = :files, embedding = NULL, embedding_model = NULL, rewrite_at = COALESCE(rewrite_at, :now)
WHERE team = :team AND id = :id;

-- name: erase_notes!
DELETE FROM notes WHERE team = :team AND id = ANY(CAST(:ids AS TEXT[]));

-- name: built_on
SELECT id, 'fact' AS noun, derived_from FROM facts WHERE team = :team AND derived_from <> '[]' AND erased_at IS NULL
UNION ALL
SELECT id, 'note', derived_from FROM notes WHERE team = :team AND derived_from <> '[]';

-- name: mark_notes_for_rewriting!
UPDATE notes SET rewrite_at = :now
WHERE team = :team AND rewrite_at IS NULL AND id = ANY(CAST(:ids AS TEXT[]));

-- name: chore$
SELECT since FROM chores WHERE team = :team AND name = :name;

-- name: add_chore!
INSERT INTO chores (team, name, since) VALUES (:team, :name, :now);

-- name: done_chore!
DELETE FROM chores WHERE team = :team AND name = :name;

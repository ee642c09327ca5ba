-- name: add_note!
INSERT INTO notes (
    team, id, kind, owner, scope, session_key, text, embedding, embedding_model, derived_from, happened_at, recorded_at,
    developer, outcome, files, importance
) VALUES (
    :team, :id, :kind, :owner, :scope, :session_key, :text, :embedding, :embedding_model, :derived_from, :happened_at,
    :now, :developer, :outcome, :files, :importance
);

-- name: notes_in
-- A repository's notes that are the developer's own or nobody's, and the developer's own of every repository.
SELECT id, kind, owner, scope, session_key, text, CASE WHEN :vectors THEN embedding END AS embedding, embedding_model,
    derived_from, happened_at, recorded_at, rewrite_at, developer, outcome, files, importance
FROM notes
WHERE team = :team AND (CAST(:kind AS TEXT) IS NULL OR kind = :kind) AND (
    (scope = 'repo' AND owner = :repo AND (developer IS NULL OR developer = :developer))
    OR (scope = 'developer' AND owner = :developer)
)
ORDER BY happened_at DESC, id;

-- name: note_of^
SELECT id, kind, owner, scope, session_key, text, embedding, embedding_model, derived_from, happened_at, recorded_at,
    rewrite_at, developer, outcome, files, importance
FROM notes WHERE team = :team AND session_key = :session_key AND kind = 'note' AND outcome IS NOT NULL;

-- name: note_ids_like
SELECT id FROM notes WHERE team = :team AND starts_with(id, :beginning) ORDER BY id;

-- name: empty_note_replies!
-- What the model wrote when it was asked for the note of a note's session.
UPDATE calls SET reply = '', error = ''
WHERE team = :team AND extractor = 'note' AND reply <> ''
    AND session_key IN (SELECT session_key FROM notes WHERE team = :team AND id = :id);

-- name: drop_earlier_notes!
DELETE FROM notes
WHERE team = :team AND session_key = :session_key AND kind = 'note' AND outcome IS NOT NULL AND id <> :id;

-- name: tell_of_note!
UPDATE sessions SET note_problem = :problem WHERE team = :team AND key = :session_key;

-- name: note_exists$
SELECT COUNT(*) FROM notes WHERE team = :team AND id = :id;

-- name: add_note!
INSERT INTO notes (
    team, id, kind, owner, scope, session_key, text, embedding, embedding_model, derived_from, happened_at, recorded_at
) VALUES (
    :team, :id, :kind, :owner, :scope, :session_key, :text, :embedding, :embedding_model, :derived_from, :happened_at,
    :now
);

-- name: notes_in
SELECT id, kind, owner, scope, session_key, text, embedding, embedding_model, derived_from, happened_at, recorded_at,
    rewrite_at
FROM notes
WHERE team = :team AND ((scope = 'repo' AND owner = :repo) OR (scope = 'developer' AND owner = :developer))
    AND (CAST(:kind AS TEXT) IS NULL OR kind = :kind)
ORDER BY happened_at DESC, id;

-- name: note_exists$
SELECT COUNT(*) FROM notes WHERE team = :team AND id = :id;

-- name: rejected_candidates
SELECT * FROM candidates_with_evidence
WHERE team = :team AND disposition IN ('discard', 'quarantine')
    AND (CAST(:since AS TIMESTAMPTZ) IS NULL OR recorded_at >= CAST(:since AS TIMESTAMPTZ))
    AND (CAST(:code AS TEXT) IS NULL OR code = :code)
    AND (CAST(:repo AS TEXT) IS NULL OR repo = :repo)
    AND (CAST(:session_key AS TEXT) IS NULL OR session_key = :session_key)
ORDER BY recorded_at DESC, session_key, position;

-- name: candidates_of_session
SELECT * FROM candidates_with_evidence
WHERE team = :team AND session_key = :session_key
ORDER BY recorded_at, position;

-- name: all_candidates
SELECT * FROM candidates_with_evidence
WHERE team = :team
ORDER BY session_key, recorded_at, position;

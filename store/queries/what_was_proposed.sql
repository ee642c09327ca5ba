-- name: add_candidates!
INSERT INTO candidates (
    team, id, session_key, session, position, extractor, call_id, policy_version, raw, owner, type, subject, value, kind,
    until, stated_at, quote, turn, start_char, end_char, turn_id, disposition, code, detail, verdicts, applied, fact_id,
    review_id, recorded_at
)
SELECT
    :team, unnest(CAST(:id AS TEXT[])), :session_key, :session, unnest(CAST(:position AS INTEGER[])),
    unnest(CAST(:extractor AS TEXT[])), unnest(CAST(:call_id AS TEXT[])), :policy_version,
    unnest(CAST(:raw AS TEXT[])), unnest(CAST(:owner AS TEXT[])), unnest(CAST(:type AS TEXT[])),
    unnest(CAST(:subject AS TEXT[])), unnest(CAST(:value AS TEXT[])), unnest(CAST(:kind AS TEXT[])),
    unnest(CAST(:until AS DATE[])), unnest(CAST(:stated_at AS TIMESTAMPTZ[])), unnest(CAST(:quote AS TEXT[])),
    unnest(CAST(:turn AS TEXT[])), unnest(CAST(:start_char AS INTEGER[])), unnest(CAST(:end_char AS INTEGER[])),
    unnest(CAST(:turn_id AS TEXT[])), unnest(CAST(:disposition AS TEXT[])), unnest(CAST(:code AS TEXT[])),
    unnest(CAST(:detail AS TEXT[])), unnest(CAST(:verdicts AS TEXT[])), unnest(CAST(:applied AS TEXT[])),
    unnest(CAST(:fact_id AS TEXT[])), unnest(CAST(:review_id AS TEXT[])), CAST(:now AS TIMESTAMPTZ);

-- name: add_call*!
INSERT INTO calls (
    team, id, session_key, position, extractor, model, prompt_version, parameters, reply, input_tokens, output_tokens,
    seconds, error, recorded_at
) VALUES (
    :team, :id, :session_key, :position, :extractor, :model, :prompt_version, :parameters, :reply, :input_tokens,
    :output_tokens, :seconds, :error, :now
);

-- name: kept_turns
SELECT id FROM turns WHERE team = :team AND id = ANY(CAST(:ids AS TEXT[]));

-- name: keep_turns!
INSERT INTO turns (
    team, id, session_key, turn, speaker, said_at, text, text_hash, before_id, path, transcript_hash, recorded_at
)
SELECT
    :team, unnest(CAST(:id AS TEXT[])), :session_key, unnest(CAST(:turn AS TEXT[])), unnest(CAST(:speaker AS TEXT[])),
    unnest(CAST(:said_at AS TIMESTAMPTZ[])), unnest(CAST(:text AS TEXT[])), unnest(CAST(:text_hash AS TEXT[])),
    unnest(CAST(:before_id AS TEXT[])), :path, :transcript_hash, CAST(:now AS TIMESTAMPTZ);

-- name: add_calls!
INSERT INTO calls (
    team, id, session_key, position, extractor, model, prompt_version, parameters, reply, input_tokens, output_tokens,
    seconds, error, recorded_at
)
SELECT
    :team, unnest(CAST(:id AS TEXT[])), unnest(CAST(:session_key AS TEXT[])), unnest(CAST(:position AS INTEGER[])),
    unnest(CAST(:extractor AS TEXT[])), unnest(CAST(:model AS TEXT[])), unnest(CAST(:prompt_version AS TEXT[])),
    unnest(CAST(:parameters AS TEXT[])), unnest(CAST(:reply AS TEXT[])), unnest(CAST(:input_tokens AS BIGINT[])),
    unnest(CAST(:output_tokens AS BIGINT[])), unnest(CAST(:seconds AS DOUBLE PRECISION[])),
    unnest(CAST(:error AS TEXT[])), unnest(CAST(:now AS TIMESTAMPTZ[]));

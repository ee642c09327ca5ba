-- The first schema. Common dialect of DuckDB and PostgreSQL: times are TIMESTAMPTZ, documents are JSON in TEXT.
-- Every row belongs to a team: '' in a store of one's own, the connection's team on a server.

CREATE SEQUENCE event_number;

-- The ledger: one row per session, and how far it was read.
CREATE TABLE sessions (
    team TEXT NOT NULL,
    key TEXT NOT NULL,                -- agent:native id
    agent TEXT NOT NULL,
    native_id TEXT NOT NULL,
    path TEXT NOT NULL,
    state TEXT NOT NULL,              -- pending, running, done, skipped, failed
    repo TEXT,
    developer TEXT,
    size BIGINT NOT NULL,
    mtime_ns BIGINT NOT NULL,
    fingerprint TEXT NOT NULL,
    last_turn TEXT,
    turn_count INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    next_attempt_at TIMESTAMPTZ,
    lease_owner TEXT,
    lease_until TIMESTAMPTZ,
    error_step TEXT,
    error TEXT,
    error_next TEXT,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,
    model TEXT,
    started_at TIMESTAMPTZ,
    ended_at TIMESTAMPTZ,
    skip_code TEXT,
    skip_reason TEXT,
    recorded_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (team, key)
);

-- Every file that was taken into account as it then was: a pass skips it while size and time stay.
CREATE TABLE files (
    team TEXT NOT NULL,
    path TEXT NOT NULL,
    session_key TEXT NOT NULL,
    size BIGINT NOT NULL,
    mtime_ns BIGINT NOT NULL,
    seen_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (team, path)
);

-- One row per answered model call, with the raw reply (redacted).
CREATE TABLE calls (
    team TEXT NOT NULL,
    id TEXT NOT NULL,
    session_key TEXT NOT NULL,
    position INTEGER NOT NULL,
    extractor TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt_version TEXT NOT NULL,
    parameters TEXT NOT NULL,         -- JSON
    reply TEXT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,
    error TEXT NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL
);

-- The turns that evidence points into and the agent turn before each, redacted: agents delete their transcripts.
CREATE TABLE turns (
    team TEXT NOT NULL,
    id TEXT NOT NULL,
    session_key TEXT NOT NULL,
    turn TEXT NOT NULL,
    speaker TEXT NOT NULL,
    said_at TIMESTAMPTZ,
    text TEXT NOT NULL,
    text_hash TEXT NOT NULL,
    before_id TEXT,                   -- the agent turn before
    path TEXT,
    transcript_hash TEXT NOT NULL,
    recorded_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (team, id)
);

-- Every proposal with every verdict.
CREATE TABLE candidates (
    team TEXT NOT NULL,
    id TEXT NOT NULL,
    session_key TEXT NOT NULL,
    session TEXT NOT NULL,
    position INTEGER NOT NULL,
    extractor TEXT NOT NULL,
    call_id TEXT,
    policy_version TEXT NOT NULL,
    raw TEXT NOT NULL,                -- JSON
    owner TEXT,
    type TEXT NOT NULL,
    subject TEXT NOT NULL,
    value TEXT NOT NULL,
    kind TEXT NOT NULL,
    until DATE,
    stated_at TIMESTAMPTZ,
    quote TEXT NOT NULL,
    turn TEXT,
    start_char INTEGER,
    end_char INTEGER,
    turn_id TEXT,                     -- turns.id
    disposition TEXT NOT NULL,
    code TEXT NOT NULL,
    detail TEXT NOT NULL,
    verdicts TEXT NOT NULL,           -- JSON: [{"check", "outcome", "detail"}]
    applied TEXT NOT NULL,            -- what the store did with it
    fact_id TEXT,
    review_id TEXT,
    recorded_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE facts (
    team TEXT NOT NULL,
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    scope TEXT NOT NULL,              -- repo, developer
    type TEXT NOT NULL,
    subject TEXT NOT NULL,
    value TEXT NOT NULL,
    state TEXT NOT NULL,              -- active, superseded, wrong, retired, forgotten, expired, archived
    multi BOOLEAN NOT NULL,
    stakes TEXT NOT NULL,             -- low, high
    slot TEXT NOT NULL,
    active_key TEXT,                  -- set while active: no two active rows may share it
    stated_at TIMESTAMPTZ NOT NULL,   -- when it was last said
    recorded_at TIMESTAMPTZ NOT NULL, -- when it was learned
    valid_from TIMESTAMPTZ NOT NULL,
    valid_until DATE,                 -- the last day of a dated rule
    ended_at TIMESTAMPTZ,             -- when it stopped being active
    superseded_at TIMESTAMPTZ,        -- when its successor was said
    superseded_by TEXT,
    confirmed_at TIMESTAMPTZ,
    confirmed_by TEXT,
    times_stated INTEGER NOT NULL,
    derived_from TEXT NOT NULL,       -- JSON: ids
    developer TEXT,
    evidence_id TEXT,                 -- statements.id
    erase_at TIMESTAMPTZ,
    erased_at TIMESTAMPTZ,
    PRIMARY KEY (team, id),
    UNIQUE (team, active_key)
);

-- The distinct statements of developers behind each fact: the pointer back.
CREATE TABLE statements (
    team TEXT NOT NULL,
    id TEXT NOT NULL,
    fact_id TEXT NOT NULL,
    candidate_id TEXT,
    session_key TEXT NOT NULL,
    session TEXT NOT NULL,
    turn TEXT NOT NULL,
    start_char INTEGER NOT NULL,
    end_char INTEGER NOT NULL,
    quote TEXT NOT NULL,
    stated_at TIMESTAMPTZ NOT NULL,
    said_at TIMESTAMPTZ,              -- the turn's own time, where it has one
    turn_hash TEXT NOT NULL,
    turn_id TEXT,
    recorded_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (team, id)
);

CREATE TABLE reviews (
    team TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    owner TEXT NOT NULL,
    scope TEXT NOT NULL,
    type TEXT NOT NULL,
    subject TEXT NOT NULL,
    multi BOOLEAN NOT NULL,
    stakes TEXT NOT NULL,
    slot TEXT NOT NULL,
    open_key TEXT,                    -- set while open: no two open items may share it
    state TEXT NOT NULL,              -- open, accepted, refused, expired
    base_fact TEXT,                   -- the fact that it was made against
    base_value TEXT,
    proposed TEXT NOT NULL,
    until DATE,
    detail TEXT NOT NULL,
    opened_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    snoozed_until TIMESTAMPTZ,
    decided_at TIMESTAMPTZ,
    decided_by TEXT,
    decided_value TEXT,
    decided_event BIGINT,             -- the last event of the decision
    reason TEXT,
    result_fact TEXT,
    undo_data TEXT,                   -- JSON: what an undo puts back; ids and times, no values
    PRIMARY KEY (team, id),
    UNIQUE (team, open_key)
);

-- The proposals inside a review item, each with its own statement.
CREATE TABLE proposals (
    team TEXT NOT NULL,
    id TEXT NOT NULL,
    review_id TEXT NOT NULL,
    candidate_id TEXT,
    value TEXT NOT NULL,
    until DATE,
    session_key TEXT NOT NULL,
    session TEXT NOT NULL,
    turn TEXT NOT NULL,
    start_char INTEGER NOT NULL,
    end_char INTEGER NOT NULL,
    quote TEXT NOT NULL,
    stated_at TIMESTAMPTZ NOT NULL,
    said_at TIMESTAMPTZ,
    turn_hash TEXT NOT NULL,
    turn_id TEXT,
    developer TEXT,
    recorded_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (team, id)
);

-- "A fact of this slot was forgotten then", without its value.
CREATE TABLE tombstones (
    team TEXT NOT NULL,
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    scope TEXT NOT NULL,
    type TEXT NOT NULL,
    subject TEXT NOT NULL,
    slot TEXT NOT NULL,
    value_hash TEXT,                  -- multi-valued types only
    forgotten_at TIMESTAMPTZ NOT NULL, -- when it was said
    recorded_at TIMESTAMPTZ NOT NULL,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    session_key TEXT,
    withdrawn_at TIMESTAMPTZ,
    PRIMARY KEY (team, id)
);

CREATE TABLE refusals (
    team TEXT NOT NULL,
    id TEXT NOT NULL,
    owner TEXT NOT NULL,
    scope TEXT NOT NULL,
    type TEXT NOT NULL,
    subject TEXT NOT NULL,
    slot TEXT NOT NULL,
    value TEXT NOT NULL,
    refused_at TIMESTAMPTZ NOT NULL,
    actor TEXT NOT NULL,
    review_id TEXT NOT NULL,
    withdrawn_at TIMESTAMPTZ,
    PRIMARY KEY (team, id)
);

-- Every change of state, who made it and why. Values are not repeated here, so that forgetting reaches them.
CREATE TABLE events (
    team TEXT NOT NULL,
    number BIGINT NOT NULL,
    happened_at TIMESTAMPTZ NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    owner TEXT NOT NULL,
    type TEXT NOT NULL,
    subject TEXT NOT NULL,
    slot TEXT NOT NULL,
    fact_id TEXT,
    review_id TEXT,
    from_state TEXT,
    to_state TEXT,
    reason TEXT NOT NULL,
    session_key TEXT,
    PRIMARY KEY (team, number)
);

CREATE TABLE passes (
    team TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    worker TEXT NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    finished_at TIMESTAMPTZ,
    summary TEXT,                     -- JSON
    PRIMARY KEY (team, id)
);

-- Every fact with the developer's words behind it, the whole turn they stand in, and the agent's turn before.
CREATE VIEW facts_with_evidence AS
SELECT f.team, f.id, f.owner, f.scope, f.type, f.subject, f.value, f.state, f.multi, f.stakes, f.stated_at,
    f.recorded_at, f.valid_from, f.valid_until, f.ended_at, f.superseded_at, f.superseded_by, f.confirmed_at,
    f.confirmed_by, f.times_stated, f.derived_from, f.developer, s.session AS evidence_session,
    s.session_key AS evidence_session_key, s.turn AS evidence_turn, s.start_char AS evidence_start,
    s.end_char AS evidence_end, s.quote AS evidence_text, s.said_at AS evidence_said_at, t.path AS evidence_path,
    t.transcript_hash AS evidence_transcript_hash, t.text AS evidence_turn_text, b.text AS evidence_before_text
FROM facts AS f
LEFT JOIN statements AS s ON s.team = f.team AND s.id = f.evidence_id
LEFT JOIN turns AS t ON t.team = s.team AND t.id = s.turn_id
LEFT JOIN turns AS b ON b.team = t.team AND b.id = t.before_id;

-- Every proposal inside a review item, in the same way.
CREATE VIEW proposals_with_evidence AS
SELECT p.team, p.id, p.review_id, p.candidate_id, p.value, p.until, p.developer, p.stated_at, p.recorded_at,
    p.session AS evidence_session, p.session_key AS evidence_session_key, p.turn AS evidence_turn,
    p.start_char AS evidence_start, p.end_char AS evidence_end, p.quote AS evidence_text,
    p.said_at AS evidence_said_at, p.turn_hash, p.turn_id, t.path AS evidence_path,
    t.transcript_hash AS evidence_transcript_hash, t.text AS evidence_turn_text, b.text AS evidence_before_text
FROM proposals AS p
LEFT JOIN turns AS t ON t.team = p.team AND t.id = p.turn_id
LEFT JOIN turns AS b ON b.team = t.team AND b.id = t.before_id;

-- Every candidate with its transcript's path, the model behind it, and the turn that its evidence stands in.
CREATE VIEW candidates_with_evidence AS
SELECT c.team, c.id, c.session, c.session_key, x.path, c.position, c.extractor, m.model, m.prompt_version,
    c.policy_version, c.raw, c.owner, c.type, c.subject, c.value, c.kind, c.until, c.stated_at, c.quote, c.disposition,
    c.code, c.detail, c.verdicts, c.applied, c.fact_id, c.review_id, c.recorded_at, x.repo,
    c.session AS evidence_session, c.session_key AS evidence_session_key, c.turn AS evidence_turn,
    c.start_char AS evidence_start, c.end_char AS evidence_end, c.quote AS evidence_text,
    t.said_at AS evidence_said_at, x.path AS evidence_path, t.transcript_hash AS evidence_transcript_hash,
    t.text AS evidence_turn_text, b.text AS evidence_before_text
FROM candidates AS c
LEFT JOIN sessions AS x ON x.team = c.team AND x.key = c.session_key
LEFT JOIN calls AS m ON m.team = c.team AND m.id = c.call_id
LEFT JOIN turns AS t ON t.team = c.team AND t.id = c.turn_id
LEFT JOIN turns AS b ON b.team = t.team AND b.id = t.before_id;

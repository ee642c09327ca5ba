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

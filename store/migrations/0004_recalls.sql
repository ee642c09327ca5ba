-- What was read back, to whom, and what became of it: the log beside the store is taken in here.

CREATE TABLE recalls (
    team TEXT NOT NULL,
    id TEXT NOT NULL,
    happened_at TIMESTAMPTZ NOT NULL,
    caller TEXT NOT NULL,             -- hook, mcp, command
    event TEXT NOT NULL,
    session TEXT NOT NULL,            -- the agent's own id of the session that was told
    repo TEXT,
    developer TEXT,
    query TEXT NOT NULL,
    eligible TEXT NOT NULL,           -- JSON: ids of facts
    tokens INTEGER NOT NULL,
    ms INTEGER,
    recorded_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (team, id)
);

-- The facts that a recall selected.
CREATE TABLE recalled (
    team TEXT NOT NULL,
    recall_id TEXT NOT NULL,
    fact_id TEXT NOT NULL,
    session TEXT NOT NULL,
    placement TEXT NOT NULL,          -- load, flag, ask
    shown BOOLEAN NOT NULL,
    asked BOOLEAN NOT NULL,           -- told with a question
    used BOOLEAN,                     -- whether the agent spoke of the value afterwards; empty until its session was read
    PRIMARY KEY (team, recall_id, fact_id)
);

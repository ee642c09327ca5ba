-- What the developer answered in a word or two when an agent asked, and what the store held by then.

CREATE TABLE answered (
    team TEXT NOT NULL,
    session TEXT NOT NULL,            -- the agent's own id of the session
    fact_id TEXT NOT NULL,
    said_at TIMESTAMPTZ NOT NULL,     -- the first time in this session
    PRIMARY KEY (team, session, fact_id)
);

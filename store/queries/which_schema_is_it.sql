-- name: has_migrations$
SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'migrations' AND table_schema = current_schema();

-- name: schema_version$
SELECT MAX(version) FROM migrations;

-- name: make_migrations!
CREATE TABLE IF NOT EXISTS migrations (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at TIMESTAMPTZ NOT NULL
);

-- name: record_migration!
INSERT INTO migrations (version, name, applied_at) VALUES (:version, :name, CURRENT_TIMESTAMP);

-- name: columns_of
SELECT column_name, data_type FROM information_schema.columns
WHERE table_name = :table AND table_schema = current_schema() ORDER BY ordinal_position;

-- name: highest_event$
SELECT COALESCE(MAX(number), 0) FROM events;

-- name: next_event$
SELECT nextval('event_number');

-- name: skip_events
SELECT MAX(nextval('event_number')) FROM generate_series(1, CAST(:missing AS BIGINT)) AS steps;

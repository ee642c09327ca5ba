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

-- A note of a session says what came of it and which files it was about; a session says why it has none.

ALTER TABLE notes ADD COLUMN developer TEXT;
ALTER TABLE notes ADD COLUMN outcome TEXT;             -- done, partly, failed, answered, unclear
ALTER TABLE notes ADD COLUMN files TEXT DEFAULT '[]';  -- JSON: names as they stand in the session
ALTER TABLE notes ADD COLUMN importance INTEGER;       -- 1 to 10

ALTER TABLE sessions ADD COLUMN note_problem TEXT;

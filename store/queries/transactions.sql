-- name: begin_work()#
BEGIN TRANSACTION;

-- name: keep_work()#
COMMIT;

-- name: drop_work()#
ROLLBACK;

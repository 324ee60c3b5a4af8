-- What is too much for one transaction, and must not be forgotten when a process ends in between (decision 37).

-- When its merchant removed an endpoint: it is shown and told nothing any more. What was sent to it is deleted in batches,
-- and the row with the last of them.
ALTER TABLE webhook_endpoints ADD COLUMN removed_at BIGINT;
CREATE INDEX webhook_endpoints_disabled ON webhook_endpoints (merchant_id, id, disabled_at, removed_at)
  WHERE disabled_at IS NOT NULL;

-- One row for each batch of an erasure, written with it, until the files were compacted: old versions of the erased rows may
-- stand in them. The release before kept no such note, so its databases are compacted by the next erasure.
CREATE TABLE uncompacted_erasures (
  id TEXT NOT NULL PRIMARY KEY
);
INSERT INTO uncompacted_erasures (id)
  SELECT name FROM migrations WHERE name = '0001-checkouts.sql' AND EXISTS (SELECT 1 FROM checkouts);

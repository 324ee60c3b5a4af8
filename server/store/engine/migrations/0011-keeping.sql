-- Restores and retention.
-- Restores of this database from a backup. While `settled_at` is null, no payment is taken: the acquirer may have charged
-- orders that the backup does not hold.
CREATE TABLE restores (
  restored_at BIGINT NOT NULL PRIMARY KEY,
  -- The time of the backup: it holds everything that was acknowledged before.
  taken_at BIGINT NOT NULL,
  settled_at BIGINT
);

-- The id of the secret key that the signing secret is derived from; null: the current one.
ALTER TABLE webhook_endpoints ADD COLUMN secret_key_id TEXT;
-- The same for the previous signing secret.
ALTER TABLE webhook_endpoints ADD COLUMN previous_key_id TEXT;

-- Retention: finds the rows that are emptied or deleted after a time.
CREATE INDEX checkouts_with_address ON checkouts (created_at) WHERE shopper_email IS NOT NULL;
CREATE INDEX events_to_forget ON events (created_at) WHERE fanned_out_at IS NOT NULL;

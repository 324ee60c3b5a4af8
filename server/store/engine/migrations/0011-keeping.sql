-- Restores of this database from a backup. While one is not settled, no payment is taken: the acquirer may have charged what
-- the backup does not hold.
CREATE TABLE restores (
  restored_at BIGINT NOT NULL PRIMARY KEY,
  -- When the backup was taken: what was acknowledged before that is in it.
  taken_at BIGINT NOT NULL,
  settled_at BIGINT
);

-- The secret key that the secret is derived of, by its id; null: the current one.
ALTER TABLE webhook_endpoints ADD COLUMN secret_key_id TEXT;
-- The same of the secret before.
ALTER TABLE webhook_endpoints ADD COLUMN previous_key_id TEXT;

-- What is forgotten after a time.
CREATE INDEX checkouts_with_address ON checkouts (created_at) WHERE shopper_email IS NOT NULL;
CREATE INDEX events_to_forget ON events (created_at) WHERE fanned_out_at IS NOT NULL;

-- API keys: what each may do, how a person tells one from another, and when it ends. Keys of earlier releases may do all, as
-- they could before; of them nobody knows the last characters.
ALTER TABLE api_keys ADD COLUMN access TEXT NOT NULL DEFAULT 'full' CHECK (access IN ('full', 'sales', 'read'));
ALTER TABLE api_keys ADD COLUMN name TEXT;
-- The last characters of the key.
ALTER TABLE api_keys ADD COLUMN hint TEXT;
-- Up to a minute old.
ALTER TABLE api_keys ADD COLUMN last_used_at BIGINT;
ALTER TABLE api_keys ADD COLUMN expires_at BIGINT;
ALTER TABLE api_keys ADD COLUMN revoked_at BIGINT;
CREATE INDEX api_keys_of_merchant ON api_keys (merchant_id);

-- A closed merchant: its keys open nothing, and no payment is started on its checkouts.
ALTER TABLE merchants ADD COLUMN closed_at BIGINT;

-- Pictures of shops, as they were put together after their check. The hash of the bytes is their name in addresses.
CREATE TABLE pictures (
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  hash TEXT NOT NULL,
  content_type TEXT NOT NULL CHECK (content_type IN ('image/png', 'image/jpeg', 'image/webp')),
  width BIGINT NOT NULL,
  height BIGINT NOT NULL,
  base64 TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  -- Since when no setting names it; null while one does. A day later it is gone.
  released_at BIGINT,
  PRIMARY KEY (merchant_id, hash)
);

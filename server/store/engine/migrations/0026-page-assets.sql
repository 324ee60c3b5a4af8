-- Scripts, styles and drawings of the page, stored by every server at its start: a server of another release serves them to a
-- page that it did not draw. Whoever can write here alone cannot put a script on the card page: each row has an HMAC under the
-- secret key.
CREATE TABLE page_assets (
  name TEXT NOT NULL PRIMARY KEY,
  media_type TEXT NOT NULL,
  base64 TEXT NOT NULL,
  -- The same, compressed by the build; null where it was not.
  br_base64 TEXT,
  gzip_base64 TEXT,
  hmac TEXT NOT NULL,
  -- Stored again each day by every release that runs.
  stored_at BIGINT NOT NULL
);
CREATE INDEX page_assets_stored ON page_assets (stored_at);

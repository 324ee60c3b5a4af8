-- The newest event of each merchant and mode that was forgotten: whoever has pulled up to it has missed none.
CREATE TABLE forgotten_events (
  merchant_id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  event_id TEXT NOT NULL,
  -- Its place in the list of events.
  listed_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, mode)
);

-- When the attempt was started whose browser is described here: a day later that is forgotten, whatever became of the attempt.
ALTER TABLE authentications ADD COLUMN browser_since BIGINT;
UPDATE authentications SET browser_since = (
  SELECT started_at FROM attempts
  WHERE attempts.merchant_id = authentications.merchant_id AND attempts.order_code = authentications.order_code
) WHERE browser IS NOT NULL OR collected IS NOT NULL;
CREATE INDEX authentications_with_browser ON authentications (browser_since)
  WHERE browser IS NOT NULL OR collected IS NOT NULL;

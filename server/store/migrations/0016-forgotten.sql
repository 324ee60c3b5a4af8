-- The newest event of each merchant and mode that was forgotten: whoever has pulled up to it has missed none.
CREATE TABLE forgotten_events (
  merchant_id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  event_id TEXT NOT NULL,
  -- Its place in the list of events.
  listed_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, mode)
);

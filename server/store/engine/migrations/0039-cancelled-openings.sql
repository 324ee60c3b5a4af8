-- oldest beside: 1.51.0
-- Checkouts that a reusable link has opened and their shopper has cancelled before any card: nothing else of them is stored (decision 68).
CREATE TABLE cancelled_openings (
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  checkout_id TEXT NOT NULL,
  cancelled_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, checkout_id)
);
CREATE INDEX cancelled_openings_by_time ON cancelled_openings (cancelled_at);

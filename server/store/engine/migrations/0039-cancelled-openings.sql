-- oldest beside: 1.51.0
-- Checkouts that a reusable link has opened and their shopper has cancelled before any card: nothing else of them is stored (decision 68).
CREATE TABLE cancelled_openings (
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  checkout_id TEXT NOT NULL,
  cancelled_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, checkout_id)
);
CREATE INDEX cancelled_openings_by_time ON cancelled_openings (cancelled_at);

-- A link is found by the first letters of its id, in the order of their bytes. SQLite has no other order.
-- only PostgreSQL: CREATE INDEX IF NOT EXISTS reusable_links_by_bytes ON reusable_links (merchant_id, id COLLATE "C");

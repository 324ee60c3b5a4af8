-- oldest beside: 1.51.0
-- Reusable links: one address that opens a fresh checkout for each visitor (decision 64).
CREATE TABLE reusable_links (
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  -- 160 random bits: the link is the capability.
  id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  -- One amount, where both are equal; else the bounds of what the shopper enters.
  min_yen BIGINT NOT NULL CHECK (min_yen BETWEEN 1 AND 9999999),
  max_yen BIGINT NOT NULL CHECK (max_yen BETWEEN min_yen AND 9999999),
  -- 1: the shopper enters the amount, also between equal bounds.
  is_entered BIGINT NOT NULL,
  -- JSON: what else the body of each checkout says, such as its subject.
  checkout TEXT NOT NULL,
  -- Null: no limit.
  max_payments BIGINT,
  -- How many checkouts of this link were paid, also those that were refunded later.
  payments BIGINT NOT NULL DEFAULT 0,
  -- Null: no end.
  valid_until BIGINT,
  disabled_at BIGINT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, id)
);
CREATE INDEX reusable_links_by_creation ON reusable_links (merchant_id, mode, created_at, id);

-- The reusable link that has opened the checkout; null: its merchant has.
ALTER TABLE checkouts ADD COLUMN link_id TEXT;
CREATE INDEX IF NOT EXISTS checkouts_by_link ON checkouts (merchant_id, mode, link_id, created_at, id, status, paid_at)
  WHERE link_id IS NOT NULL;

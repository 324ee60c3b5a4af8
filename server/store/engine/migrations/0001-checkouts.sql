-- One text for SQLite and PostgreSQL. Times are epoch milliseconds in BIGINT; JSON is text; every key carries the merchant.

CREATE TABLE merchants (
  id TEXT NOT NULL PRIMARY KEY,
  label TEXT NOT NULL,
  settings TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX merchants_label ON merchants (label);

CREATE TABLE api_keys (
  hash TEXT NOT NULL PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  created_at BIGINT NOT NULL
);

CREATE TABLE checkouts (
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  id TEXT NOT NULL,
  version BIGINT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'refunded', 'failed', 'cancelled', 'expired')),
  amount_yen BIGINT NOT NULL CHECK (amount_yen BETWEEN 1 AND 9999999),
  subject TEXT,
  remarks TEXT,
  valid_until BIGINT NOT NULL,
  accepted_card_brands TEXT NOT NULL,
  cancel_url TEXT,
  redirect_url TEXT,
  locale TEXT,
  metadata TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  closed_at BIGINT,
  order_code TEXT,
  transaction_id TEXT,
  paid_at BIGINT,
  card_brand TEXT,
  card_last_four TEXT,
  PRIMARY KEY (merchant_id, id)
);

CREATE TABLE attempts (
  merchant_id TEXT NOT NULL,
  order_code TEXT NOT NULL,
  checkout_id TEXT NOT NULL,
  amount_yen BIGINT NOT NULL,
  card_brand TEXT NOT NULL,
  card_last_four TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  state TEXT NOT NULL,
  details TEXT NOT NULL,
  -- When somebody must look at this attempt again: the end of its lease, or the next inquiry.
  due_at BIGINT,
  PRIMARY KEY (merchant_id, order_code),
  FOREIGN KEY (merchant_id, checkout_id) REFERENCES checkouts (merchant_id, id)
);
CREATE INDEX attempts_of_checkout ON attempts (merchant_id, checkout_id);
CREATE INDEX attempts_due ON attempts (due_at) WHERE due_at IS NOT NULL;
-- The last line of defence against a double charge: a second claim cannot be stored.
CREATE UNIQUE INDEX attempts_one_may_move_money ON attempts (merchant_id, checkout_id)
  WHERE state IN ('charging', 'unknown', 'charged');

-- Balanced lines: the yen of one entry add up to zero.
CREATE TABLE ledger_lines (
  merchant_id TEXT NOT NULL,
  entry TEXT NOT NULL,
  account TEXT NOT NULL,
  checkout_id TEXT NOT NULL,
  amount_yen BIGINT NOT NULL,
  booked_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, entry, account)
);

-- What must be told to the outside, committed together with what it tells of.
CREATE TABLE outbox (
  merchant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  checkout_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('webhook', 'mail')),
  event TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, id)
);

-- Append-only: who moved what, from, to, why, when.
CREATE TABLE changes (
  merchant_id TEXT NOT NULL,
  checkout_id TEXT NOT NULL,
  version BIGINT NOT NULL,
  place BIGINT NOT NULL,
  subject TEXT NOT NULL,
  actor TEXT NOT NULL,
  moved_from TEXT NOT NULL,
  moved_to TEXT NOT NULL,
  why TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, checkout_id, version, place)
);

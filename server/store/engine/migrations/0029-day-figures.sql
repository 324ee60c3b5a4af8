-- oldest beside: 1.51.0
-- Figures of the closed days of a shop in Japan. All three tables are derived: `kaikei figures rebuild` writes them again from the
-- ledger and the attempts.

-- PostgreSQL lets nobody write attempts while it builds an index. With millions of them, build it before the update, by the statement
-- in docs/operations.md: then this finds it.
CREATE INDEX IF NOT EXISTS attempts_by_start ON attempts (merchant_id, mode, started_at, order_code);

-- One row for each closed day on which something moved or began. A day without a row, before `summed_until`, has none of either.
CREATE TABLE day_figures (
  merchant_id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  -- The first millisecond of the day in Japan.
  day BIGINT NOT NULL,
  charges BIGINT NOT NULL,
  charged_yen BIGINT NOT NULL,
  refunds BIGINT NOT NULL,
  refunded_yen BIGINT NOT NULL,
  chargebacks BIGINT NOT NULL,
  chargeback_yen BIGINT NOT NULL,
  chargeback_reversals BIGINT NOT NULL,
  reversed_yen BIGINT NOT NULL,
  begun BIGINT NOT NULL,
  paid BIGINT NOT NULL,
  declined BIGINT NOT NULL,
  authentication_failed BIGINT NOT NULL,
  given_up BIGINT NOT NULL,
  in_doubt BIGINT NOT NULL,
  -- Charges by card brand, as JSON.
  brands TEXT NOT NULL,
  PRIMARY KEY (merchant_id, mode, day)
);

-- What changed the figures of a day other than the day on which it was written. Written with that change; deleted before the day is
-- summed again. A row for each change, so that payments never wait for each other here.
CREATE TABLE day_figures_late (
  merchant_id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  day BIGINT NOT NULL,
  checkout_id TEXT NOT NULL,
  -- Of the checkout: each transaction that changes it has its own.
  version BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, mode, day, checkout_id, version)
);
CREATE INDEX day_figures_late_by_day ON day_figures_late (day, merchant_id, mode);

-- How far a shop's days are summed, and by whom.
CREATE TABLE day_figures_progress (
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  -- The first day that is not summed yet.
  summed_until BIGINT NOT NULL,
  -- The day that is being summed again or for the first time. A worker that died leaves it to the next.
  summing_day BIGINT,
  -- The worker that sums, and until when nobody else does.
  holder TEXT NOT NULL,
  lease_until BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, mode)
);
CREATE INDEX day_figures_progress_behind ON day_figures_progress (summed_until);

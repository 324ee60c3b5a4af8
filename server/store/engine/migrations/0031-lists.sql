-- oldest beside: 1.51.0
-- Lists of the console: checkouts by their amount, what needs a person at one shop, and what reconciliations have found.

-- One amount finds its rows in the order of the list, as the other filters do.
CREATE INDEX IF NOT EXISTS checkouts_by_amount ON checkouts (merchant_id, mode, amount_yen, created_at, id, status, paid_at);

-- What needs a person, of one shop: the indexes there are run over all shops.
CREATE INDEX IF NOT EXISTS refunds_due_of_merchant ON refunds (merchant_id, mode, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS disputes_to_answer ON disputes (merchant_id, mode, respond_by) WHERE status IN ('inquiry', 'open');
CREATE INDEX IF NOT EXISTS deliveries_failed_of_endpoint ON deliveries (merchant_id, endpoint_id, ended_at) WHERE state = 'failed';
CREATE INDEX IF NOT EXISTS mails_failed_of_merchant ON mails (merchant_id, ended_at) WHERE state IN ('refused', 'given_up');

-- One comparison of the ledger with the acquirer's statement, for one shop in one mode. Kept for 400 days.
CREATE TABLE reconciliations (
  merchant_id TEXT NOT NULL REFERENCES merchants (id),
  id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  made_at BIGINT NOT NULL,
  -- What moved from then on, and before then.
  period_from BIGINT NOT NULL,
  period_to BIGINT NOT NULL,
  -- 0: the acquirer did not answer about everything.
  is_complete BIGINT NOT NULL,
  -- Why its statement could not be read; null: it was read.
  problem TEXT,
  -- JSON: how many movements of each kind agree, and their sums in yen.
  agreed TEXT NOT NULL,
  breaks BIGINT NOT NULL,
  in_doubt BIGINT NOT NULL,
  unanswered BIGINT NOT NULL,
  -- JSON: the first 100 breaks.
  found TEXT NOT NULL,
  PRIMARY KEY (merchant_id, id)
);
CREATE INDEX reconciliations_by_time ON reconciliations (merchant_id, mode, made_at, id);
CREATE INDEX reconciliations_made_at ON reconciliations (made_at);

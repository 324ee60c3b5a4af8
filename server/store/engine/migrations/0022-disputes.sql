-- Disputes (chargebacks) of payments, as the acquirer told of them last. The shop answers one at the acquirer.
CREATE TABLE disputes (
  merchant_id TEXT NOT NULL,
  checkout_id TEXT NOT NULL,
  -- The acquirer's own id.
  dispute_id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  order_code TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('inquiry', 'open', 'won', 'lost')),
  amount_yen BIGINT NOT NULL,
  -- A short code of the acquirer.
  reason TEXT,
  respond_by BIGINT,
  opened_at BIGINT NOT NULL,
  -- When the acquirer was asked whose answer this row holds: an earlier answer does not replace it.
  asked_at BIGINT NOT NULL,
  -- JSON: the chargebacks and reversals that are in the ledger.
  movements TEXT NOT NULL,
  PRIMARY KEY (merchant_id, checkout_id, dispute_id),
  FOREIGN KEY (merchant_id, checkout_id) REFERENCES checkouts (merchant_id, id)
);
-- An acquirer is asked about the disputes since the oldest one that is not over.
CREATE INDEX disputes_not_over ON disputes (opened_at) WHERE status IN ('inquiry', 'open');

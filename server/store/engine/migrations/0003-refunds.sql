-- Money on its way back. The id is the merchant's, and the acquirer's too.
CREATE TABLE refunds (
  merchant_id TEXT NOT NULL,
  checkout_id TEXT NOT NULL,
  refund_id TEXT NOT NULL,
  order_code TEXT NOT NULL,
  amount_yen BIGINT NOT NULL CHECK (amount_yen BETWEEN 1 AND 9999999),
  requested_at BIGINT NOT NULL,
  state TEXT NOT NULL,
  details TEXT NOT NULL,
  -- When somebody must look at this refund again.
  due_at BIGINT,
  PRIMARY KEY (merchant_id, checkout_id, refund_id),
  FOREIGN KEY (merchant_id, checkout_id) REFERENCES checkouts (merchant_id, id)
);
CREATE INDEX refunds_due ON refunds (due_at) WHERE due_at IS NOT NULL;

-- What the worker looks for: open checkouts whose deadline has passed.
CREATE INDEX checkouts_open_until ON checkouts (valid_until) WHERE status = 'open';

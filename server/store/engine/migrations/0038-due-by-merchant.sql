-- oldest beside: 1.51.0
-- What is due about payments, refunds and notifications, by merchant: the worker looks once for each merchant, not at all that wait.

CREATE INDEX IF NOT EXISTS attempts_due_by_merchant ON attempts (merchant_id, due_at, checkout_id) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS refunds_due_by_merchant ON refunds (merchant_id, due_at, checkout_id) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS acquirer_notifications_due_by_merchant ON acquirer_notifications (merchant_id, received_at, mode, id)
  WHERE handled_at IS NULL;

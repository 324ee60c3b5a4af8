-- oldest beside: 1.51.0
-- Mails to shops that wait: few, beside the mails to a shop's shoppers. Without it they would be looked for among all of these.

CREATE INDEX IF NOT EXISTS mails_due_to_shops ON mails (merchant_id, next_try_at, id)
  WHERE next_try_at IS NOT NULL AND checkout_id IS NULL;

-- oldest beside: 1.51.0
-- The operator's outbox, in the order of its pages.

-- Mails that wait, of one shop: the index there is runs over all shops.
CREATE INDEX IF NOT EXISTS mails_due_of_merchant ON mails (merchant_id, next_try_at, id) WHERE next_try_at IS NOT NULL;

-- Mails that failed and can be sent again. The index of all that failed begins with emptied ones, which are kept for ever.
CREATE INDEX IF NOT EXISTS mails_to_send_again ON mails (merchant_id, ended_at, id)
  WHERE state IN ('refused', 'given_up') AND recipient IS NOT NULL;

-- oldest beside: 1.51.0
-- The open checkouts of a reusable link: each claim of a link with a limit counts those that are pending.

CREATE INDEX IF NOT EXISTS checkouts_open_of_link ON checkouts (merchant_id, mode, link_id)
  WHERE status = 'open' AND link_id IS NOT NULL;

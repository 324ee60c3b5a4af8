-- oldest beside: 1.51.0
-- unused since: 1.51.0
-- The open checkouts of a reusable link: each claim of a link with a limit counts those that are pending.
CREATE INDEX IF NOT EXISTS checkouts_open_of_link ON checkouts (merchant_id, mode, link_id)
  WHERE status = 'open' AND link_id IS NOT NULL;

-- What is past its deadline, without those that are held after a restore: they may be all, and would be passed each second.
CREATE INDEX IF NOT EXISTS checkouts_not_held_until ON checkouts (valid_until) WHERE status = 'open' AND held_since IS NULL;
CREATE INDEX IF NOT EXISTS checkouts_not_held_of_merchant ON checkouts (merchant_id, mode, valid_until)
  WHERE status = 'open' AND held_since IS NULL;
DROP INDEX IF EXISTS checkouts_open_until;
DROP INDEX IF EXISTS checkouts_open_of_merchant;

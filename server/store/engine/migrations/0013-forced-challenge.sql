-- Forced challenge (decision 17): what a shop learns of the cards that are asked about there. Attempts of earlier releases count for nothing.

-- 64 bits of a keyed hash of card, merchant and mode: tells one card from another at one shop, and nothing at another. Emptied
-- after a day together with the network. Empty for test cards, which are not counted.
ALTER TABLE attempts ADD COLUMN card_mark TEXT;
-- The first 48 bits of an IPv6 address, emptied with the network.
ALTER TABLE attempts ADD COLUMN client_site TEXT;
CREATE INDEX attempts_of_site ON attempts (client_site, mode, started_at) WHERE client_site IS NOT NULL;
-- 1: the issuer is asked for a challenge, and a card without one is charged only where the issuer fully authenticates its holder.
ALTER TABLE attempts ADD COLUMN challenge_demanded BIGINT NOT NULL DEFAULT 0 CHECK (challenge_demanded IN (0, 1));
-- What the question about its card came to for the shop; empty until an issuer or the acquirer is asked.
ALTER TABLE attempts ADD COLUMN shop_outcome TEXT
  CHECK (shop_outcome IN ('asked', 'challenged', 'refused', 'declined', 'paid', 'uncounted'));
-- Since when, 0 where it counts for nothing; emptied with the network. A start that waits before it asks must not count as older
-- than it is.
ALTER TABLE attempts ADD COLUMN answered_at BIGINT;
-- All that is counted of a shop, so that thousands of rows are counted without being fetched; it holds one day.
CREATE INDEX attempts_answered ON attempts
  (merchant_id, mode, answered_at, shop_outcome, challenge_demanded, card_mark, checkout_id, client_network)
  WHERE answered_at > 0;
-- Only counted for the limits on card testing, which now read the index above.
DROP INDEX attempts_of_merchant;

-- How many cards were paid with and not paid with at a shop, by the hour, for seven days. Each hour is added up once, when it is
-- over: a counter that every payment raises would be one row for which they all wait.
CREATE TABLE shop_hours (
  merchant_id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  hour BIGINT NOT NULL,
  paid BIGINT NOT NULL,
  unpaid BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, mode, hour)
);
CREATE INDEX shop_hours_by_hour ON shop_hours (hour);

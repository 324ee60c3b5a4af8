-- Card testing: what an attempt asked about a card came to, and from which network. Attempts of earlier releases count for nothing.
ALTER TABLE attempts ADD COLUMN mode TEXT NOT NULL DEFAULT 'test' CHECK (mode IN ('test', 'live'));
UPDATE attempts SET mode = 'live' WHERE EXISTS (
  SELECT 1 FROM checkouts WHERE checkouts.merchant_id = attempts.merchant_id AND checkouts.id = attempts.checkout_id
    AND checkouts.mode = 'live');
ALTER TABLE attempts ADD COLUMN question TEXT NOT NULL DEFAULT 'unanswered'
  CHECK (question IN ('open', 'paid', 'unpaid', 'unanswered'));
-- An IPv4 address, or the first 64 bits of an IPv6 address; emptied after a day.
ALTER TABLE attempts ADD COLUMN client_network TEXT;
CREATE INDEX attempts_of_network ON attempts (client_network, mode, started_at) WHERE client_network IS NOT NULL;
CREATE INDEX attempts_with_network ON attempts (started_at) WHERE client_network IS NOT NULL;
CREATE INDEX attempts_of_merchant ON attempts (merchant_id, mode, started_at);

-- Until when only a card whose holder has passed a challenge is charged.
ALTER TABLE merchants ADD COLUMN test_braked_until BIGINT NOT NULL DEFAULT 0;
ALTER TABLE merchants ADD COLUMN live_braked_until BIGINT NOT NULL DEFAULT 0;

-- Cards that were asked about and not paid with, by keyed hash. Nothing here leads to an attempt, whose last four digits would
-- make a hash easier to reverse: no order code, no merchant, and a time rounded to ten minutes. Deleted after a day.
CREATE TABLE card_questions (
  fingerprint TEXT NOT NULL,
  id TEXT NOT NULL,
  asked_at BIGINT NOT NULL,
  PRIMARY KEY (fingerprint, id)
);
CREATE INDEX card_questions_asked_at ON card_questions (asked_at);

-- One row: a digest of SECRET_KEY, so that a server with another one does not start.
CREATE TABLE secret_key_check (
  digest TEXT NOT NULL PRIMARY KEY
);

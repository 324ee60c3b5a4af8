-- Addresses that mails of tests and mails to a shop may go to (decision 39): an API key alone opens none.
CREATE TABLE mail_addresses (
  merchant_id TEXT NOT NULL,
  -- As payment/erasure.ts compares addresses: without regard to the case of letters.
  address TEXT NOT NULL,
  -- Null: it was asked by a mail and has not confirmed, or an operator has removed it.
  registered_by TEXT CHECK (registered_by IN ('operator', 'confirmed')),
  registered_at BIGINT,
  -- Since when it is not asked again; null: it never was.
  asked_at BIGINT,
  -- SHA-256 of the token in the link that was mailed last, and until when that opens anything.
  token_hash TEXT,
  token_ends_at BIGINT,
  PRIMARY KEY (merchant_id, address)
);
CREATE UNIQUE INDEX mail_addresses_by_token ON mail_addresses (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX mail_addresses_unconfirmed ON mail_addresses (asked_at) WHERE registered_by IS NULL;

-- How many mails of a class went out on a day, against its caps. Kept for two days.
CREATE TABLE mail_counts (
  -- When the day began in Japan.
  day BIGINT NOT NULL,
  class TEXT NOT NULL,
  -- Empty: of all merchants.
  merchant_id TEXT NOT NULL,
  -- SHA-256 of the address; empty: to all.
  recipient TEXT NOT NULL,
  mails BIGINT NOT NULL,
  -- How many were kept back because of the cap.
  kept_back BIGINT NOT NULL,
  PRIMARY KEY (day, class, merchant_id, recipient)
);

-- A mail that asks an address to confirm is of a new kind. Which kinds there are is said by the code that reads them.
-- only PostgreSQL: ALTER TABLE mails DROP CONSTRAINT mails_kind_check;
-- only SQLite: CREATE TABLE mails_of_any_kind (merchant_id TEXT NOT NULL, id TEXT NOT NULL, checkout_id TEXT, kind TEXT NOT NULL, locale TEXT, recipient TEXT, facts TEXT, state TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'sent', 'refused', 'given_up')), tries BIGINT NOT NULL, next_try_at BIGINT, answer TEXT, created_at BIGINT NOT NULL, asked_again_at BIGINT, ended_at BIGINT, PRIMARY KEY (merchant_id, id));
-- only SQLite: INSERT INTO mails_of_any_kind (merchant_id, id, checkout_id, kind, locale, recipient, facts, state, tries, next_try_at, answer, created_at, asked_again_at, ended_at) SELECT merchant_id, id, checkout_id, kind, locale, recipient, facts, state, tries, next_try_at, answer, created_at, asked_again_at, ended_at FROM mails ORDER BY rowid;
-- only SQLite: DROP TABLE mails;
-- only SQLite: ALTER TABLE mails_of_any_kind RENAME TO mails;
-- only SQLite: CREATE INDEX mails_due ON mails (next_try_at) WHERE next_try_at IS NOT NULL;
-- only SQLite: CREATE INDEX mails_of_checkout ON mails (merchant_id, checkout_id);
-- only SQLite: CREATE INDEX mails_to_empty ON mails (created_at) WHERE recipient IS NOT NULL;
-- only SQLite: CREATE INDEX mails_failed ON mails (ended_at) WHERE state IN ('refused', 'given_up');
-- Those that an address gets once it is registered.
CREATE INDEX mails_refused_to ON mails (merchant_id, lower(recipient)) WHERE state = 'refused';

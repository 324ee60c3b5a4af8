-- What a merchant finds its checkouts by.
ALTER TABLE checkouts ADD COLUMN reference TEXT;
-- Of the payment: where its receipt goes. Earlier releases kept it in the attempt alone.
ALTER TABLE checkouts ADD COLUMN shopper_email TEXT;
ALTER TABLE checkouts ADD COLUMN shopper_locale TEXT;
-- only SQLite: UPDATE checkouts SET (shopper_email, shopper_locale) = (SELECT details ->> '$.receipt.email', details ->> '$.receipt.locale' FROM attempts WHERE attempts.merchant_id = checkouts.merchant_id AND attempts.order_code = checkouts.order_code) WHERE order_code IS NOT NULL;
-- only PostgreSQL: UPDATE checkouts SET shopper_email = CAST(attempts.details AS JSON) -> 'receipt' ->> 'email', shopper_locale = CAST(attempts.details AS JSON) -> 'receipt' ->> 'locale' FROM attempts WHERE attempts.merchant_id = checkouts.merchant_id AND attempts.order_code = checkouts.order_code;

-- What the card holder's bank said, without the value that proves it to the acquirer. Attempts of earlier releases have none.
ALTER TABLE attempts ADD COLUMN authentication TEXT;

ALTER TABLE refunds ADD COLUMN mode TEXT NOT NULL DEFAULT 'test' CHECK (mode IN ('test', 'live'));
UPDATE refunds SET mode = 'live' WHERE EXISTS (
  SELECT 1 FROM checkouts WHERE checkouts.merchant_id = refunds.merchant_id AND checkouts.id = refunds.checkout_id
    AND checkouts.mode = 'live');
ALTER TABLE ledger_lines ADD COLUMN mode TEXT NOT NULL DEFAULT 'test' CHECK (mode IN ('test', 'live'));
UPDATE ledger_lines SET mode = 'live' WHERE EXISTS (
  SELECT 1 FROM checkouts WHERE checkouts.merchant_id = ledger_lines.merchant_id
    AND checkouts.id = ledger_lines.checkout_id AND checkouts.mode = 'live');

-- Creations that can be repeated for 24 hours. Of key and body only hashes: a caller may have put anything into them.
CREATE TABLE idempotency_keys (
  merchant_id TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
  key_hash TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  checkout_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (merchant_id, mode, key_hash)
);
CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);

-- Lists: each filter finds its rows in the order of the list, newest first. Status and payment time stand behind, so that rows
-- are passed over without being read.
-- Two columns wider than it need be: of two indexes that serve equally SQLite takes the narrower, and would read every unpaid
-- checkout on its way to the paid ones, which checkouts_paid has alone.
CREATE INDEX checkouts_by_creation ON checkouts (merchant_id, mode, created_at, id, locale, valid_until);
CREATE INDEX checkouts_by_status ON checkouts (merchant_id, mode, status, created_at, id);
CREATE INDEX checkouts_by_reference ON checkouts (merchant_id, mode, reference, created_at, id, status, paid_at)
  WHERE reference IS NOT NULL;
CREATE INDEX checkouts_by_email ON checkouts (merchant_id, mode, shopper_email, created_at, id, status, paid_at)
  WHERE shopper_email IS NOT NULL;
CREATE INDEX checkouts_by_last_four ON checkouts (merchant_id, mode, card_last_four, created_at, id, status, paid_at)
  WHERE card_last_four IS NOT NULL;
CREATE INDEX checkouts_by_transaction ON checkouts (merchant_id, mode, transaction_id, created_at, id, status, paid_at)
  WHERE transaction_id IS NOT NULL;
CREATE INDEX checkouts_paid ON checkouts (merchant_id, mode, created_at, id, status, paid_at) WHERE paid_at IS NOT NULL;
CREATE INDEX checkouts_open_of_merchant ON checkouts (merchant_id, mode, valid_until) WHERE status = 'open';
CREATE INDEX attempts_in_flight ON attempts (merchant_id, mode, checkout_id) WHERE state IN ('charging', 'unknown');
CREATE INDEX refunds_by_request ON refunds (merchant_id, mode, requested_at, checkout_id, refund_id);
CREATE INDEX ledger_lines_by_time ON ledger_lines (merchant_id, mode, account, booked_at, entry, amount_yen);

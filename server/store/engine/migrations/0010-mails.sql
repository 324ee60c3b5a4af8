-- Mails to shoppers, written in the transaction that moves the money, and to shops about an endpoint of their own. Mails in the
-- outbox of earlier releases are never sent.
CREATE TABLE mails (
  merchant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  -- Null: it is about an endpoint.
  checkout_id TEXT,
  kind TEXT NOT NULL CHECK (kind IN (
    'receipt', 'reissue', 'refund', 'nothing_charged', 'endpoint_failing', 'endpoint_disabled', 'endpoint_gone'
  )),
  -- Null: its reader has chosen no language.
  locale TEXT,
  -- Both emptied 30 days after the event.
  recipient TEXT,
  facts TEXT,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'sent', 'refused', 'given_up')),
  tries BIGINT NOT NULL,
  -- The next try; while it is being sent, the end of the lease; null once it has ended.
  next_try_at BIGINT,
  -- What the mail server said last, without the recipient.
  answer TEXT,
  created_at BIGINT NOT NULL,
  -- When an operator had it tried again: its 72 hours are counted from then.
  asked_again_at BIGINT,
  ended_at BIGINT,
  PRIMARY KEY (merchant_id, id)
);
CREATE INDEX mails_due ON mails (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX mails_of_checkout ON mails (merchant_id, checkout_id);
CREATE INDEX mails_to_empty ON mails (created_at) WHERE recipient IS NOT NULL;
-- Few: what an operator looks at and tries again.
CREATE INDEX mails_failed ON mails (ended_at) WHERE state IN ('refused', 'given_up');
